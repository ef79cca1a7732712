internal import ArgumentParser
internal import Workflow

/// `close`: end a session that can never settle.
struct CloseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "End a session that can never settle; it says nothing about the money.",
        discussion: """
            For sessions that the engine has given up on, and that neither retry nor abort helps. Nothing is asked of the \
            PSP: the log says who closed it and why, and ends with 'failed' and what was known of the money ('none' or \
            'unknown'). Money whose outcome nobody knew stays unknown: 'show', 'explain' and 'stats' say so, and 'at-risk' \
            goes on showing it. A session in which something is still going on is refused.

            Examples:
              workflowctl close SESSION --reason "the PSP knows no payment"
              workflowctl close SESSION --reason "test order" --json
            """
    )

    @Argument(
        help: ArgumentHelp("The session.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var id: String

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        _ = try SessionArgument.session(id)
        guard global.reason != nil else {
            throw .usage(
                "reason",
                "a reason has to be given",
                hint: "say why with --reason TEXT; it is recorded in the session's log"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try SessionArgument.session(id)
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let decider = reader.decider
            let acted = reader.person.acted(SessionDecider.closing)
            _ = try await reader.withTrail(of: session) { trail throws(Failure) in
                try await trail.append(to: session, cause: "command.close") {
                    log throws(Failure) in
                    let state = log.state
                    do throws(Rejection) {
                        return try decider.decide(
                            .command(.close(acted)),
                            in: state,
                            at: state.lastAt
                        )
                    } catch {
                        throw Failure(EngineError.rejected(error))
                    }
                }
            }
            let log = try await SessionLog.read(session, from: reader.store)
            let story = Story(of: session, telling: log.events, by: decider)
            if global.json {
                invocation.print(
                    SessionView(story.state, by: decider, disclosing: .masked).json
                )
            } else {
                let report = StoryReport(story, program: global.call(invocation.program))
                invocation.output.write(report.text(for: invocation.output, why: false))
            }
            return .done
        }
    }
}
