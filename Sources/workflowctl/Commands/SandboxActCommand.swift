internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `sandbox act`: performs another party's act on an order of a running sandbox.
struct SandboxActCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Simulate an action by someone else on an order of a running sandbox.",
        discussion: """
            deviceStarts starts an attempt on another device (--method, and --card with a test \
            card number). devicePays and deviceFails (--problem) decide the open attempt, \
            whoever started it, or one on the other device. portalCaptures and portalReverses \
            (--amount, default everything), portalCancels, portalAborts and portalChangesAmount \
            (--amount) are actions in the merchant portal. payerPrefersCard (--card) puts a \
            saved card first in the list. methodReverses (--amount) lets the payment method take \
            the money back. bankRefuses fails a reversal that a bank was processing, and \
            paymentFails fails a payment after it was reported as paid. The sandbox refuses whatever the PSP would refuse.

            Examples:
              workflowctl sandbox act deviceFails --at http://127.0.0.1:8093 --order ORDER
              workflowctl sandbox act devicePays --at http://127.0.0.1:8093 --order ORDER
              workflowctl sandbox act portalAborts --at http://127.0.0.1:8093 --order ORDER
            """
    )

    @Argument(help: ArgumentHelp("The action to simulate.", valueName: "act"))
    var act: String

    @Option(help: ArgumentHelp("The URL of the sandbox.", valueName: "url"))
    var at: String

    @Option(
        help: ArgumentHelp("The id of the order, or its session URL.", valueName: "order")
    )
    var order: String

    @Option(help: ArgumentHelp("The payment method, such as Swish.", valueName: "name"))
    var method: String?

    @Option(help: ArgumentHelp("The number of a test card.", valueName: "number"))
    var card: String?

    @Option(
        help: ArgumentHelp("The reason for the failure, such as swishdeclined.", valueName: "slug")
    )
    var problem: String?

    @Option(
        help: ArgumentHelp(
            "The amount: 10000 in minor units, or '100.00 SEK'.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var members: [JSONValue.Member] = [.init("act", .string(act))]
        if let method { members.append(.init("method", .string(method))) }
        if let card { members.append(.init("card", .string(card))) }
        if let problem { members.append(.init("problem", .string(problem))) }
        if let given = try amount?.withCurrency("amount") {
            members.append(.init("amount", .integer(given.minorUnits)))
            members.append(.init("currency", .string(given.currency)))
        } else if let amount {
            let value = try amount.value(in: nil, "amount")
            members.append(.init("amount", .integer(value.minorUnits)))
        }
        let response = try await SandboxOrders.act(
            at: at,
            order: order,
            .object(members),
            on: invocation.loop
        )
        guard !global.json else {
            invocation.print(response)
            return .done
        }
        guard case .string(let status)? = response["status"] else { return .done }
        invocation.print("The order is now: \(Screen.safe(status))")
        return .done
    }
}
