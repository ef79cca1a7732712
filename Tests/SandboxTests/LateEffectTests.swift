import Testing

@testable import Sandbox

/// Requests that the PSP refuses or loses, and that still take effect later.
@Suite struct LateEffectTests {
    @Test func `a refused start takes effect after the session was read once`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(
                swishApproval: .after(.zero),
                faults: [
                    Fault(
                        rel: "start-payment-attempt",
                        kind: .status(403),
                        lateEffect: .afterReads(1)
                    )
                ]
            )
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let prepared = try await driver.prepare()
            let expanded = try await driver.post(
                prepared.href("expand-method", of: "Swish"),
                Bodies.expand("Swish")
            )
            let response = try await HTTPClient.send(
                "POST",
                expanded.href("start-payment-attempt"),
                json: Bodies.swish(nil)
            )
            #expect(response.status == 403)
            #expect(try await driver.ledger.attempts.isEmpty)
            let first = try await driver.get()
            #expect(first.operation("start-payment-attempt", of: "Swish") != nil)
            #expect(try await driver.get().redirect == "https://shop.example/complete")
            let ledger = try await driver.ledger
            #expect(ledger.attempts.map(\.state) == [.paid])
            let ends = await sandbox.entries(of: driver.order.id).map(\.outcome)
            #expect(ends.contains("status-403-before-processing"))
            #expect(ends.contains("late-after-processing"))
        }
    }

    @Test(arguments: [400, 403, 422])
    func `a refused authentication takes effect and pays`(_ status: Int) async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(
                savedCards: ["4111112000003211"],
                faults: [
                    Fault(
                        rel: "create-authentication",
                        kind: .status(status),
                        takesEffect: true
                    )
                ]
            )
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(payerReference: "payer-1", scenario: scenario)
            )
            let started = try await driver.startCard(ending: "3211")
            let operation = try #require(started.operation("create-authentication"))
            let notification = try #require(operation.expectation("NotificationUrl"))
            let response = try await HTTPClient.send(
                "POST",
                started.href("create-authentication"),
                json: Bodies.createAuthentication("Y", notification)
            )
            #expect(response.status == status)
            #expect(try await driver.ledger.attempts.map(\.state) == [.paid])
            #expect(try await driver.ledger.authorizedAmount == 10_000)
        }
    }

    @Test func `a capture with an error response takes effect after its delay`() async throws {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let merchant = try await MerchantDriver(
                sandbox,
                scenario: [
                    "faults": [
                        [
                            "rel": "capture", "kind": "status", "status": 504,
                            "effectAfterMilliseconds": 90_000,
                        ]
                    ]
                ]
            )
            try await merchant.pay("CreditCard")
            let response = try await HTTPClient.send(
                "POST",
                merchant.url + "/captures",
                json: MerchantDriver.transaction(4_000)
            )
            #expect(response.status == 504)
            #expect(try await merchant.ledger.capturedAmount == 0)
            time.advance(by: .seconds(89))
            #expect(try await merchant.ledger.capturedAmount == 0)
            time.advance(by: .seconds(2))
            #expect(try await merchant.ledger.capturedAmount == 4_000)
        }
    }

    @Test func `an order whose creation got an error response is created after its delay`()
        async throws
    {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let response = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/psp/paymentorders",
                json: [
                    "paymentorder": Bodies.freshOrder(),
                    "sandbox": [
                        "faults": [
                            [
                                "rel": "paymentorders", "kind": "status", "status": 500,
                                "effectAfterMilliseconds": 1_000,
                            ]
                        ]
                    ],
                ]
            )
            #expect(response.status == 500)
            #expect(await sandbox.ledger.orders.isEmpty)
            time.advance(by: .seconds(2))
            #expect(await sandbox.ledger.orders.count == 1)
        }
    }

    @Test func `a scenario step refuses an operation that takes effect later`() async throws {
        let text = """
            {"name": "late", "operations": {"prepare-payment": [
              {"refusal": "forbidden", "effectAfterReads": 1}]}}
            """
        var configuration = SandboxConfiguration()
        configuration.scenarios = [try ScenarioFile.read(Array(text.utf8))]
        try await withSandbox(configuration) { sandbox in
            let driver = try await SessionDriver(sandbox)
            let href = try await driver.get().href("prepare-payment")
            let response = try await HTTPClient.send("POST", href, json: Bodies.prepare)
            #expect(response.status == 403)
            #expect(try await driver.get().rels == ["prepare-payment"])
            #expect(try await driver.get().rels.contains("abort-payment"))
        }
    }
}

/// Responses about another order, or with members of wrong types.
@Suite struct ForeignResponseTests {
    @Test func `a foreign fault returns a session with another order's id`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(
                swishApproval: .after(.zero),
                faults: [
                    Fault(rel: "session", requests: .nth(3), kind: .foreign([.id])),
                    Fault(rel: "session", requests: .nth(3), kind: .foreign([.completeURL])),
                ]
            )
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            _ = try await driver.start("Swish", Bodies.swish(nil))
            let foreign = try await driver.get()
            let own = "/psp/paymentorders/\(driver.order.id)"
            let id = try #require(foreign.json.value(at: "paymentSession.id")?.text)
            #expect(id != own && id.hasPrefix("/psp/paymentorders/"))
            #expect(foreign.redirect == "https://shop.example/complete")
            #expect(try await driver.get().json.value(at: "paymentSession.id")?.text == own)
        }
    }

    @Test func `a foreign fault redirects a paid session to another shop`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(
                swishApproval: .after(.zero),
                faults: [Fault(rel: "session", requests: .nth(3), kind: .foreign([.completeURL]))]
            )
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            _ = try await driver.start("Swish", Bodies.swish(nil))
            let foreign = try await driver.get()
            #expect(foreign.redirect == "https://another-shop.example/complete")
            #expect(
                foreign.json.value(at: "paymentSession.urls.completeUrl")?.text
                    == foreign.redirect
            )
        }
    }

    @Test func `a foreign fault returns an order with another order's references`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(
                sandbox,
                scenario: ["faults": [["rel": "order", "kind": "foreign"]]]
            )
            try await merchant.pay("Swish")
            let foreign = try await merchant.read("paid")
            let own = try await merchant.read("paid")
            for path in ["id", "number", "paid.payeeReference", "paid.orderReference"] {
                #expect(foreign.order(path) != own.order(path), "\(path)")
            }
            #expect(foreign.order("amount") == own.order("amount"))
        }
    }

    @Test func `a wrongMembers fault replaces the URLs in the first response by a number`()
        async throws
    {
        try await withSandbox { sandbox in
            let scenario = Scenario(
                faults: [Fault(rel: "session", kind: .wrongMembers(["paymentSession.urls"]))]
            )
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let first = try await driver.get()
            #expect(first.json.value(at: "paymentSession.urls") == 5)
            #expect(first.rels == ["prepare-payment"])
        }
    }
}
