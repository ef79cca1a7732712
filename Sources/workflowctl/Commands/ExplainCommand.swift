internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `explain`: describes what happened, in sentences.
struct ExplainCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain in plain English what happened, the current status, and what to do.",
        discussion: """
            The story is derived from the log and the problem catalogue only, so the same log \
            always gives the same story; for a session of a store, other paid sessions of the \
            same order are named as well. No keys are needed. With --why or --json, each sentence \
            lists the events it is based on. The commands that it proposes for a log in a file \
            work where the session's store is: name it with --store.

            Examples:
              workflowctl explain SESSION
              workflowctl explain SESSION --why
              workflowctl log SESSION --json | workflowctl explain - --json
            """
    )

    @OptionGroup var source: LogArguments

    @Flag(help: "List the events that each sentence is based on.")
    var why = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }
    static var mayReveal: Bool { false }

    func refuseBadArguments() throws(Failure) { _ = try source.chosen() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (log, decider, around) = try await ReadLog.one(source, for: self, in: invocation)
        try log.requireSound(upTo: .max)
        let story = Story(of: log.session, events: log.events, by: decider)
        let report = StoryReport(
            story,
            program: global.call(invocation.program, for: log.state),
            why: why,
            isImported: around.isImported,
            possibleDuplicates: around.possibleDuplicates
        )
        invocation.print(report, asJSON: global.json)
        if SessionID(source.source) == nil, report.proposesCommands {
            invocation.note(
                "note: this log is in a file; the proposed commands need the store in which the "
                    + "session was opened (--store)"
            )
        }
        return .done
    }
}
