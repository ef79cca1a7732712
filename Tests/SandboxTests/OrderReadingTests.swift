import Testing

@testable import Sandbox

@Suite struct OrderReadingTests {
    @Test(arguments: [
        (
            "3.1", JSON?.none, "status", "Initialized",
            [
                "view-checkout", "redirect-checkout", "view-paymentsession", "update-order",
                "abort",
            ]
        ),
        (
            "2.0", "Checkout3", "status", "Initialized",
            [
                "view-checkout", "redirect-checkout", "view-paymentsession", "update-order",
                "abort",
            ]
        ),
        (
            "2.0", nil, "state", "Ready",
            [
                "view-paymentorder", "redirect-paymentorder", "view-paymentsession",
                "update-paymentorder-updateorder", "update-paymentorder-abort",
                "update-paymentorder-expandinstrument",
            ]
        ),
    ])
    func `the API version determines the names of the operations and of the status`(
        version: String,
        product: JSON?,
        member: String,
        status: String,
        rels: [String]
    )
        async throws
    {
        try await withSandbox { sandbox in
            let order = Bodies.freshOrder().setting("productName", to: product)
            let merchant = try await MerchantDriver(sandbox, version, order)
            #expect(merchant.created.order(member)?.text == status)
            #expect(merchant.created.rels == rels)
            #expect(merchant.created.order("instrumentMode") == false)
            #expect(
                merchant.created.order("availableInstruments")
                    == ["Swish", "CreditCard", "Invoice-PayExFinancingSe"]
            )
            let page = try await HTTPClient.send("GET", merchant.created.href(rels[1]))
            #expect(page.text.contains(version == "2.0" && product == nil ? "Menu(" : "checkout("))
        }
    }

    @Test func `parts of an order are links that can be read, or expanded`() async throws {
        try await withSandbox { sandbox in
            let order = Bodies.freshOrder().setting("metadata.shelf", to: 7)
                .setting("payer.payerReference", to: "payer-1")
                .setting("orderItems", to: [Bodies.item(10_000)])
            let merchant = try await MerchantDriver(sandbox, "3.1", order)
            try await merchant.pay("CreditCard")
            let plain = try await merchant.read()
            #expect(plain.order("paid") == ["id": .string(merchant.path + "/paid")])
            #expect(plain.order("payer.id")?.text == merchant.path + "/payers")
            #expect(plain.order("aborted") == nil)
            let names = [
                "orderItems", "urls", "payeeInfo", "payer", "history", "paid",
                "financialTransactions", "failedAttempts", "postPurchaseFailedAttempts", "metadata",
            ]
            let whole = try await merchant.read(names.joined(separator: ","))
            #expect(whole.order("paid.transactionType") == "Authorization")
            #expect(whole.order("metadata.shelf") == 7)
            #expect(whole.order("payer.payerReference") == "payer-1")
            #expect(whole.order("orderItems.orderItemList.0.name") == "Lamp")
            #expect(whole.order("history.historyList.0.name") == "PaymentCreated")
            #expect(
                whole.order("financialTransactions.financialTransactionsList.0.type")
                    == "Authorization"
            )
            for name in names {
                let link = try #require(plain.order("\(name).id")?.text)
                let part = try await HTTPClient.send("GET", sandbox.baseURL + link)
                #expect(part.status == 200)
                #expect(part.json?[name] == whole.order(name), "\(name)")
                #expect(part.json?["paymentOrder"]?.text == merchant.path)
            }
            let failed = merchant.url + "/failedpostpurchaseattempts"
            #expect(try await HTTPClient.send("GET", failed).status == 200)
            for missing in ["/aborted", "/secrets"] {
                #expect(try await HTTPClient.send("GET", merchant.url + missing).status == 404)
            }
            let unknown = try await HTTPClient.send("GET", merchant.url + "?$expand=paid,secrets")
            #expect(unknown.json?.value(at: "problems.0.name") == "$expand")
        }
    }

    @Test(arguments: [
        ("CreditCard", "Authorization", 10_000, 0, ["capture", "cancel"]),
        ("Swish", "Sale", 0, 10_000, ["reversal"]), ("Trustly", "Sale", 0, 10_000, ["reversal"]),
    ])
    func `a paid order lists what can still be captured, canceled and reversed`(
        method: String,
        type: String,
        capturable: Int,
        reversible: Int,
        rels: [String]
    )
        async throws
    {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(
                sandbox,
                scenario: ["methods": .strings([method])]
            )
            #expect(merchant.created.order("remainingCaptureAmount") == nil)
            try await merchant.pay(method)
            let paid = try await merchant.read("paid")
            #expect(paid.order("status") == "Paid")
            #expect(paid.order("instrument")?.text == method)
            #expect(paid.order("paid.transactionType")?.text == type)
            #expect(paid.order("paid.amount") == 10_000)
            #expect(paid.order("remainingCaptureAmount") == .integer(capturable))
            #expect(paid.order("remainingCancellationAmount") == .integer(capturable))
            #expect(paid.order("remainingReversalAmount") == .integer(reversible))
            #expect(paid.rels == rels)
        }
    }

    @Test func `an order of the second generation links to its paid resource`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox, "2.0")
            try await merchant.pay("CreditCard")
            let order = try await merchant.read()
            #expect(order.order("state") == "Ready")
            #expect(
                order.rels == [
                    "paid-paymentorder", "create-paymentorder-capture",
                    "create-paymentorder-cancel",
                ]
            )
            let paid = try await HTTPClient.send("GET", order.href("paid-paymentorder"))
            #expect(paid.json?.value(at: "paid.amount") == 10_000)
        }
    }

    @Test func `a sandbox with an access token refuses requests without it`() async throws {
        var configuration = SandboxConfiguration()
        configuration.accessToken = "secret-1"
        try await withSandbox(configuration) { sandbox in
            let url = sandbox.baseURL + "/psp/paymentorders"
            let body: JSON = ["paymentorder": Bodies.freshOrder()]
            let headers = [nil, "Bearer wrong", "secret-1", "Bearer secret-1"]
            var statuses: [Int] = []
            for header in headers {
                let response = try await HTTPClient.send(
                    "POST",
                    url,
                    json: body,
                    authorization: header
                )
                statuses.append(response.status)
            }
            #expect(statuses == [401, 401, 401, 201])
            #expect(try await HTTPClient.send("GET", url + "/unknown").status == 401)
        }
    }

    @Test(
        arguments: [
            ("amount", 9_999, "amount"), ("vatAmount", 1_999, "vatAmount"),
            ("orderItems.0.type", "GIFT", "orderItems.0.type"),
            ("orderItems.0.class", "with space", "orderItems.0.class"),
            ("orderItems.0.quantity", "1", "orderItems.0.quantity"),
            ("urls.callbackUrl", "http://shop.example/callback", "urls.callbackUrl"),
            ("paymentToken", "token", "payer.payerReference"), ("metadata", "text", "metadata"),
            (
                "enablePaymentDetailsConsentCheckbox", true, "enablePaymentDetailsConsentCheckbox"
            ),
            (
                "payeeInfo.orderReference", .string(String(repeating: "r", count: 51)),
                "payeeInfo.orderReference"
            ),
        ] as [(String, JSON, String)]
    )
    func `an order that breaks a rule of payment orders is refused, naming the field`(
        path: String,
        value: JSON,
        name: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            var order = Bodies.freshOrder()
            if path.hasPrefix("orderItems.0.") {
                let item = Bodies.item(10_000).setting(String(path.dropFirst(13)), to: value)
                order = order.setting("orderItems", to: [item])
            } else {
                order = order.setting("orderItems", to: [Bodies.item(10_000)])
                    .setting(path, to: value)
            }
            let response = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/psp/paymentorders",
                json: ["paymentorder": order]
            )
            #expect(response.status == 400)
            #expect(response.json?.value(at: "problems.0.name")?.text == "paymentorder." + name)
        }
    }
}
