import Testing

@testable import Sandbox

@Suite struct TransactionTests {
    private func paid(
        _ sandbox: SandboxServer,
        _ version: String = "3.1",
        method: String = "CreditCard",
        amount: Int = 10_000
    ) async throws -> MerchantDriver {
        let order = Bodies.freshOrder().setting("amount", to: .integer(amount))
        let merchant = try await MerchantDriver(
            sandbox,
            version,
            order,
            scenario: ["methods": .strings([method])]
        )
        try await merchant.pay(method)
        return merchant
    }

    @Test
    func `an order is captured in parts, the rest is canceled, and all captures are reversed`()
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox)
            let first = try await merchant.transact("capture", 4000)
            #expect(first.status == 200)
            let order = Snapshot(json: try #require(first.json))
            #expect(order.order("remainingCaptureAmount") == 6000)
            #expect(order.order("remainingReversalAmount") == 4000)
            #expect(order.order("status") == "Paid")
            #expect(order.rels == ["capture", "cancel", "reversal"])

            let items: [String: JSON] = [
                "orderItems": [Bodies.item(1000)], "receiptReference": "R1",
            ]
            #expect(try await merchant.transact("capture", 1000, more: items).status == 200)
            let released = try await merchant.transact("cancel")
            #expect(released.json?.value(at: "paymentOrder.status") == "Paid")
            #expect(released.json?.value(at: "paymentOrder.remainingCaptureAmount") == 0)
            #expect(try await merchant.read().rels == ["reversal"])

            let part = try await merchant.transact("reversal", 2000)
            #expect(part.json?.value(at: "paymentOrder.status") == "Paid")
            let rest = try await merchant.transact("reversal", 3000)
            #expect(rest.json?.value(at: "paymentOrder.status") == "Reversed")
            #expect(rest.json?["operations"] == [])

            let ledger = try await merchant.ledger
            #expect(ledger.capturedAmount == 5000)
            #expect(ledger.cancelledAmount == 5000)
            #expect(ledger.reversedAmount == 5000)
            #expect([ledger.captures, ledger.cancellations, ledger.reversals] == [2, 1, 2])
            let list = try await merchant.read("financialTransactions,cancelled,history")
            guard
                case .array(let entries)? = list.order(
                    "financialTransactions.financialTransactionsList"
                )
            else { return #expect(Bool(false), "no list") }
            #expect(
                entries.map { $0["type"]?.text } == [
                    "Authorization", "Capture", "Capture", "Cancellation", "Reversal", "Reversal",
                ]
            )
            #expect(Set(entries.map { $0["number"].map { "\($0)" } }).count == 6)
            #expect(entries[2]["receiptReference"] == "R1")
            #expect(list.order("cancelled.amount") == 5000)
            #expect(list.order("history.historyList.3.name") == "PaymentPartiallyCaptured")
        }
    }

    @Test func `an authorization of which nothing was captured is canceled as a whole`()
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox)
            let cancelled = try await merchant.transact("cancel")
            #expect(cancelled.json?.value(at: "paymentOrder.status") == "Cancelled")
            #expect(cancelled.json?["operations"] == [])
            let late = try await HTTPClient.send(
                "POST",
                merchant.url + "/captures",
                json: MerchantDriver.transaction(100)
            )
            #expect(late.status == 403)
        }
    }

    @Test(arguments: [
        ("3.0", "capture", "capture", "Capture"),
        ("2.0", "create-paymentorder-capture", "capture", "Capture"),
        ("3.0", "cancel", "cancellation", "Cancellation"),
    ])
    func `before version 3.1 the response to a transaction is the transaction itself`(
        version: String,
        rel: String,
        member: String,
        type: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox, version)
            let response = try await merchant.transact(rel, rel == "cancel" ? nil : 2500)
            #expect(response.json?.value(at: "paymentOrder")?.text == merchant.path)
            let transaction = try #require(response.json?.value(at: "\(member).transaction"))
            #expect(transaction["type"]?.text == type)
            #expect(transaction["state"] == "Completed")
            #expect(transaction["amount"] == (rel == "cancel" ? 10_000 : 2500))
            #expect(response.json?["operations"] == nil)
        }
    }

    @Test func `a reference is accepted once per payee, across orders and transactions`()
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox)
            #expect(try await merchant.transact("capture", 1000, reference: "1001").status == 200)
            for reference in ["1001", "1002"] {
                let order = Bodies.order.setting(
                    "payeeInfo.payeeReference",
                    to: .string(reference)
                )
                let created = try await HTTPClient.send(
                    "POST",
                    sandbox.baseURL + "/psp/paymentorders",
                    json: ["paymentorder": order]
                )
                #expect(created.status == (reference == "1001" ? 400 : 201))
            }
            for (rel, reference) in [("capture", "1001"), ("reversal", "1002")] {
                let again = try await merchant.transact(rel, 1000, reference: reference)
                #expect(again.status == 400)
                #expect(again.json?.value(at: "problems.0.name") == "transaction.payeeReference")
            }
            let ledger = try await merchant.ledger
            #expect(ledger.capturedAmount == 1000)
            #expect(ledger.refusedDuplicates == 2)
            #expect(await sandbox.ledger.refusedDuplicates == 3)
            let other = Bodies.freshOrder().setting("payeeInfo.payeeId", to: "other")
                .setting("payeeInfo.payeeReference", to: "1001")
            _ = try await MerchantDriver(sandbox, "3.1", other)
        }
    }

    @Test func `five failures in a row lock captures`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox)
            let offered = try await merchant.read().href("capture")
            for _ in 1...4 { #expect(try await merchant.transact("capture", 10_001).status == 403) }
            #expect(try await merchant.transact("capture", 1000).status == 200)
            for _ in 1...5 { #expect(try await merchant.transact("capture", 9_001).status == 403) }
            let locked = try await merchant.read("postPurchaseFailedAttempts")
            #expect(locked.rels == ["cancel", "reversal"])
            guard
                case .array(let failed)? = locked.order(
                    "postPurchaseFailedAttempts.postpurchaseFailedAttemptList"
                )
            else { return #expect(Bool(false), "no list") }
            #expect(failed.count == 9)
            let refused = try await HTTPClient.send(
                "POST",
                offered,
                json: MerchantDriver.transaction(100)
            )
            #expect(refused.status == 403)
            #expect(refused.json?["detail"]?.text?.contains("5 tries failed") == true)
            #expect(try await merchant.ledger.failedTransactions == 9)
        }
    }

    @Test func `a magic amount declines a capture`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox, amount: 1_000_000)
            let declined = try await merchant.transact("capture", 900_361)
            #expect(declined.status == 403)
            #expect(
                declined.json?["type"]?.text
                    == ProblemDetail.typePrefix + "creditcard/acquirerinsufficientfunds"
            )
            #expect(try await merchant.transact("capture", 900_300).status == 200)
        }
    }

    @Test(arguments: ["3.1", "3.0"])
    func `a reversal at a bank takes time, and no transaction is offered meanwhile`(
        version: String
    )
        async throws
    {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        configuration.bankReversalDelay = .seconds(3 * 86_400)
        try await withSandbox(configuration) { sandbox in
            let merchant = try await paid(sandbox, version, method: "Trustly")
            let href = try await merchant.read().href("reversal")
            let taken = try await merchant.transact("reversal", 4000)
            #expect(taken.status == 202)
            if version == "3.0" {
                #expect(taken.json?.value(at: "reversal.transaction.state") == "Pending")
            }
            let waiting = try await merchant.read()
            #expect(waiting.rels.isEmpty)
            #expect(waiting.order("remainingReversalAmount") == 10_000)
            let second = try await HTTPClient.send(
                "POST",
                href,
                json: MerchantDriver.transaction(4000)
            )
            #expect(second.status == 403)
            time.advance(by: .seconds(3 * 86_400))
            let done = try await merchant.read()
            #expect(done.order("remainingReversalAmount") == 6000)
            #expect(done.rels == ["reversal"])
        }
    }

    @Test(
        arguments: [
            ("captures", "description", nil), ("captures", "amount", nil),
            ("captures", "amount", 0), ("captures", "vatAmount", 1001),
            ("captures", "payeeReference", "with space"), ("cancellations", "amount", 1000),
            ("reversals", "payeeReference", nil), ("reversals", "orderItems", [["name": "Lamp"]]),
        ] as [(String, String, JSON?)]
    )
    func `a transaction with a wrong field is refused, naming the field`(
        segment: String,
        field: String,
        value: JSON?
    )
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await paid(sandbox)
            let body = MerchantDriver.transaction(segment == "cancellations" ? nil : 1000)
                .setting("transaction.\(field)", to: value)
            let response = try await HTTPClient.send(
                "POST",
                "\(merchant.url)/\(segment)",
                json: body
            )
            #expect(response.status == 400)
            let name = try #require(response.json?.value(at: "problems.0.name")?.text)
            #expect(name.hasPrefix("transaction.\(field)"))
            #expect(try await merchant.ledger.failedTransactions == 0)
        }
    }
}
