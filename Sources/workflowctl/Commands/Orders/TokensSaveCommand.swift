internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `tokens save`: stores the token of a paid order, for merchant-initiated payments.
struct TokensSaveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save the token that a paid order left to a file.",
        discussion: """
            The order has to be paid, and must have asked for the token (generateRecurrenceToken, \
            generateUnscheduledToken). Its id is the one that 'show' prints. The file is for its owner alone; the token is \
            never printed. 'order create --stored-token-file' charges it.

            Examples:
              workflowctl tokens save /psp/paymentorders/ID stored --kind recurrence --psp URL --token-file token
              workflowctl tokens save /psp/paymentorders/ID stored --kind unscheduled --psp URL --token-file token --json
            """
    )

    /// The purpose of a token.
    enum Kind: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// Recurring: the merchant charges at regular intervals.
        case recurrence
        /// Unscheduled: the merchant charges at irregular times.
        case unscheduled
    }

    @Argument(help: ArgumentHelp("The id of the paid order.", valueName: "order"))
    var order: String

    @Argument(help: ArgumentHelp("Where the token is written.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp("Which token: recurrence or unscheduled.", valueName: "kind")
    )
    var kind: Kind

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        let (gateway, _) = try gateway.choice(global)
        guard gateway == .psp else {
            throw .usage(
                "gateway",
                "merchant backends keep the tokens of orders to themselves",
                hint: "give --psp URL and --token-file FILE"
            )
        }
        guard order.hasPrefix("/psp/paymentorders/") else {
            throw .usage(
                "order",
                "an order's id is written /psp/paymentorders/ID, as 'show' prints it"
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
                "the order is not paid, or left no \(kind.rawValue) token",
                hint: "an order makes one that asks for it: generate\(kind.member)Token"
            )
        }
        try FileBytes.replace(file, with: Array((token.token + "\n").utf8))
        if global.json {
            invocation.print([
                "kind": .string(kind.rawValue),
                "name": JSONValue(token.name),
                "expiryDate": JSONValue(token.expiryDate),
                "file": .string(file),
            ])
        } else {
            invocation.print("saved: \(Screen.safe(token.name ?? kind.rawValue)) to \(file)")
        }
        return .done
    }
}

extension TokensSaveCommand.Kind {
    /// The suffix of the member of an order that requests the token.
    fileprivate var member: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
