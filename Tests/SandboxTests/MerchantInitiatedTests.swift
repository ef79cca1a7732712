import Testing

@testable import Sandbox

/// Orders that the merchant charges without the payer.
@Suite struct MerchantInitiatedTests {
    /// Returns the token that a paid order left.
    private func token(
        _ sandbox: SandboxServer,
        _ kind: String,
        _ changes: [String: JSON] = [:]
    ) async throws -> String {
        var order = Bodies.freshOrder()
            .setting("generate\(kind.prefix(1).uppercased() + kind.dropFirst())Token", to: true)
        for (path, value) in changes { order = order.setting(path, to: value) }
        let merchant = try await MerchantDriver(sandbox, "3.1", order)
        try await merchant.act(["act": "devicePays", "method": "CreditCard"])
        let paid = try await merchant.read("paid")
        #expect(paid.order("paid.tokens.0.type") == .string(kind))
        return try #require(paid.order("paid.tokens.0.token")?.text)
    }

    private func charge(
        _ token: String,
        _ kind: String = "recurrence",
        amount: Int = 4_900,
        reference: String = OpaqueTokenText.reference(),
        callbackURL: String? = nil,
        faults: JSON = []
    ) -> JSON {
        let order: JSON = [
            "operation": kind == "recurrence" ? "Recur" : "UnscheduledPurchase",
            "\(kind)Token": .string(token), "currency": "SEK", "amount": .integer(amount),
            "vatAmount": 0, "description": "Subscription", "userAgent": "tests/1",
            "language": "sv-SE", "urls": ["callbackUrl": .optional(callbackURL)],
            "payeeInfo": ["payeeId": "shop", "payeeReference": .string(reference)],
        ]
        return ["paymentorder": order, "sandbox": ["faults": faults]]
    }

    private func post(_ sandbox: SandboxServer, _ body: JSON) async throws -> Answer {
        try await HTTPClient.send(
            "POST",
            sandbox.baseURL + "/psp/paymentorders?$expand=paid,failed",
            json: body,
            contentType: "application/json;version=3.1"
        )
    }

    @Test(arguments: ["recurrence", "unscheduled"])
    func `a stored token is charged at once, without a page`(_ kind: String) async throws {
        try await withSandbox { sandbox in
            let token = try await token(sandbox, kind)
            let response = try await post(sandbox, charge(token, kind))
            #expect(response.status == 201)
            let order = Snapshot(json: try #require(response.json))
            #expect(order.order("status") == "Paid")
            #expect(order.order("paid.amount") == 4_900)
            #expect(order.order("paid.transactionType") == "Authorization")
            #expect(order.rels == ["capture", "cancel"])
            let ledger = try #require(await sandbox.ledger.orders.last)
            #expect(ledger.attempts.map(\.startedBy) == [.merchant])
            #expect(ledger.authorizedAmount == 4_900)
        }
    }

    @Test(arguments: [
        (900_361, "acquirerinsufficientfunds"), (952_507, "authenticationrequired"),
        (952_400, "acquirererrordonotretry"),
    ])
    func `a refused charge is a failed order with its problem`(
        _ amount: Int,
        _ problem: String
    ) async throws {
        try await withSandbox { sandbox in
            let token = try await token(sandbox, "recurrence")
            let response = try await post(sandbox, charge(token, amount: amount))
            let order = Snapshot(json: try #require(response.json))
            #expect(response.status == 201)
            #expect(order.order("status") == "Failed")
            #expect(order.order("failed.problem.type")?.text?.hasSuffix(problem) == true)
            #expect(order.rels.isEmpty)
            let ledger = try #require(await sandbox.ledger.orders.last)
            #expect(ledger.authorizedAmount == 0)
            #expect(ledger.attempts.map(\.state) == [.failed])
        }
    }

    @Test func `a card that must not be tried again is blocked for the next charge`()
        async throws
    {
        try await withSandbox { sandbox in
            let token = try await token(sandbox, "recurrence")
            _ = try await post(sandbox, charge(token, amount: 952_400))
            let next = try await post(sandbox, charge(token, amount: 4_900))
            let problem = next.json?.value(at: "paymentOrder.failed.problem.type")?.text
            #expect(problem?.hasSuffix("creditcard/acquirererrordonotretry") == true)
        }
    }

    @Test func `the limits of a card apply across all orders`() async throws {
        try await withSandbox { sandbox in
            let token = try await token(sandbox, "unscheduled")
            var problems: [String] = []
            for _ in 1...16 {
                let response = try await post(
                    sandbox,
                    charge(token, "unscheduled", amount: 952_100)
                )
                let type = response.json?.value(at: "paymentOrder.failed.problem.type")?.text ?? ""
                problems.append(String(type.split(separator: "/").last ?? ""))
            }
            #expect(problems[10] == "dailylimitexceeded")
            #expect(problems[15] == "monthlylimitexceeded")
            #expect(problems[9] == "authenticationrequired")
        }
    }

    @Test func `an unknown token is refused with 404, and a deleted one with 422`() async throws {
        try await withSandbox { sandbox in
            let unknown = try await post(sandbox, charge("no-such-token"))
            #expect(unknown.status == 404)
            #expect(unknown.json?["type"]?.text?.hasSuffix("paymentorders/inputerror") == true)

            let token = try await token(sandbox, "recurrence")
            let other = try await post(sandbox, charge(token, "unscheduled"))
            #expect(other.status == 404)

            let deletion = try await HTTPClient.send(
                "PATCH",
                "\(sandbox.baseURL)/psp/paymentorders/recurrencetokens/\(token)",
                json: ["state": "Deleted", "comment": "Cancelled subscription"]
            )
            #expect(deletion.status == 200)
            let deleted = try await post(sandbox, charge(token))
            #expect(deleted.status == 422)
            #expect(deleted.json?["type"]?.text?.hasSuffix("paymenttokeninactive") == true)
            #expect(await sandbox.ledger.orders.count == 1)
        }
    }

    @Test func `a charge whose response was lost is not made twice under its reference`()
        async throws
    {
        try await withSandbox { sandbox in
            let token = try await token(sandbox, "recurrence")
            let body = charge(
                token,
                reference: "recur1",
                faults: [["rel": "paymentorders", "kind": "resetAfter"]]
            )
            let lost = try await Curl.post(sandbox.baseURL + "/psp/paymentorders", body)
            #expect(lost.exitCode == 56)
            let again = try await post(sandbox, charge(token, reference: "recur1"))
            #expect(again.status == 400)
            let charged = await sandbox.ledger.orders.filter { $0.attempts.first?.amount == 4_900 }
            #expect(charged.map(\.status) == ["Paid"])
            #expect(charged.map(\.authorizedAmount) == [4_900])
        }
    }

    @Test func `a merchant-initiated charge sends no callback`() async throws {
        try await withSandbox { sandbox in
            let token = try await token(sandbox, "recurrence")
            let url = "http://127.0.0.1:1/callback"
            _ = try await post(sandbox, charge(token, callbackURL: url))
            _ = try await post(sandbox, charge(token, amount: 900_361, callbackURL: url))
            for order in await sandbox.ledger.orders {
                #expect(await sandbox.callbacks(of: order.order).isEmpty)
            }
        }
    }

    @Test func `a verification takes no money and leaves a token that can be charged`() async throws
    {
        try await withSandbox { sandbox in
            let token = try await token(
                sandbox,
                "unscheduled",
                ["operation": "Verify", "amount": 0, "vatAmount": 0]
            )
            let verified = try #require(await sandbox.ledger.orders.first)
            #expect(verified.status == "Paid")
            #expect(verified.authorizedAmount == 0 && verified.orderedAmount == 0)
            let order = try await HTTPClient.send(
                "GET",
                "\(sandbox.baseURL)/psp/paymentorders/\(verified.order)?$expand=paid"
            )
            #expect(order.json?.value(at: "paymentOrder.paid.amount") == 0)
            #expect(
                order.json?.value(at: "paymentOrder.paid.transactionType") == "Verification"
            )
            let charged = try await post(sandbox, charge(token, "unscheduled"))
            #expect(charged.json?.value(at: "paymentOrder.status") == "Paid")
        }
    }
}
