internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `tokens`: lists and deletes tokens with which payers can pay again.
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "List, delete and save stored payment tokens.",
        discussion: """
            Tokens are secrets: they are masked unless --reveal is given, and saved to files \
            that only their owner can read. These commands record no events, because tokens do \
            not belong to a session.

            Examples:
              workflowctl tokens list payer-42 --psp https://api.payex.com/ \\
                --token-file token
              workflowctl tokens delete payer-42 1 --psp https://api.payex.com/ \\
                --token-file token
              workflowctl tokens save /psp/paymentorders/ID stored --kind recurrence \\
                --psp URL --token-file token
            """,
        subcommands: [
            TokensListCommand.self, TokensDeleteCommand.self, TokensSaveCommand.self,
        ]
    )
}

/// `tokens list`: lists the tokens of a payer.
struct TokensListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a payer's payment tokens.",
        discussion: """
            Examples:
              workflowctl tokens list payer-42 --psp https://api.payex.com/ \\
                --token-file token
              workflowctl tokens list payer-42 --backend https://shop.example/api/ --json
            """
    )

    @Argument(help: ArgumentHelp("The merchant's reference for the payer.", valueName: "payer"))
    var payer: String

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try gateway.choice(global) }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        guard !global.reveal || !configuration.audit.recordsReveal else {
            throw Failure(
                .refused,
                "tokens.not-recordable",
                "--reveal is not available: the configuration requires it to be recorded, and "
                    + "tokens do not belong to a session",
                hint: "leave out --reveal; 'tokens delete' accepts the number in the list"
            )
        }
        let tokens = try await TokenDesk.with(gateway, global, invocation) {
            desk throws(OrderAPIError) in try await desk.tokens(of: payer)
        }
        if global.json {
            let list = tokens.enumerated().map {
                $1.json(number: $0 + 1, revealing: global.reveal)
            }
            invocation.print(.array(list))
            return .done
        }
        var rows: [[String]] = []
        for (index, token) in tokens.enumerated() {
            rows.append([
                "\(index + 1)", token.instrument ?? "",
                token.displayName ?? "", token.expiry ?? "",
                global.reveal ? token.token : "•••",
            ])
        }
        if rows.isEmpty {
            invocation.note("the payer has no payment tokens")
        } else {
            let table = Table(
                columns: ["number", "instrument", "name", "expires", "token"],
                rows: rows
            )
            invocation.output.write(table.text(for: invocation.output))
        }
        return .done
    }
}

/// `tokens delete`: deletes a token permanently.
struct TokensDeleteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete one of a payer's payment tokens. This cannot be undone.",
        discussion: """
            NUMBER is the one that 'tokens list' prints. The list is read again first; with \
            --name, the token is deleted only if it still has this name.

            Examples:
              workflowctl tokens delete payer-42 1 --psp https://api.payex.com/ \\
                --token-file token
              workflowctl tokens delete payer-42 1 --backend https://shop.example/api/ \\
                --comment "asked by the payer"
            """
    )

    @Argument(help: ArgumentHelp("The merchant's reference for the payer.", valueName: "payer"))
    var payer: String

    @Argument(help: ArgumentHelp("The number of the token in the list.", valueName: "number"))
    var number: Int

    @Option(help: ArgumentHelp("The name that the token must have.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("The reason, for the PSP's records.", valueName: "text"))
    var comment = "Deleted by the merchant"

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        _ = try gateway.choice(global)
        guard number >= 1 else { throw .usage("number", "token numbers start at 1") }
        try Notes.check(comment, "comment")
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (number, name, comment) = (number, name, comment)
        let deleted = try await TokenDesk.with(gateway, global, invocation) {
            desk throws(OrderAPIError) -> PayerToken? in
            try await desk.delete(number, of: payer, comment: comment) { token in
                name == nil || name == token.displayName
            }
        }
        guard let deleted else {
            throw Failure(
                .unknown,
                "tokens.unknown",
                "the payer has no such token",
                hint: "'tokens list' shows the numbers and names"
            )
        }
        if global.json {
            invocation.print(["deleted": JSONValue(deleted.displayName)]
            )
        } else {
            invocation.print("deleted: \(Screen.safe(deleted.displayName ?? "token \(number)"))")
        }
        return .done
    }
}

extension TokenDesk {
    /// Runs an operation with a transport of its own, which is shut down in any case.
    static func with<Value: Sendable>(
        _ gateway: GatewayOptions,
        _ global: GlobalOptions,
        _ invocation: Invocation,
        _ body: (TokenDesk) async throws(OrderAPIError) -> Value
    ) async throws(Failure) -> Value {
        let (kind, address) = try gateway.choice(global)
        var configuration = try Configuration.read(global, environment: invocation.environment)
        configuration.transport.allowedHostSuffixes.append(address.host)
        let access = try OrderSecrets(
            global,
            environment: invocation.environment,
            configuration: configuration
        ).access
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = global.allowInsecureLoopback
        let transport = CurlTransport(on: invocation.loop, configuration: configuration.transport)
        let result: Result<Value, OrderAPIError>
        do throws(OrderAPIError) {
            let desk = try TokenDesk(
                at: kind,
                address.text,
                over: transport,
                access: access,
                options: options
            )
            result = .success(try await body(desk))
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        do {
            return try result.get()
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// Translates a refusal or outage of the service that knows the tokens.
    fileprivate init(_ error: OrderAPIError) {
        let status: ExitStatus =
            switch error {
            case .problem(let problem): problem.isTransient ? .unavailable : .refused
            case .missingOperation, .notInInstrumentMode: .refused
            case .foreignDomain, .malformedRoot, .malformedLink, .malformedValue: .usage
            default: .unavailable
            }
        self.init(status, error.code, Screen.safe(error.description))
    }
}
