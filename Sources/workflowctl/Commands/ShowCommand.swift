internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `show`: shows the state of a session.
struct ShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a session's status and attempts.",
        discussion: """
            Examples:
              workflowctl show SESSION
              workflowctl show SESSION --json
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let log = try await SessionLog.read(session, from: reader.store)
            var view = SessionView(
                log.state,
                by: reader.decider,
                disclosing: try await reader.disclosure(of: log, revealing: global.reveal)
            )
            view.isImported = try await reader.noteOrigin(of: log.session)
            view.possibleDuplicates = try await reader.possibleDuplicates(of: log)
            let attempts = AttemptHistory(log)
            // A service has no file beside its store in which lists are remembered.
            if reader.location.kind is ServedKind == false {
                ShownCards(beside: reader.location).remember(view)
            }
            if global.json {
                invocation.print(view.json(with: attempts))
            } else {
                let form = invocation.output.form
                let advice = Advice(view, program: global.call(invocation.program, for: log.state))
                let steps = invocation.output.isTerminal ? advice.steps : []
                invocation.output.write(
                    ViewText(view, style: form.style, steps: steps, opened: form.clock).text
                        + attempts.text(form.style)
                )
            }
            return .done
        }
    }
}
