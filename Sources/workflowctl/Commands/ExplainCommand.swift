internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `explain`: describes what happened, in sentences.
struct ExplainCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell in plain words what happened, how it stands, and what to do.",
        discussion: """
            The story is made of the log and the problem catalogue alone: the same log gives the same story, and no keys \
            are needed. With --why each sentence names the events that it rests on; --json always does.

            Examples:
              workflowctl explain SESSION
              workflowctl explain SESSION --why
              workflowctl log SESSION --json | workflowctl explain - --json
            """
    )

    @OptionGroup var source: LogArguments

    @Flag(help: "Name the events that each sentence rests on.")
    var why = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func refuseBadArguments() throws(Failure) { _ = try source.chosen() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (log, decider, isImported) = try await ReadLog.one(source, for: self, in: invocation)
        try log.requireSound(upTo: .max)
        let story = Story(of: log.session, telling: log.events, by: decider)
        invocation.print(
            StoryReport(
                story,
                program: global.call(invocation.program),
                why: why,
                isImported: isImported
            ),
            asJSON: global.json
        )
        return .done
    }
}
