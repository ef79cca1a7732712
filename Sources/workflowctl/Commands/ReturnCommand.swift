internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// `return`: processes the URL with which the payer returned.
struct ReturnCommand: DrivingCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "return",
        abstract: "Record that the payer came back with a URL.",
        discussion: """
            Exits 1 if the URL is not this session's payment URL. A return does not prove that \
            the payment succeeded, so the session is read at the PSP.

            Examples:
              workflowctl return SESSION https://shop.example/pay
              workflowctl return SESSION "https://shop.example/pay?swp_ut=1"
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The URL that the payer came back with.", valueName: "url"))
    var url: String

    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    /// The maximum length of a URL, in bytes.
    static let urlLimit = 8192

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard !url.isEmpty, url.utf8.count <= Self.urlLimit else {
            throw .usage("url", "a URL must have 1 to \(Self.urlLimit) bytes")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Driver.drive(session, with: self, in: invocation) {
            driver throws(EngineError) in
            try await driver.engine.returned(session, with: url)
        }
    }

    func call(in invocation: Invocation) -> ServiceCall {
        ServiceCall(path: "return", body: ["url": .string(url)])
    }
}
