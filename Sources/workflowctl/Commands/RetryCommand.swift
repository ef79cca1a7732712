internal import ArgumentParser
internal import SwedbankPay

/// `retry`: do again what failed in a retryable way.
struct RetryCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Do again what failed in a retryable way.",
        discussion: """
            Examples:
              workflowctl retry SESSION
              workflowctl retry SESSION --json --wait 5s
            """
    )

    @Argument(
        help: ArgumentHelp("The session.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var id: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try SessionArgument.session(id) }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try SessionArgument.session(id)
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.retry(session, by: driver.who)
        }
    }
}
