import Testing

@testable import Sandbox

@Suite struct RequestValidationTests {
    @Test(arguments: [
        "integration", "deviceAcceptedWallets", "client.userAgent", "client.screenHeight",
        "client.screenWidth", "client.screenColorDepth", "browser.acceptHeader",
        "browser.language", "browser.timeZoneOffset", "browser.javascriptEnabled",
        "service.name", "service.version", "presentationSdk.name", "presentationSdk.version",
    ])
    func `a preparation without a required field is refused, naming the field`(
        path: String
    ) async throws {
        for value in [nil, JSON.null, .array([]), .object([:])] {
            #expect(throws: ProblemDetail.self) {
                try RequestBodies.preparePayment(Bodies.prepare.setting(path, to: value))
            }
        }
        do {
            try RequestBodies.preparePayment(Bodies.prepare.setting(path, to: nil))
        } catch {
            #expect(error.status == 400)
            #expect(error.slug == "inputerror")
            #expect(error.fields.map(\.name) == [path])
        }
    }

    @Test func `a numeric field accepts an integer or its digits as text, and nothing else`() throws
    {
        for value in [JSON.integer(24), "24", "-60"] {
            try RequestBodies.preparePayment(
                Bodies.prepare.setting("client.screenHeight", to: value)
            )
        }
        for value in [JSON.string("wide"), .bool(true), .number(1.5)] {
            #expect(throws: ProblemDetail.self) {
                try RequestBodies.preparePayment(
                    Bodies.prepare.setting("client.screenHeight", to: value)
                )
            }
        }
    }

    @Test(arguments: [
        ("methodCompletionIndicator", JSON.string("X")),
        ("notificationUrl", "https://elsewhere.example/"), ("requestWindowSize", "01"),
        ("client.userAgent", nil), ("browser.language", nil),
    ])
    func `an authentication with a wrong field is refused, naming the field`(
        path: String,
        value: JSON?
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(payerReference: "payer-1"))
            let started = try await driver.startCard(ending: "3406")
            let operation = try #require(started.operation("create-authentication"))
            let url = try #require(operation.expectation("NotificationUrl"))
            let body = Bodies.createAuthentication("U", url).setting(path, to: value)
            let response = try await HTTPClient.send(
                "POST",
                started.href("create-authentication"),
                json: body
            )
            #expect(response.status == 400)
            #expect(response.json?.value(at: "problems.0.name")?.text == path)
            #expect(try await driver.get().json == started.json)
        }
    }

    @Test(arguments: [
        ("culture", JSON?.none), ("client.clientType", "Web"), ("client.clientType", nil),
        ("paymentToken", nil), ("paymentToken", "unknown"),
    ])
    func `a start with a wrong field is refused, naming the field, and starts nothing`(
        path: String,
        value: JSON?
    ) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(payerReference: "payer-1"))
            let prepared = try await driver.prepare()
            let expanded = try await driver.post(
                prepared.href("expand-method", of: "CreditCard"),
                Bodies.expand("CreditCard")
            )
            let token = try #require(prepared.cards.first?.token)
            let response = try await HTTPClient.send(
                "POST",
                expanded.href("start-payment-attempt"),
                json: Bodies.card(token).setting(path, to: value)
            )
            #expect(response.status == 400)
            #expect(response.json?.value(at: "problems.0.name")?.text == path)
            #expect(try await driver.ledger.attempts.isEmpty)
        }
    }

    @Test func `a request that is not JSON, is too large or has the wrong method is refused`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let href = try await driver.get().href("prepare-payment")
            let garbage = try await HTTPClient.send(
                "POST",
                href,
                form: "{",
                contentType: "application/json"
            )
            #expect(garbage.status == 400)
            let form = try await HTTPClient.send("POST", href, form: "integration=App")
            #expect(form.status == 415)
            let huge = Bodies.prepare.setting(
                "integration",
                to: .string(String(repeating: "x", count: 70_000))
            )
            #expect(try await HTTPClient.send("POST", href, json: huge).status == 413)
            #expect(try await HTTPClient.send("GET", href).status == 405)
            #expect(
                try await HTTPClient.send("POST", driver.order.sessionURL, json: [:]).status == 405
            )
            #expect(try await driver.prepare().methods.count == 3)
        }
    }
}
