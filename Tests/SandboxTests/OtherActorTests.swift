import Testing

@testable import Sandbox

/// Another party acts on the money of an order: another device, the portal, the payment method.
@Suite struct OtherActorTests {
    static let byPayer = Scenario(swishApproval: .byPayer)

    @Test func `another device starts and pays while the client has only opened the session`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            _ = try await driver.prepare()
            try await driver.act(["act": "deviceStarts", "method": "Swish"])
            let seen = try await driver.get()
            #expect(seen.json.value(at: "paymentSession.paymentMethod") == "Swish")
            #expect(seen.operation("get-payment", of: "Swish") != nil)
            var ledger = try await driver.ledger
            #expect(ledger.isAttemptRunning)
            #expect(ledger.attempts.map(\.startedBy) == [.otherDevice])
            #expect(ledger.authorizedAmount == 0)

            try await driver.act(["act": "devicePays"])
            #expect(try await driver.get().redirect == "https://shop.example/complete")
            ledger = try await driver.ledger
            #expect(ledger.capturedAmount == 10_000 && ledger.netAmount == 10_000)
            #expect(!ledger.isAttemptRunning)
            #expect(ledger.attempts.count == 1)
        }
    }

    @Test func `a card with a challenge is paid on another device`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            try await driver.act([
                "act": "deviceStarts", "method": "CreditCard", "card": "5226612199533406",
            ])
            let seen = try await driver.get()
            #expect(seen.operation("create-authentication", of: "CreditCard") != nil)
            try await driver.act(["act": "devicePays"])
            let ledger = try await driver.ledger
            #expect(ledger.authorizedAmount == 10_000 && ledger.capturedAmount == 0)
            #expect(ledger.remainingCaptureAmount == 10_000)
        }
    }

    @Test func `the client's own attempt can fail on another device`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: Self.byPayer))
            _ = try await driver.start("Swish", Bodies.swish(nil))
            try await driver.act(["act": "deviceFails", "problem": "swishtimeout"])
            let failed = try await driver.get()
            #expect(failed.problemType?.hasSuffix("swishtimeout") == true)
            #expect(try await driver.ledger.attempts.map(\.startedBy) == [.client])
        }
    }

    @Test func `two devices have attempts under way at once only if the scenario allows it`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: Self.byPayer))
            _ = try await driver.start("Swish", Bodies.swish(nil))
            try await driver.act(["act": "deviceStarts", "method": "Swish"], expecting: 409)

            var scenario = Self.byPayer
            scenario.acceptsRepeatedStarts = true
            let other = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            _ = try await other.start("Swish", Bodies.swish(nil))
            try await other.act(["act": "deviceStarts", "method": "Swish"])
            try await other.act(["act": "devicePays"])
            try await other.act(["act": "devicePays"])
            let ledger = try await other.ledger
            #expect(ledger.attempts.map(\.state) == [.paid, .paid])
            #expect(ledger.doubles.contains("2 attempts were paid"))
            #expect(ledger.netAmount == 20_000)
        }
    }

    @Test func `the portal captures, reverses and cancels parts of an order`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox)
            try await merchant.pay("CreditCard")
            try await merchant.act(["act": "portalCaptures", "amount": 6_000])
            try await merchant.act(["act": "portalReverses", "amount": 1_000])
            try await merchant.act(["act": "portalCancels"])
            try await merchant.act(["act": "portalCaptures"], expecting: 403)
            let ledger = try await merchant.ledger
            #expect(ledger.orderedAmount == 10_000 && ledger.authorizedAmount == 10_000)
            #expect(ledger.capturedAmount == 6_000 && ledger.cancelledAmount == 4_000)
            #expect(ledger.reversedAmount == 1_000 && ledger.netAmount == 5_000)
            #expect(ledger.remainingCaptureAmount == 0)
            #expect(ledger.remainingReversalAmount == 5_000)
            let order = try await merchant.read("paid,financialTransactions")
            #expect(order.order("remainingReversalAmount") == 5_000)
            #expect(order.order("status") == "Paid")
        }
    }

    @Test func `the portal aborts an order while its payer is in Swish`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: Self.byPayer))
            _ = try await driver.start("Swish", Bodies.swish(nil))
            try await driver.act(["act": "portalAborts"])
            #expect(try await driver.get().redirect == "https://shop.example/cancel")
            #expect(try await driver.ledger.status == "Aborted")
            try await driver.act(["act": "devicePays"], expecting: 403)
        }
    }

    @Test func `an amount changed during an attempt is not the amount that is paid`()
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox)
            try await merchant.act(["act": "deviceStarts", "method": "CreditCard"])
            try await merchant.act(["act": "portalChangesAmount", "amount": 7_500])
            try await merchant.act(["act": "devicePays"])
            let order = try await merchant.read("paid")
            #expect(order.order("amount") == 7_500)
            #expect(order.order("paid.amount") == 10_000)
            let ledger = try await merchant.ledger
            #expect(ledger.orderedAmount == 7_500 && ledger.authorizedAmount == 10_000)
            #expect(ledger.attempts.map(\.amount) == [10_000])
        }
    }

    @Test func `the payment method reverses a payment by itself`() async throws {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let merchant = try await MerchantDriver(
                sandbox,
                scenario: ["methodReversesAfterMilliseconds": 60_000]
            )
            try await merchant.pay("Swish")
            #expect(try await merchant.read().order("status") == "Paid")
            time.advance(by: .seconds(61))
            #expect(try await merchant.read().order("status") == "Reversed")
            let ledger = try await merchant.ledger
            #expect(ledger.netAmount == 0 && ledger.reversedAmount == 10_000)
            try await merchant.act(["act": "methodReverses"], expecting: 403)

            let other = try await MerchantDriver(sandbox)
            try await other.pay("Swish")
            try await other.act(["act": "methodReverses", "amount": 4_000])
            #expect(try await other.ledger.netAmount == 6_000)
        }
    }

    @Test func `a payment can fail after it was reported as paid`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox)
            try await merchant.act(["act": "paymentFails"], expecting: 403)
            try await merchant.pay("Swish")
            try await merchant.act(["act": "paymentFails"])
            #expect(try await merchant.read().order("status") == "Failed")
            #expect(try await merchant.ledger.netAmount == 0)
            try await merchant.act(["act": "bankRefuses"], expecting: 403)
        }
    }

    @Test func `another party can act before or after a request of the client`() async throws {
        try await withSandbox { sandbox in
            var scenario = Self.byPayer
            scenario.faults = [
                Fault(
                    rel: "get-payment",
                    requests: .nth(2),
                    kind: .act(.devicePays(), isFirst: false)
                ),
                Fault(
                    rel: "get-payment",
                    requests: .nth(3),
                    kind: .act(.portalReverses(), isFirst: true)
                ),
            ]
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let poll = try await driver.start("Swish", Bodies.swish(nil)).href("get-payment")
            #expect(try await driver.get(poll).redirect == nil)
            #expect(try await driver.get(poll).redirect == nil)
            #expect(try await driver.get(poll).redirect == "https://shop.example/complete")
            #expect(try await driver.ledger.status == "Reversed")
            let acts = await sandbox.entries(of: driver.order.id).filter { $0.rel == "act" }
            #expect(acts.map(\.outcome) == ["devicePays", "portalReverses"])
        }
    }

    @Test(arguments: [
        #"{"act": "nobodyPays"}"#, #"{"act": "deviceStarts"}"#, #"{}"#,
        #"{"act": "portalChangesAmount", "amount": -1}"#,
        #"{"act": "devicePays", "card": "4111111111111111"}"#,
        #"{"act": "deviceFails", "problem": "no/such"}"#,
    ])
    func `an unknown or invalid act is refused and starts no attempt`(_ text: String) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            try await driver.act(try #require(JSON(bytes: Array(text.utf8))), expecting: 400)
            #expect(try await driver.ledger.attempts.isEmpty)
        }
    }

    @Test func `an act can name the order by the token in its session URL`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let token = try #require(
                driver.order.sessionURL.split(separator: "/").last?.split(separator: "?").first
            )
            let response = try await HTTPClient.send(
                "POST",
                "\(sandbox.baseURL)/sandbox/orders/\(token)/acts",
                json: ["act": "devicePays", "method": "CreditCard"]
            )
            #expect(response.status == 200)
            #expect(try await driver.ledger.authorizedAmount == 10_000)
        }
    }
}
