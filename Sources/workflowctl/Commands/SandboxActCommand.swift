internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `sandbox act`: lets somebody else act on an order of a running sandbox.
struct SandboxActCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Play somebody else who acts on an order of a running sandbox.",
        discussion: """
            The acts are: deviceStarts (--method, and --card with a test card's number), devicePays and deviceFails \
            (--problem), which decide the attempt under way, whoever started it, or one of the other device; \
            portalCaptures and portalReverses (--amount; without it, everything), portalCancels, portalAborts and \
            portalChangesAmount (--amount); payerPrefersCard (--card), which makes a saved card the first of the list; \
            methodReverses (--amount), with which the payment method takes the money back by itself. What the PSP would refuse is refused.

            Examples:
              workflowctl sandbox act deviceFails --at http://127.0.0.1:8093 --order ORDER
              workflowctl sandbox act devicePays --at http://127.0.0.1:8093 --order ORDER
              workflowctl sandbox act portalAborts --at http://127.0.0.1:8093 --order ORDER
            """
    )

    @Argument(help: ArgumentHelp("What somebody else does.", valueName: "act"))
    var act: String

    @Option(help: ArgumentHelp("Where the sandbox listens.", valueName: "url"))
    var at: String

    @Option(
        help: ArgumentHelp("The order's id, or its session URL.", valueName: "order")
    )
    var order: String

    @Option(help: ArgumentHelp("The payment method, for example Swish.", valueName: "name"))
    var method: String?

    @Option(help: ArgumentHelp("The number of a test card.", valueName: "number"))
    var card: String?

    @Option(
        help: ArgumentHelp("Why it fails, for example swishdeclined.", valueName: "slug")
    )
    var problem: String?

    @Option(
        help: ArgumentHelp("How much: 10000 in minor units, or '100.00 SEK'.", valueName: "amount")
    )
    var amount: AmountArgument?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var members: [JSONValue.Member] = [.init("act", .string(act))]
        if let method { members.append(.init("method", .string(method))) }
        if let card { members.append(.init("card", .string(card))) }
        if let problem { members.append(.init("problem", .string(problem))) }
        if let amount {
            let minorUnits = try amount.minorUnits(in: nil, "amount")
            members.append(.init("amount", .integer(minorUnits)))
        }
        let answer = try await SandboxOrders.act(
            at: at,
            order: order,
            .object(members),
            on: invocation.loop
        )
        guard !global.json else {
            invocation.print(answer)
            return .done
        }
        guard case .string(let status)? = answer["status"] else { return .done }
        invocation.print("The order is now: \(Screen.safe(status))")
        return .done
    }
}
