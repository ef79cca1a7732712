internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `checkout callback`: processes a callback of the PSP.
struct CheckoutCallbackCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback",
        abstract: "Process a callback that the PSP sent to the merchant's callback URL.",
        discussion: """
            The callback must name this session's order. Its body is not trusted: it only causes \
            the order to be read at the PSP. The log records who submitted it.

            Examples:
              workflowctl checkout callback SESSION body.json
              workflowctl checkout callback SESSION - < body.json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(
        help: ArgumentHelp(
            "A file with the body of the callback, or - for standard input.",
            valueName: "file"
        )
    )
    var file: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum size of a callback's body, in bytes.
    private static let bodyLimit = 1 << 16

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        let body =
            file == "-"
            ? try invocation.readInput(Self.bodyLimit)
            : try FileBytes.read(file, limit: Self.bodyLimit)
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.callback(session, body: body, by: driver.submitter)
        }
    }
}
