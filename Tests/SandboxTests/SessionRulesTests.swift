import Testing

@testable import Sandbox

@Suite struct SessionRulesTests {
    static let notAllowed =
        "https://api.payex.com/psp/errordetail/paymentsessions/operationnotallowed"

    @Test func `a session offers only prepare-payment until it is prepared`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let first = try await driver.get()
            #expect(first.rels == ["prepare-payment"])
            #expect(first.operation("prepare-payment")?["next"] == true)
            #expect(first.methods.isEmpty)
            let prepared = try await driver.prepare()
            #expect(prepared.methods == ["Swish", "CreditCard", "Invoice-PayExFinancingSe"])
            #expect(prepared.operation("prepare-payment") == nil)
            #expect(prepared.operation("abort-payment") != nil)
        }
    }

    @Test func `the session carries what the order was created with`() async throws {
        try await withSandbox { sandbox in
            var order = SandboxOrder()
            order.urls.cancelURL = nil
            order.msisdn = "+46739000001"
            let prepared = try await SessionDriver(sandbox, order).prepare()
            let session = try #require(prepared.json["paymentSession"])
            #expect(session["culture"] == "sv-SE")
            #expect(session.value(at: "urls.completeUrl") == "https://shop.example/complete")
            #expect(session.value(at: "urls.cancelUrl") == .null)
            #expect(session.value(at: "urls.hostUrls.0") == "https://shop.example/")
            #expect(session.value(at: "methods.0.prefills.0.msisdn") == "+46739000001")
            #expect(session.value(at: "methods.0.prefills.0.rank") == 1)
            #expect(session["instrumentModePaymentMethod"] == .null)
            #expect(prepared.json["problem"] == .null)
        }
    }

    @Test func `a stale operation is refused and changes nothing`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(scenario: Scenario(swishApproval: .byPayer))
            )
            let first = try await driver.get()
            let prepared = try await driver.prepare()
            let expanded = try await driver.post(
                prepared.href("expand-method", of: "Swish"),
                Bodies.expand("Swish")
            )
            let body = Bodies.swish("+46739000001")
            let running = try await driver.post(expanded.href("start-payment-attempt"), body)
            for (href, body) in [
                (try first.href("prepare-payment"), Bodies.prepare),
                (try prepared.href("expand-method", of: "Swish"), Bodies.expand("Swish")),
                (try expanded.href("start-payment-attempt"), body),
                (try prepared.href("customize-payment"), Bodies.customize(nil)),
            ] {
                let response = try await HTTPClient.send("POST", href, json: body)
                #expect(response.status == 409)
                #expect(response.json?["type"]?.text == Self.notAllowed)
                #expect(response.json?["status"] == 409)
                #expect(response.headers["content-type"] == "application/problem+json")
            }
            #expect(try await driver.get().json == running.json)
            #expect(try await driver.ledger.attempts.count == 1)
            #expect(try await driver.ledger.requests["start-payment-attempt"] == 2)
        }
    }

    @Test func `operation URLs are unguessable and never shared between sessions`() async throws {
        try await withSandbox { sandbox in
            let first = try await SessionDriver(sandbox)
            let second = try await SessionDriver(sandbox)
            let hrefs = [try await first.prepare(), try await second.prepare()]
                .flatMap(\.operations).compactMap { $0["href"]?.text }
            #expect(hrefs.count == 12)
            #expect(Set(hrefs).count == hrefs.count)
            for href in hrefs {
                #expect(!href.contains(first.order.id) && !href.contains(second.order.id))
                #expect(href.split(separator: "/").last?.count == 32)
            }
            let unknown = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/psp/operations/\(OpaqueToken.make())",
                json: [:]
            )
            #expect(unknown.status == 404)
        }
    }

    @Test func `an abort during an attempt aborts it and leads to the cancel page`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(scenario: Scenario(swishApproval: .byPayer))
            )
            let running = try await driver.start("Swish", Bodies.swish("+46739000001"))
            let aborted = try await driver.post(running.href("abort-payment"))
            #expect(aborted.redirect == "https://shop.example/cancel")
            let again = try await HTTPClient.send("POST", running.href("abort-payment"))
            #expect(again.status == 409)
            let ledger = try await driver.ledger
            #expect(ledger.status == "Aborted")
            #expect(ledger.attempts.map(\.state) == [.aborted])
        }
    }

    @Test func `an abort during an attempt is refused where the scenario says so`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(swishApproval: .byPayer, refusesAbortDuringAttempt: true)
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let running = try await driver.start("Swish", Bodies.swish("+46739000001"))
            let refused = try await HTTPClient.send("POST", running.href("abort-payment"))
            #expect(refused.status == 409)
            #expect(refused.json?["type"]?.text == Self.notAllowed)
            #expect(try await driver.ledger.attempts.map(\.state) == [.running])
        }
    }

    @Test func `the menu can be restricted, locked to one method and reset`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let prepared = try await driver.prepare()
            let href = try prepared.href("customize-payment")
            let only = try await driver.post(href, Bodies.customize(nil, only: ["Swish"]))
            #expect(only.methods == ["Swish"])
            let locked = try await driver.post(href, Bodies.customize("CreditCard"))
            #expect(locked.methods == ["CreditCard"])
            #expect(
                locked.json.value(at: "paymentSession.instrumentModePaymentMethod") == "CreditCard"
            )
            let reset = try await driver.post(href, Bodies.customize(nil))
            #expect(reset.methods == prepared.methods)
            for body in [Bodies.customize("Vipps"), [:]] {
                let response = try await HTTPClient.send("POST", href, json: body)
                #expect(response.status == 400)
            }
            let script = try await HTTPClient.send("GET", reset.href("view-payment"))
            #expect(script.headers["content-type"]?.hasPrefix("application/javascript") == true)
            #expect(script.text.contains("hostedView"))
        }
    }

    @Test func `telemetry gets an empty response and does not change the session`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let prepared = try await driver.prepare()
            let href = try prepared.href("event-logging")
            let taken = try await HTTPClient.send("POST", href, json: Bodies.event)
            #expect(taken.status == 204)
            let refused = try await HTTPClient.send(
                "POST",
                href,
                json: Bodies.event.setting("event.action", to: nil)
            )
            #expect(refused.json?.value(at: "problems.0.name") == "event.action")
            #expect(try await driver.get().json == prepared.json)
        }
    }

    @Test func `a wallet payment accepts a payload and may require a challenge`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(methods: ["ApplePay", "GooglePay"], authenticatesWallets: true)
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let running = try await driver.start("GooglePay", Bodies.start([:]))
            let operation = try #require(running.operation("attempt-payload", of: "GooglePay"))
            #expect(operation.task?["rel"] == "wallet-sdk")
            #expect(operation.task?.expectation("TotalPrice") == "100.00")
            let href = try running.href("attempt-payload")
            let refused = try await HTTPClient.send(
                "POST",
                href,
                json: ["paymentMethod": "GooglePay", "paymentPayload": "%%"]
            )
            #expect(refused.json?.value(at: "problems.0.name") == "paymentPayload")
            let started = try await driver.post(
                href,
                ["paymentMethod": "GooglePay", "paymentPayload": "e30="]
            )
            let challenged = try await driver.createAuthentication(started, "Y")
            let paid = try await driver.answerChallenge(challenged, "approve")
            #expect(paid.redirect != nil)
        }
    }

    @Test(arguments: [("UserCancelled", "usercancelled"), ("TechnicalError", "systemerror")])
    func `a wallet that fails on the device fails the attempt`(
        kind: String,
        slug: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(scenario: Scenario(methods: ["ApplePay"]))
            )
            let running = try await driver.start("ApplePay", Bodies.start([:]))
            let failed = try await driver.post(
                running.href("fail-payment-attempt"),
                Bodies.fail(kind)
            )
            #expect(failed.problemType == ProblemDetail.typePrefix + slug)
        }
    }

    @Test(arguments: [("paid", "complete"), ("aborted", "cancel"), ("failed", nil)])
    func `a session that ends elsewhere also ends here and refuses further operations`(
        outcome: String,
        page: String?
    ) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let prepared = try await driver.prepare()
            let response = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/sandbox/orders/\(driver.order.id)/outcome?as=\(outcome)"
            )
            #expect(response.status == 200)
            let ended = try await driver.get()
            #expect(ended.redirect == page.map { "https://shop.example/" + $0 })
            let stale = try await HTTPClient.send(
                "POST",
                prepared.href("expand-method", of: "Swish"),
                json: Bodies.expand("Swish")
            )
            #expect(stale.status == 409)
        }
    }
}
