import Testing

@testable import Sandbox

@Suite struct CustomizingTests {
    private func driver(
        _ sandbox: SandboxServer,
        _ change: (inout SandboxOrder) -> Void = { _ in }
    ) async throws -> SessionDriver {
        var order = SandboxOrder(payerReference: "payer-1")
        change(&order)
        return try await SessionDriver(sandbox, order)
    }

    private func mode(_ snapshot: Snapshot) -> JSON? {
        snapshot.json.value(at: "paymentSession.instrumentModePaymentMethod")
    }

    @Test(
        arguments: [nil, [], ["Invoice-PayExFinancingSe", "CreditCard", "Swish"]] as [[String]?]
    )
    func `a list that is null, empty or complete restricts nothing`(list: [String]?) async throws {
        try await withSandbox { sandbox in
            let driver = try await driver(sandbox)
            let prepared = try await driver.prepare()
            let href = try prepared.href("customize-payment")
            let only = try await driver.post(href, Bodies.customize(nil, only: ["Swish"]))
            #expect(only.methods == ["Swish"])
            let all = try await driver.post(href, Bodies.customize(nil, only: list))
            #expect(all.methods == prepared.methods)
            #expect(mode(all) == .null)
        }
    }

    @Test func `a session locked to one method shows that one, whatever it was restricted to`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await driver(sandbox)
            let href = try await driver.prepare().href("customize-payment")
            _ = try await driver.post(href, Bodies.customize(nil, only: ["Swish"]))
            let locked = try await driver.post(href, Bodies.customize("Invoice-PayExFinancingSe"))
            #expect(locked.methods == ["Invoice-PayExFinancingSe"])
            #expect(mode(locked) == "Invoice-PayExFinancingSe")
            #expect(
                locked.json.value(at: "paymentSession.settings.enabledPaymentMethods")
                    == ["Swish", "CreditCard", "Invoice-PayExFinancingSe"]
            )
        }
    }

    @Test func `a method that is not enabled is refused, or ignored where the scenario says so`()
        async throws
    {
        try await withSandbox { sandbox in
            let strict = try await driver(sandbox)
            let href = try await strict.prepare().href("customize-payment")
            for body in [
                Bodies.customize("Vipps"), Bodies.customize(nil, only: ["Swish", "Vipps"]),
            ] {
                let refused = try await HTTPClient.send("POST", href, json: body)
                #expect(refused.status == 400)
                #expect(refused.json?["type"]?.text == ProblemDetail.typePrefix + "inputerror")
            }
            let lax = try await driver(sandbox) { $0.scenario.unknownMethods = .ignored }
            let laxHref = try await lax.prepare().href("customize-payment")
            let some = try await lax.post(laxHref, Bodies.customize(nil, only: ["Swish", "Vipps"]))
            #expect(some.methods == ["Swish"])
            let none = try await lax.post(laxHref, Bodies.customize("Vipps"))
            #expect(mode(none) == .null)
            #expect(none.methods.count == 3)
        }
    }

    @Test func `a scenario can ignore customize-payment or not offer it`() async throws {
        try await withSandbox { sandbox in
            let deaf = try await driver(sandbox) { $0.scenario.customizing = .ignored }
            let prepared = try await deaf.prepare()
            let same = try await deaf.post(
                prepared.href("customize-payment"),
                Bodies.customize("CreditCard")
            )
            #expect(same.json == prepared.json)
            let without = try await driver(sandbox) { $0.scenario.customizing = .absent }
            let rels = try await without.prepare().rels
            #expect(!rels.contains("customize-payment"))
        }
    }

    @Test func `an order can be locked or restricted when it is created`() async throws {
        try await withSandbox { sandbox in
            let locked = try await driver(sandbox) { $0.instrument = "CreditCard" }.prepare()
            #expect(locked.methods == ["CreditCard"])
            #expect(mode(locked) == "CreditCard")
            let restricted = try await driver(sandbox) {
                $0.restrictedToInstruments = ["Swish"]
            }.prepare()
            #expect(restricted.methods == ["Swish"])
            #expect(mode(restricted) == .null)
            let refused = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/psp/paymentorders",
                json: ["paymentorder": Bodies.order.setting("instrument", to: "Vipps")]
            )
            #expect(refused.json?.value(at: "problems.0.name") == "paymentorder.instrument")
        }
    }

    @Test(
        arguments: [
            (.offered, 200), (.refused, 409), (.absent, nil),
        ] as [(Scenario.Abort, Int?)]
    )
    func `an abort is accepted, refused or not offered, as the scenario says`(
        abort: Scenario.Abort,
        status: Int?
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await driver(sandbox) { $0.scenario.abort = abort }
            let prepared = try await driver.prepare()
            #expect(prepared.rels.contains("abort-payment") == (status != nil))
            guard let status else { return }
            let response = try await HTTPClient.send("POST", prepared.href("abort-payment"))
            #expect(response.status == status)
            if status == 409 {
                #expect(response.json?["type"]?.text == SessionRulesTests.notAllowed)
                #expect(try await driver.get().json == prepared.json)
            }
        }
    }

    @Test func `a verification takes no money and offers only CreditCard and Trustly`() async throws
    {
        var configuration = SandboxConfiguration()
        configuration.defaultMethods = ["Swish", "CreditCard", "Trustly", "Vipps"]
        try await withSandbox(configuration) { sandbox in
            var order = SandboxOrder(amount: 0, payerReference: "payer-1")
            order.purpose = .verify
            let driver = try await SessionDriver(sandbox, order)
            #expect(try await driver.prepare().methods == ["CreditCard", "Trustly"])
            let told = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/sandbox/menu/\(driver.order.id)/pay"
            )
            #expect(told.json?.value(at: "told.redirectUrl") == "https://shop.example/complete")
            let paid = try await HTTPClient.send(
                "GET",
                sandbox.baseURL + "/psp/paymentorders/\(driver.order.id)?$expand=paid"
            )
            #expect(paid.json?.value(at: "paymentOrder.status") == "Paid")
            #expect(paid.json?.value(at: "paymentOrder.paid.transactionType") == "Verification")
            #expect(try await driver.ledger.authorizedAmount == 0)
        }
    }
}
