internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `checkout callback`: accepts a callback of the PSP.
struct CheckoutCallbackCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback",
        abstract: "Take a call of the PSP to the merchant's callback URL.",
        discussion: """
            The body proves nothing: it only says that the order is worth reading. It has to name this session's order, and \
            the log says who handed it in.

            Examples:
              workflowctl checkout callback SESSION body.json
              workflowctl checkout callback SESSION - < body.json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(
        help: ArgumentHelp("The body of the call, or - for standard input.", valueName: "file")
    )
    var file: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum size of a callback in bytes.
    private static let bodyLimit = 1 << 16

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        let body =
            file == "-"
            ? try invocation.readInput(Self.bodyLimit)
            : try FileBytes.read(file, limit: Self.bodyLimit)
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.callback(session, body: body, by: driver.who)
        }
    }
}
