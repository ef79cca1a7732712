import Testing

@testable import Sandbox

@Suite struct OrderTests {
    private func create(
        _ sandbox: SandboxServer,
        _ order: JSON,
        _ scenario: JSON? = nil
    )
        async throws -> Answer
    {
        var body: [String: JSON] = ["paymentorder": order]
        body["sandbox"] = scenario
        return try await HTTPClient.send(
            "POST",
            sandbox.baseURL + "/psp/paymentorders",
            json: .object(body)
        )
    }

    @Test
    func `a merchant creates an order and reads its payment and the failed attempt before it`()
        async throws
    {
        try await withSandbox { sandbox in
            let order = Bodies.order.setting("payer.payerReference", to: "payer-1")
                .setting("amount", to: 900_361)
            let created = try await create(sandbox, order, ["swishApprovalMilliseconds": 0])
            #expect(created.status == 201)
            let document = try #require(created.json)
            #expect(document.value(at: "paymentOrder.state") == "Ready")
            let operations = Snapshot(json: document)
            #expect(
                operations.rels == [
                    "view-paymentorder", "redirect-paymentorder", "view-paymentsession",
                    "update-paymentorder-updateorder", "update-paymentorder-abort",
                    "update-paymentorder-expandinstrument",
                ]
            )
            let script = try await HTTPClient.send("GET", operations.href("view-paymentorder"))
            #expect(script.text.contains("hostedView"))

            let path = try #require(document.value(at: "paymentOrder.id")?.text)
            let driver = SessionDriver(
                sandbox: sandbox,
                id: String(path.dropFirst("/psp/paymentorders/".count)),
                sessionURL: try operations.href("view-paymentsession")
            )
            try await driver.acknowledge(driver.startCard(ending: "0004"))
            let paid = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(paid.redirect == "https://shop.example/complete")

            let seen = try await HTTPClient.send(
                "GET",
                sandbox.baseURL + path + "?$expand=paid,failedAttempts"
            )
            let view = try #require(seen.json?["paymentOrder"])
            #expect(view["state"] == "Ready")
            #expect(view.value(at: "paid.instrument") == "Swish")
            #expect(view.value(at: "paid.transactionType") == "Sale")
            #expect(view.value(at: "paid.amount") == 900_361)
            let failed = view.value(at: "failedAttempts.failedAttemptList.0")
            #expect(failed?["status"] == "Failed")
            #expect(
                failed?.value(at: "problem.type")?.text
                    == ProblemDetail.typePrefix + "creditcard/acquirerinsufficientfunds"
            )
            #expect(
                Snapshot(json: try #require(seen.json)).rels == [
                    "paid-paymentorder", "create-paymentorder-reversal",
                ]
            )
        }
    }

    @Test func `a merchant aborts an order once`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let url = sandbox.baseURL + "/psp/paymentorders/" + driver.order.id
            let body: JSON = ["paymentorder": ["operation": "Abort", "abortReason": "Sold out"]]
            let wrong = try await HTTPClient.send("PATCH", url, json: ["paymentorder": [:]])
            #expect(wrong.status == 400)
            let aborted = try await HTTPClient.send("PATCH", url, json: body)
            #expect(aborted.json?.value(at: "paymentOrder.status") == "Aborted")
            let part = try await HTTPClient.send("GET", url + "/aborted")
            #expect(part.json?.value(at: "aborted.abortReason") == "Sold out")
            #expect(try await HTTPClient.send("PATCH", url, json: body).status == 403)
            let unknown = sandbox.baseURL + "/psp/paymentorders/unknown"
            #expect(try await HTTPClient.send("GET", unknown).status == 404)
        }
    }

    @Test(arguments: [
        ("operation", JSON?.none), ("operation", "Steal"), ("currency", "sek"), ("amount", 0),
        ("amount", "100"), ("vatAmount", 10_001), ("vatAmount", -1), ("description", nil),
        ("description", .string(String(repeating: "d", count: 41))), ("userAgent", nil),
        ("language", nil), ("urls.completeUrl", "shop"), ("urls.hostUrls", nil),
        ("urls.paymentUrl", "ftp://shop.example/"), ("payeeInfo.payeeId", nil),
        ("payeeInfo.payeeReference", "with space"),
        ("payeeInfo.payeeReference", "with-hyphen"),
        ("payeeInfo.payeeReference", .string(String(repeating: "r", count: 31))),
        ("payer.msisdn", "0739000001"),
    ])
    func `an order with a wrong field is refused, naming the field`(
        path: String,
        value: JSON?
    ) async throws {
        try await withSandbox { sandbox in
            let response = try await create(sandbox, Bodies.order.setting(path, to: value))
            #expect(response.status == 400)
            #expect(response.json?["type"]?.text == ProblemDetail.typePrefix + "inputerror")
            #expect(response.json?.value(at: "problems.0.name")?.text == "paymentorder." + path)
            #expect(await sandbox.ledger.orders.isEmpty)
        }
    }

    @Test(
        arguments: [
            (["methods": []], "paymentorder.sandbox.methods"),
            (["savedCards": ["1"]], "paymentorder.sandbox.savedCards"),
            (["abortDuringAttempt": "maybe"], "sandbox.abortDuringAttempt"),
            (["swish": true], "sandbox.swish"),
            (["faults": [["rel": "session", "kind": "meteor"]]], "sandbox.faults.0.kind"),
            (["faults": [["rel": "pay", "kind": "hang"]]], "sandbox.faults.0.rel"),
            (["faults": [["rel": "session", "kind": "status"]]], "sandbox.faults.0.status"),
            (["faults": [["rel": "session", "kind": "hang", "nth": 0]]], "sandbox.faults.0.nth"),
        ] as [(JSON, String)]
    )
    func `an order with an invalid scenario is refused, naming the field`(
        scenario: JSON,
        name: String
    ) async throws {
        try await withSandbox { sandbox in
            let response = try await create(sandbox, Bodies.order, scenario)
            #expect(response.status == 400)
            #expect(response.json?.value(at: "problems.0.name")?.text == name)
        }
    }

    @Test func `a payee reference is accepted for one order only, also in process`() async throws {
        try await withSandbox { sandbox in
            var order = SandboxOrder()
            order.payeeReference = "1001"
            _ = try await sandbox.createOrder(order)
            await #expect(
                throws: SandboxError.refused(
                    fields: ["paymentorder.payeeInfo.payeeReference"],
                    detail: "Input validation failed, error description in problems node!"
                )
            ) {
                _ = try await sandbox.createOrder(order)
            }
        }
    }

    @Test func `a full sandbox refuses new orders`() async throws {
        var configuration = SandboxConfiguration()
        configuration.maximumOrders = 1
        try await withSandbox(configuration) { sandbox in
            _ = try await sandbox.createOrder()
            #expect(try await create(sandbox, Bodies.order).status == 503)
        }
    }
}
