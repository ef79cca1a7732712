internal import ArgumentParser
internal import SwedbankPay

/// `abort`: gives up the session at the PSP.
struct AbortCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Abort a session at the PSP.",
        discussion: """
            Exits 1 if the PSP refuses, for example because the payer has already authorized the \
            payment.

            Examples:
              workflowctl abort SESSION
              workflowctl abort SESSION --json --wait 5s
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.abort(session, by: driver.who)
        }
    }

    func call(in invocation: Invocation) -> ServiceCall {
        ServiceCall(path: "abort", body: global.reasonBody)
    }
}
