internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `tokens save`: saves the token of a paid order, to charge it without the payer.
struct TokensSaveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save the token of a paid order to a file.",
        discussion: """
            The order must be paid and must have requested the token (generateRecurrenceToken or \
            generateUnscheduledToken). ORDER is the id that 'show' prints. The file is readable \
            only by its owner; the token is never printed. Use it with 'order create \
            --stored-token-file'.

            Examples:
              workflowctl tokens save /psp/paymentorders/ID stored --kind recurrence \\
                --psp URL --token-file token
              workflowctl tokens save /psp/paymentorders/ID stored --kind unscheduled \\
                --psp URL --token-file token --json
            """
    )

    /// The kind of charges that a token allows.
    enum Kind: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// The merchant charges at regular intervals.
        case recurrence
        /// The merchant charges at irregular intervals.
        case unscheduled
    }

    @Argument(help: ArgumentHelp("The id of the paid order.", valueName: "order"))
    var order: String

    @Argument(help: ArgumentHelp("The file to write the token to.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp("The kind of token: recurrence or unscheduled.", valueName: "kind")
    )
    var kind: Kind

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        let (gateway, _) = try gateway.choice(global)
        guard gateway == .psp else {
            throw .usage(
                "gateway",
                "merchant backends do not provide the tokens of orders",
                hint: "use --psp URL and --token-file FILE"
            )
        }
        guard order.hasPrefix("/psp/paymentorders/") else {
            throw .usage(
                "order",
                "invalid order id; use /psp/paymentorders/ID, as 'show' prints it"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let tokens = try await TokenDesk.with(gateway, global, invocation) {
            desk throws(OrderAPIError) in try await desk.tokens(ofOrder: order)
        }
        guard let token = tokens.first(where: { $0.type.lowercased() == kind.rawValue }) else {
            throw Failure(
                .unknown,
                "tokens.unknown",
                "the order is not paid, or has no \(kind.rawValue) token",
                hint: "create the order with generate\(kind.member)Token to get one"
            )
        }
        try FileDraft.write(Array((token.token + "\n").utf8), to: file)
        if global.json {
            invocation.print([
                "kind": .string(kind.rawValue),
                "name": JSONValue(token.name),
                "expiryDate": JSONValue(token.expiryDate),
                "file": .string(file),
            ])
        } else {
            invocation.print("saved \(Screen.safe(token.name ?? kind.rawValue)) to \(file)")
        }
        return .done
    }
}

extension TokensSaveCommand.Kind {
    /// The part of the name of the order's member that requests the token.
    fileprivate var member: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
