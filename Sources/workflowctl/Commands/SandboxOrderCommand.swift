internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `sandbox order`: creates an order at a running sandbox.
struct SandboxOrderCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Create an order at a running sandbox and print its session URL.",
        discussion: """
            Supports the magic values of the PSP's test environment: card payments of 900361 \
            minor units are declined, and the descriptions RF07 and TM01 make Swish decline or \
            time out. --body sends an order as it is; it may have a 'sandbox' member that \
            selects faults.

            Examples:
              workflowctl sandbox order --at http://127.0.0.1:8093
              workflowctl sandbox order --at http://127.0.0.1:8093 --amount 900361
            """
    )

    @Option(help: ArgumentHelp("The URL of the sandbox.", valueName: "url"))
    var at: String

    @Option(
        help: ArgumentHelp(
            "The amount: 10000 in minor units, or '100.00 SEK'.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(help: ArgumentHelp("The description shown to the payer.", valueName: "text"))
    var description = "Sandbox order"

    @Option(
        help: ArgumentHelp("The reference of a payer with saved cards.", valueName: "reference")
    )
    var payer: String?

    @Option(
        help: ArgumentHelp(
            "A file with the order as JSON, or - for standard input.",
            valueName: "file"
        )
    )
    var body: String?

    @OptionGroup var global: GlobalOptions

    /// The `curl` command that creates such an order.
    static let example = JSONDocument.text(order(10_000, "Sandbox order", payer: "payer-1"))

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let url = try await SandboxOrders.create(at: at, try bytes(invocation), on: invocation.loop)
        if global.json {
            invocation.print(["sessionURL": .string(url)])
        } else {
            invocation.print(url)
        }
        return .done
    }

    private func bytes(_ invocation: Invocation) throws(Failure) -> [UInt8] {
        guard let body else {
            let value = try amount.map { amount throws(Failure) in
                try amount.value(in: "SEK", "amount")
            }
            let order = Self.order(value ?? 10_000, description, payer: payer)
            return Array(JSONDocument.text(order).utf8)
        }
        return body == "-"
            ? try invocation.readInput(FileBytes.valueLimit)
            : try FileBytes.read(body, limit: FileBytes.valueLimit)
    }

    /// Returns an order such as a shop would create.
    static func order(
        _ amount: Amount,
        _ description: String,
        payer: String?
    ) -> JSONValue {
        var order: JSONValue = [
            "operation": .string("Purchase"), "currency": .string("SEK"),
            "amount": .integer(amount.minorUnits), "vatAmount": .integer(amount.minorUnits / 5),
            "description": .string(description), "userAgent": .string("shop/1"),
            "language": .string("sv-SE"),
            "urls": [
                "hostUrls": .array([.string("https://shop.example/")]),
                "completeUrl": .string("https://shop.example/complete"),
                "cancelUrl": .string("https://shop.example/cancel"),
                "paymentUrl": .string("https://shop.example/pay"),
            ],
            "payeeInfo": [
                "payeeId": .string("shop"),
                "payeeReference": .string("order\(UInt32.random(in: 1...999_999_999))"),
            ],
        ]
        if let payer { order["payer"] = ["payerReference": .string(payer)] }
        return ["paymentorder": order]
    }
}
