import Testing

@testable import Sandbox

@Suite struct SwishTests {
    @Test func `a payer on another device approves and is sent to the complete page`() async throws
    {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let driver = try await SessionDriver(sandbox)
            let running = try await driver.start("Swish", Bodies.swish("+46739000001"))
            let poll = try #require(running.operation("get-payment", of: "Swish"))
            #expect(poll["next"] == true)
            #expect(poll["tasks"] == [])
            #expect(running.operation("fail-payment-attempt") == nil)

            time.advance(by: .milliseconds(1499))
            #expect(try await driver.get(running.href("get-payment")).redirect == nil)
            time.advance(by: .milliseconds(1))
            let finished = try await driver.get(running.href("get-payment"))
            #expect(finished.redirect == "https://shop.example/complete")
            #expect(finished.operation("redirect-payer")?["next"] == true)
            #expect(finished.rels == ["redirect-payer", "event-logging"])

            let ledger = try await driver.ledger
            #expect(ledger.status == "Paid")
            #expect(ledger.attempts.map(\.state) == [.paid])
            #expect(ledger.capturedAmount == 10_000)
        }
    }

    @Test func `a payer on this device opens the app and approves`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(scenario: Scenario(swishApproval: .byPayer))
            )
            let running = try await driver.start("Swish", Bodies.swish(nil))
            let poll = try #require(running.operation("get-payment", of: "Swish"))
            #expect(poll.task?["rel"] == "launch-client-app")
            let link = try #require(poll.task?["href"]?.text)
            #expect(link.hasPrefix("swish://paymentrequest?token="))
            #expect(running.operation("fail-payment-attempt", of: "Swish") != nil)
            #expect(try await driver.get(running.href("get-payment")).redirect == nil)

            let token = link.split(separator: "=")[1]
            let opened = try await HTTPClient.send(
                "GET",
                sandbox.baseURL + "/sandbox/swish/\(token)?decision=approve"
            )
            #expect(opened.json?["state"] == "paid")
            #expect(opened.json?["returnURL"] == "https://shop.example/pay?swp_ut=1")
            let finished = try await driver.get(running.href("get-payment"))
            #expect(finished.redirect == "https://shop.example/complete")
        }
    }

    @Test func `the app link and the operations stay the same from poll to poll`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(scenario: Scenario(swishApproval: .byPayer))
            )
            let running = try await driver.start("Swish", Bodies.swish(nil))
            #expect(try await driver.get().json == running.json)
            #expect(try await driver.get(running.href("get-payment")).json == running.json)
        }
    }

    @Test(arguments: [
        ("RF07", "swishdeclined"), ("TM01", "swishtimeout"), ("BANKIDCL", "bankidcancelled"),
    ])
    func `a failed Swish attempt shows its problem, is acknowledged and can be tried again`(
        description: String,
        slug: String
    ) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(
                    description: description,
                    scenario: Scenario(swishApproval: .after(.zero))
                )
            )
            let declined = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(declined.problemType == ProblemDetail.typePrefix + slug)
            #expect(declined.operation("expand-method") == nil)
            #expect(try await driver.get().json == declined.json)

            try await driver.acknowledge(declined)
            let ready = try await driver.get()
            #expect(ready.problemType == nil)
            #expect(ready.operation("expand-method", of: "Swish") != nil)
            let again = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(again.problemType != nil)
            #expect(try await driver.ledger.attempts.map(\.number) == [1, 2])
        }
    }

    @Test func `a payment with the description HANG is never approved`() async throws {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(description: "HANG"))
            let running = try await driver.start("Swish", Bodies.swish("+46739000001"))
            time.advance(by: .seconds(7 * 24 * 3600))
            #expect(try await driver.get().json == running.json)
            #expect(try await driver.ledger.attempts.map(\.state) == [.running])
        }
    }

    @Test func `an app that could not be opened fails the attempt`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let running = try await driver.start("Swish", Bodies.swish(nil))
            let failed = try await driver.post(
                running.href("fail-payment-attempt"),
                Bodies.fail("ClientAppLaunchFailed")
            )
            #expect(
                failed.problemType
                    == "https://api.payex.com/psp/errordetail/paymentorders/clientapplaunchfailed"
            )
            #expect(try await driver.ledger.attempts.map(\.state) == [.failed])
        }
    }

    @Test(arguments: ["0739000001", "+46 739000001", "+0739000001", "46739000001", ""])
    func `a phone number in the wrong format is refused and starts nothing`(
        msisdn: String
    ) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let prepared = try await driver.prepare()
            let expanded = try await driver.post(
                prepared.href("expand-method", of: "Swish"),
                Bodies.expand("Swish")
            )
            let response = try await HTTPClient.send(
                "POST",
                expanded.href("start-payment-attempt"),
                json: Bodies.swish(msisdn)
            )
            #expect(response.status == 400)
            #expect(response.json?.value(at: "problems.0.name") == "msisdn")
            #expect(try await driver.ledger.attempts.isEmpty)
        }
    }
}
