internal import ArgumentParser
internal import SwedbankPay

/// `retry`: do again what failed in a retryable way.
struct RetryCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Do again what failed in a retryable way.",
        discussion: """
            Examples:
              workflowctl retry SESSION
              workflowctl retry SESSION --json --wait 5s
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.retry(session, by: driver.who)
        }
    }
}
