internal import ArgumentParser
internal import SwedbankPay

/// `abort`: give up the session at the PSP.
struct AbortCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Give up the session at the PSP.",
        discussion: """
            Examples:
              workflowctl abort SESSION
              workflowctl abort SESSION --json --wait 5s
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
            try await driver.engine.abort(session, by: driver.who)
        }
    }
}
