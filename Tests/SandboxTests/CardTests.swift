import Testing

@testable import Sandbox

@Suite struct CardTests {
    private let payer = SandboxOrder(payerReference: "payer-1")

    @Test func `a card without authentication is authorized at once`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let paid = try await driver.startCard(ending: "0004")
            #expect(paid.redirect == "https://shop.example/complete")
            let ledger = try await driver.ledger
            #expect(ledger.authorizedAmount == 10_000)
            #expect(ledger.capturedAmount == 0)
        }
    }

    @Test func `a card pays after a 3-D Secure method call and a challenge`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let started = try await driver.startCard(ending: "0416")
            let operation = try #require(started.operation("create-authentication"))
            #expect(operation["next"] == true)
            #expect(operation.expectation("methodCompletionIndicator") == nil)
            let hidden = try #require(operation.task)
            #expect(hidden["rel"] == "sca-method-request")
            let data = try #require(hidden.expectation("threeDSMethodData"))
            let page = try await HTTPClient.send(
                "POST",
                hidden["href"]?.text ?? "",
                form: "threeDSMethodData=\(FormText.escaped(data))"
            )
            #expect(page.status == 200)

            let challenged = try await driver.createAuthentication(started, "Y")
            let task = try #require(challenged.operation("complete-authentication")?.task)
            #expect(task["rel"] == "sca-redirect")
            #expect(task["contentType"] == "application/x-www-form-urlencoded")
            let paid = try await driver.answerChallenge(challenged, "approve")
            #expect(paid.redirect == "https://shop.example/complete")
        }
    }

    @Test func `a card pays after a challenge without a method call`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let started = try await driver.startCard(ending: "3406")
            let operation = try #require(started.operation("create-authentication"))
            #expect(operation.task == nil)
            #expect(operation.expectation("methodCompletionIndicator") == "U")
            let challenged = try await driver.createAuthentication(started, "U")
            let paid = try await driver.answerChallenge(challenged, "approve")
            #expect(paid.redirect != nil)
        }
    }

    @Test(arguments: ["Y", "N", "U"])
    func `a card pays after a method call without a challenge`(
        indicator: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let started = try await driver.startCard(ending: "3211")
            #expect(started.operation("create-authentication")?.task != nil)
            let paid = try await driver.createAuthentication(started, indicator)
            #expect(paid.redirect == "https://shop.example/complete")
        }
    }

    @Test func `a payer who cancels at the bank fails the attempt and can pay with another method`()
        async throws
    {
        try await withSandbox { sandbox in
            var order = payer
            order.scenario.swishApproval = .after(.zero)
            let driver = try await SessionDriver(sandbox, order)
            let started = try await driver.startCard(ending: "3406")
            let challenged = try await driver.createAuthentication(started, "U")
            let failed = try await driver.answerChallenge(challenged, "cancel")
            #expect(failed.problemType?.hasSuffix("creditcard/3dsecureusercancelled") == true)
            try await driver.acknowledge(failed)
            let paid = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(paid.redirect == "https://shop.example/complete")
            let ledger = try await driver.ledger
            #expect(ledger.attempts.map(\.state) == [.failed, .paid])
            #expect(ledger.doubles.isEmpty)
        }
    }

    @Test func `only the bank's own cRes completes an authentication`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let started = try await driver.startCard(ending: "3406")
            let challenged = try await driver.createAuthentication(started, "U")
            let refused = try await HTTPClient.send(
                "POST",
                challenged.href("complete-authentication"),
                json: Bodies.completeAuthentication("eyJ0cmFuc1N0YXR1cyI6IlkifQ")
            )
            #expect(refused.status == 400)
            #expect(refused.json?.value(at: "problems.0.name") == "cRes")
            let paid = try await driver.answerChallenge(challenged, "approve")
            #expect(paid.redirect != nil)
        }
    }

    @Test func `a payer who does not return from the bank in ten minutes counts as canceled`()
        async throws
    {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let started = try await driver.startCard(ending: "3406")
            _ = try await driver.createAuthentication(started, "U")
            time.advance(by: .seconds(600))
            let failed = try await driver.get()
            #expect(failed.problemType?.hasSuffix("3dsecureusercancelled") == true)
        }
    }

    @Test(arguments: [
        (900_313, "acquirerinvalidamount"), (900_334, "acquirerpossiblefraud"),
        (900_343, "acquirercardstolen"), (900_354, "acquirercardexpired"),
        (900_361, "acquirerinsufficientfunds"), (900_391, "acquirergatewayerror"),
        (952_400, "acquirererrordonotretry"), (952_507, "authenticationrequired"),
    ])
    func `a magic amount makes the card decline`(amount: Int, slug: String) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(amount: amount, payerReference: "payer-1")
            )
            let declined = try await driver.startCard(ending: "0004")
            #expect(declined.problemType == ProblemDetail.typePrefix + "creditcard/" + slug)
            #expect(try await driver.ledger.authorizedAmount == 0)
        }
    }

    @Test func `the amount with limits warns, then suspends the card for a day, then for a month`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(amount: 952_100, payerReference: "payer-1")
            )
            var slugs: [String] = []
            for number in 1...16 {
                let declined =
                    number == 1
                    ? try await driver.startCard(ending: "0004")
                    : try await driver.start("CreditCard", try await card(driver))
                let slug = try #require(declined.problemType?.split(separator: "/").last)
                if slugs.last != String(slug) { slugs.append(String(slug)) }
                let remaining = declined.json.value(at: "problem.suspension.remaining")
                if (6...10).contains(number) {
                    #expect(remaining == .integer(10 - number))
                } else {
                    #expect(remaining == .none)
                }
                try await driver.acknowledge(declined)
            }
            #expect(
                slugs == [
                    "acquirererror", "authenticationrequired", "dailylimitexceeded",
                    "monthlylimitexceeded",
                ]
            )
        }
    }

    private func card(_ driver: SessionDriver) async throws -> JSON {
        let cards = try await driver.get().cards
        return Bodies.card(try #require(cards.first { $0.masked.hasSuffix("0004") }).token)
    }

    @Test func `a problem without acknowledgement stays until the next attempt`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(swishApproval: .byPayer, acknowledgesProblems: false)
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(amount: 900_361, payerReference: "payer-1", scenario: scenario)
            )
            let declined = try await driver.startCard(ending: "0004")
            #expect(declined.problemType != nil)
            #expect(declined.operation("acknowledge-failed-attempt") == nil)
            let again = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(again.problemType == nil)
        }
    }

    @Test func `stored cards belong to the payer and keep their tokens`() async throws {
        try await withSandbox { sandbox in
            let guest = try await SessionDriver(sandbox, SandboxOrder()).prepare()
            #expect(guest.cards.isEmpty)
            let first = try await SessionDriver(sandbox, payer).prepare()
            let second = try await SessionDriver(
                sandbox,
                SandboxOrder(payerReference: "payer-1")
            ).prepare()
            let other = try await SessionDriver(
                sandbox,
                SandboxOrder(payerReference: "payer-2")
            ).prepare()
            #expect(first.cards.map(\.masked).first == "476173******0416")
            #expect(first.cards.map(\.token) == second.cards.map(\.token))
            #expect(Set(first.cards.map(\.token)).isDisjoint(with: other.cards.map(\.token)))
        }
    }
}
