import TestSupport
import Testing

@testable import Sandbox

@Suite struct OrderChangeTests {
    private static let waiting: JSON = ["swishWaitsForPayer": true]

    @Test(
        .feature("O-09"),
        arguments: [
            ("3.1", "set-instrument", "view-checkout"),
            ("2.0", "update-paymentorder-setinstrument", "view-paymentorder"),
        ]
    )
    func `a merchant changes the method of an order in instrument mode`(
        version: String,
        rel: String,
        view: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let order = Bodies.freshOrder().setting("instrument", to: "CreditCard")
            let merchant = try await MerchantDriver(sandbox, version, order)
            #expect(merchant.created.order("instrument") == "CreditCard")
            #expect(merchant.created.order("instrumentMode") == true)
            let body: JSON = [
                "paymentorder": ["operation": "SetInstrument", "instrument": "Swish"]
            ]
            let href = try merchant.created.href(rel)
            let response = try await HTTPClient.send("PATCH", href, json: body)
            let changed = Snapshot(json: try #require(response.json))
            #expect(changed.order("instrument") == "Swish")
            #expect(try changed.href(view) != merchant.created.href(view))
            let script = try await HTTPClient.send("GET", changed.href(view))
            let menu = try #require(script.text.firstMatch(of: /menuURL = "([^"]+)"/)?.1)
            let page = try await HTTPClient.send("GET", String(menu))
            #expect(page.text.contains("name=\"msisdn\""))
            #expect(!page.text.contains("method-CreditCard"))
            let unknown = try await merchant.patch("SetInstrument", ["instrument": "Shells"])
            #expect(unknown.json?.value(at: "problems.0.name") == "paymentorder.instrument")
        }
    }

    @Test func `the method cannot be set outside of instrument mode, nor after the payment`()
        async throws
    {
        try await withSandbox { sandbox in
            let open = try await MerchantDriver(sandbox)
            #expect(!open.created.rels.contains("set-instrument"))
            let body: [String: JSON] = ["instrument": "Swish"]
            let refused = try await open.patch("SetInstrument", body)
            #expect(refused.status == 403)
            #expect(refused.json?["detail"] == "The order is not in instrument mode.")
            let order = Bodies.freshOrder().setting("instrument", to: "CreditCard")
            let merchant = try await MerchantDriver(sandbox, "3.1", order)
            try await merchant.pay("CreditCard")
            #expect(try await merchant.patch("SetInstrument", body).status == 403)
            #expect(try await merchant.patch("Abort", ["abortReason": "Late"]).status == 403)
            let update = try await merchant.patch("UpdateOrder", ["amount": 1, "vatAmount": 0])
            #expect(update.status == 403)
            #expect(try await merchant.read().order("amount") == 10_000)
        }
    }

    @Test(arguments: ["3.1", "2.0"])
    func `a merchant changes an order's amount and items before the payment`(
        version: String
    ) async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox, version)
            let wrong = try await merchant.patch(
                "UpdateOrder",
                ["amount": 5000, "vatAmount": 1000, "orderItems": [Bodies.item(4000)]]
            )
            #expect(wrong.json?.value(at: "problems.0.name") == "paymentorder.amount")
            let changed = try await merchant.patch(
                "UpdateOrder",
                ["amount": 5000, "vatAmount": 1000, "orderItems": [Bodies.item(5000)]]
            )
            #expect(changed.json?.value(at: "paymentOrder.amount") == 5000)
            try await merchant.pay("Swish")
            let paid = try await merchant.read("paid,orderItems")
            #expect(paid.order("paid.amount") == 5000)
            #expect(paid.order("orderItems.orderItemList.0.amount") == 5000)
            #expect(try await merchant.ledger.capturedAmount == 5000)
        }
    }

    @Test func `an order cannot be aborted while the payer is in the Swish app`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox, scenario: Self.waiting)
            let driver = SessionDriver(
                sandbox: sandbox,
                id: merchant.id,
                sessionURL: try merchant.created.href("view-paymentsession")
            )
            _ = try await driver.start("Swish", Bodies.swish("+46739000001"))
            let running = try await merchant.read()
            #expect(!running.rels.contains("abort"))
            #expect(!running.rels.contains("update-order"))
            #expect(running.rels.contains("abort-paymentattempt"))
            #expect(try await merchant.patch("Abort", ["abortReason": "Late"]).status == 403)

            let ended = try await merchant.patch(
                "PaymentAttemptAborted",
                ["abortReason": "AbortedByUI"]
            )
            #expect(ended.json?.value(at: "paymentOrder.status") == "Initialized")
            let attempts = try await merchant.read("failedAttempts")
            #expect(attempts.order("failedAttempts.failedAttemptList.0.status") == "Aborted")
            let aborted = try await merchant.patch("Abort", ["abortReason": "CancelledByConsumer"])
            #expect(aborted.json?.value(at: "paymentOrder.status") == "Aborted")
            #expect(aborted.json?["operations"] == [])
        }
    }

    @Test func `an order of the second generation expands a method in its menu`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox, "2.0")
            let response = try await merchant.patch("ExpandInstrument", ["instrument": "Swish"])
            let changed = Snapshot(json: try #require(response.json))
            let script = try await HTTPClient.send("GET", changed.href("view-paymentorder"))
            let menu = try #require(script.text.firstMatch(of: /menuURL = "([^"]+)"/)?.1)
            let page = try await HTTPClient.send("GET", String(menu))
            #expect(page.text.contains("name=\"msisdn\""))
            #expect(page.text.contains("id=\"back\""))
        }
    }

    @Test func `an unknown operation on an order is refused, naming the field`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox)
            for operation in ["Steal", "Capture"] {
                let response = try await merchant.patch(operation)
                #expect(response.status == 400)
                #expect(response.json?.value(at: "problems.0.name") == "paymentorder.operation")
            }
            let empty = try await HTTPClient.send(
                "PATCH",
                merchant.url,
                json: ["paymentorder": [:]]
            )
            #expect(empty.json?.value(at: "problems.0.name") == "paymentorder.operation")
        }
    }

    @Test func `the faults of an order also apply to the merchant's requests`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(
                sandbox,
                scenario: [
                    "faults": [
                        ["rel": "order", "kind": "status", "status": 503],
                        ["rel": "abort", "kind": "noContent"],
                    ]
                ]
            )
            #expect(try await HTTPClient.send("GET", merchant.url).status == 503)
            #expect(try await merchant.read().order("status") == "Initialized")
            #expect(try await merchant.patch("Abort", ["abortReason": "Late"]).status == 204)
            #expect(try await merchant.read().order("status") == "Aborted")
            let rels = await sandbox.entries(of: merchant.id).map(\.rel)
            #expect(rels == ["order", "order", "abort", "order"])
        }
    }

    @Test func `an order whose creation response was lost exists, and its reference is used`()
        async throws
    {
        try await withSandbox { sandbox in
            let url = sandbox.baseURL + "/psp/paymentorders"
            func body(_ kind: String) -> JSON {
                [
                    "paymentorder": Bodies.freshOrder(),
                    "sandbox": ["faults": [["rel": "paymentorders", "kind": .string(kind)]]],
                ]
            }
            let lost = body("resetAfter")
            #expect(try await Curl.post(url, lost).exitCode != 0)
            let again = try await HTTPClient.send("POST", url, json: lost)
            #expect(again.json?.value(at: "problems.0.description") == "was used before")
            let early = body("resetBefore")
            #expect(try await Curl.post(url, early).exitCode != 0)
            #expect(try await HTTPClient.send("POST", url, json: early).status == 201)
            #expect(await sandbox.ledger.orders.count == 2)
        }
    }
}
