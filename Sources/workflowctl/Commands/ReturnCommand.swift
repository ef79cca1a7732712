internal import ArgumentParser
internal import SwedbankPay

/// `return`: records that the payer came back with a URL.
struct ReturnCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "return",
        abstract: "Say that the payer came back with this URL.",
        discussion: """
            Exits 1 if it is not this session's payment URL. A return proves nothing: the session is read to learn \
            how the payment stands.

            Examples:
              workflowctl return SESSION https://shop.example/pay
              workflowctl return SESSION "https://shop.example/pay?swp_ut=1"
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("What the payer came back with.", valueName: "url"))
    var url: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum length of the URL in bytes.
    static let urlLimit = 8192

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard !url.isEmpty, url.utf8.count <= Self.urlLimit else {
            throw .usage("url", "a URL has 1 to \(Self.urlLimit) bytes")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.returned(session, with: url)
        }
    }
}
