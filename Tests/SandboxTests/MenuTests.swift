import TestSupport
import Testing

@testable import Sandbox

@Suite struct MenuTests {
    private static let complete: JSON = "https://shop.example/complete"

    /// The menu of a session: the page that the script of `view-payment` shows in a frame.
    private struct Visitor {
        let driver: SessionDriver
        let address: String

        init(_ sandbox: SandboxServer, _ order: SandboxOrder) async throws {
            try await self.init(SessionDriver(sandbox, order))
        }

        init(_ driver: SessionDriver) async throws {
            self.driver = driver
            var snapshot = try await driver.get()
            if snapshot.rels == ["prepare-payment"] { snapshot = try await driver.prepare() }
            let script = try await HTTPClient.send("GET", snapshot.href("view-payment"))
            let address = script.text.firstMatch(of: /menuURL = "([^"]+)"/)
            self.address = String(try #require(address?.1))
        }

        func open() async throws -> Answer { try await HTTPClient.send("GET", address) }

        func press(
            _ button: String,
            _ fields: KeyValuePairs<String, String> = [:]
        ) async throws
            -> Answer
        {
            let form = fields.map { "\($0.key)=\(FormText.escaped($0.value))" }
            return try await HTTPClient.send(
                "POST",
                "\(address)/\(button)",
                form: form.joined(separator: "&")
            )
        }

        func payByCard(_ number: String, consent: Bool = false) async throws -> Answer {
            try await press(
                "pay",
                [
                    "method": "CreditCard", "cardNumber": number, "expiryDate": "12 / 30",
                    "cvc": "123", "consent": consent ? "yes" : "",
                ]
            )
        }
    }

    private func order(_ methods: [String] = ["Swish", "CreditCard", "Trustly"]) -> SandboxOrder {
        SandboxOrder(payerReference: "payer-1", scenario: Scenario(methods: methods))
    }

    /// Returns the page's messages to the page around it, in order.
    private func told(_ response: Answer) throws -> [JSON] {
        let text = try #require(response.text.firstMatch(of: /data-events="([^"]*)"/)?.1)
        let json = text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        guard case .array(let events)? = JSON(bytes: Array(json.utf8)) else { return [] }
        let asides = ["selected", "attemptStarted", "attemptAborted"]
        return events.filter { !asides.contains($0["event"]?.text ?? "") }
    }

    @Test func `any page may load the menu's script, and the menu has a strict security policy`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, order())
            let script = try await HTTPClient.send(
                "GET",
                driver.prepare().href("view-payment")
            )
            #expect(script.headers["content-type"]?.hasPrefix("application/javascript") == true)
            #expect(script.headers["access-control-allow-origin"] == "*")
            for name in ["payex.hostedView", "menu: view", "onPaid", "onError", "onAborted"] {
                #expect(script.text.contains(name), "\(name)")
            }
            #expect(script.text.contains("menuOrigin = \"\(sandbox.baseURL)\""))
            let page = try await Visitor(driver).open()
            let policy = try #require(page.headers["content-security-policy"])
            let nonce = try #require(page.text.firstMatch(of: /script nonce="(\w+)"/)?.1)
            #expect(policy.contains("script-src 'nonce-\(nonce)'"))
            #expect(policy.contains("default-src 'none'"))
        }
    }

    @Test func `a payer chooses a method, types in a card and pays`() async throws {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            let menu = try await visitor.open()
            for id in ["method-Swish", "method-CreditCard", "method-Trustly", "cancel"] {
                #expect(menu.text.contains("id=\"\(id)\""))
            }
            let form = try await visitor.press("choose", ["method": "CreditCard"])
            #expect(try told(form).first?["instrument"] == "CreditCard")
            #expect(form.text.contains("id=\"card-1\""))
            #expect(form.text.contains("name=\"consent\""))
            let paid = try await visitor.payByCard("4925 0000 0000 0004")
            #expect(try told(paid).first?["event"] == "paid")
            #expect(try told(paid).first?["redirectUrl"] == Self.complete)
            let session = try await visitor.driver.get()
            #expect(session.redirect == "https://shop.example/complete")
            let ledger = try await visitor.driver.ledger
            #expect(ledger.attempts.map(\.method) == ["CreditCard"])
            #expect(ledger.authorizedAmount == 10_000)
        }
    }

    @Test(.feature("N-21"))
    func `a challenge in the menu can be declined, and the next one approved`() async throws {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            let asked = try await visitor.payByCard("5226612199533406")
            #expect(asked.text.contains("id=\"approve\""))
            #expect(try await visitor.driver.get().problemType == nil)
            let declined = try await visitor.press("decline")
            #expect(try told(declined).last?["event"] == "attemptFailed")
            #expect(declined.text.contains("role=\"alert\""))
            _ = try await visitor.payByCard("5226612199533406")
            let paid = try await visitor.press("approve")
            #expect(try told(paid).first?["event"] == "paid")
            let ledger = try await visitor.driver.ledger
            #expect(ledger.attempts.map(\.state) == [.failed, .paid])
        }
    }

    @Test func `a card that is stored with the payer's consent is offered next time`() async throws
    {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            _ = try await visitor.payByCard("4111112000006545", consent: true)
            _ = try await visitor.press("approve")
            let next = try await SessionDriver(sandbox, order()).prepare()
            #expect(next.cards.first?.masked == "411111******6545")
            let other = try await Visitor(sandbox, order())
            _ = try await other.payByCard("377601000000000")
            let last = try await SessionDriver(sandbox, order()).prepare()
            #expect(last.cards.first?.masked == "411111******6545")
        }
    }

    @Test(arguments: [(true, false), (true, true), (false, false)])
    func `the card form follows customize-payment`(hides: Bool, asks: Bool) async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, order())
            let href = try await driver.prepare().href("customize-payment")
            let body = Bodies.customize("CreditCard")
                .setting("hideStoredPaymentOptions", to: .bool(hides))
                .setting("showConsentAffirmation", to: .bool(asks))
            _ = try await driver.post(href, body)
            let page = try await Visitor(driver).open()
            #expect(page.text.contains("name=\"cardNumber\""))
            #expect(page.text.contains("id=\"card-1\"") == !hides)
            #expect(page.text.contains("name=\"consent\"") == asks)
            #expect(!page.text.contains("id=\"back\""))
        }
    }

    @Test(arguments: [
        ("4925000000000000", "12/30", "123"), ("4925000000000004", "13/30", "123"),
        ("4925000000000004", "1230", "123"), ("4925000000000004", "12/30", "12"),
    ])
    func `invalid card details are asked for again and start no attempt`(
        number: String,
        expiry: String,
        code: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            let again = try await visitor.press(
                "pay",
                [
                    "method": "CreditCard", "cardNumber": number, "expiryDate": expiry, "cvc": code,
                ]
            )
            #expect(again.text.contains("role=\"alert\""))
            #expect(again.text.contains("name=\"cardNumber\""))
            #expect(try await visitor.driver.ledger.attempts.isEmpty)
        }
    }

    @Test func `a magic amount declines the card in the menu, and another method can pay`()
        async throws
    {
        try await withSandbox { sandbox in
            var order = order()
            order.amount = 900_361
            let visitor = try await Visitor(sandbox, order)
            let declined = try await visitor.payByCard("4925000000000004")
            #expect(declined.text.contains("REJECTED_BY_ACQUIRER_INSUFFICIENT_FUNDS"))
            let session = try await visitor.driver.get()
            #expect(session.problemType == nil)
            #expect(session.rels.contains("customize-payment"))
            let paid = try await visitor.press(
                "pay",
                ["method": "Swish", "msisdn": "+46739000001"]
            )
            #expect(try told(paid).first?["event"] == "paid")
            #expect(
                try await visitor.driver.ledger.attempts.map(\.method) == ["CreditCard", "Swish"]
            )
        }
    }

    @Test func `a payer who cancels in the menu goes to the cancel page, and the order is aborted`()
        async throws
    {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            let canceled = try await visitor.press("cancel")
            #expect(try told(canceled).first?["event"] == "canceled")
            #expect(try told(canceled).first?["redirectUrl"] == "https://shop.example/cancel")
            #expect(try await visitor.driver.get().redirect == "https://shop.example/cancel")
            #expect(try await visitor.driver.ledger.status == "Aborted")
            let reopened = try await visitor.open()
            #expect(try told(reopened).first?["event"] == "canceled")
        }
    }

    @Test func `a menu that fails reports an error and does not end the order`() async throws {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            let broken = try await visitor.press("fail")
            let event = try #require(try told(broken).first)
            #expect(event["event"] == "error")
            #expect(event["origin"] == "paymentmenu")
            #expect(event["messageId"] == "menufailed")
            #expect(try await visitor.driver.get().rels.contains("view-payment"))
        }
    }

    @Test(arguments: [("approve", "paid"), ("cancel", "loaded")])
    func `a method with pages of its own leads to the bank and back to the payment URL`(
        decision: String,
        event: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            var order = order()
            // The payer returns to a public address of the test.
            order.urls.paymentURL = sandbox.baseURL + "/sandbox/ledger"
            let visitor = try await Visitor(sandbox, order)
            let leaving = try await visitor.press("pay", ["method": "Trustly"])
            let bank = try #require(try told(leaving).first?["redirectUrl"]?.text)
            #expect(try told(leaving).first?["event"] == "leave")
            #expect(try await HTTPClient.send("GET", bank).text.contains("id=\"approve\""))
            #expect(try await visitor.driver.get().redirect == nil)
            let back = try await HTTPClient.send("POST", "\(bank)/\(decision)")
            #expect(back.url == order.urls.paymentURL)
            let menu = try await visitor.open()
            #expect(try told(menu).first?["event"]?.text == event)
            let states = try await visitor.driver.ledger.attempts.map(\.state)
            #expect(states == [decision == "approve" ? .paid : .failed])
        }
    }

    @Test func `a payer who comes back from the bank undecided may choose again`() async throws {
        try await withSandbox { sandbox in
            let visitor = try await Visitor(sandbox, order())
            _ = try await visitor.press("pay", ["method": "Trustly"])
            let menu = try await visitor.open()
            #expect(try told(menu).first?["event"] == "loaded")
            #expect(menu.text.contains("id=\"method-Trustly\""))
        }
    }

    @Test(arguments: [
        ("pay", "paid", "Paid"), ("cancel", "canceled", "Aborted"),
        ("decline", "loaded", "Initialized"), ("fail", "error", "Initialized"),
    ])
    func `a test plays the payer in the menu without a browser`(
        action: String,
        event: String,
        status: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, order())
            _ = try await driver.prepare()
            let token = try #require(
                driver.order.sessionURL.firstMatch(of: /paymentsessions\/(\w+)/)?.1
            )
            let response = try await HTTPClient.send(
                "POST",
                "\(sandbox.baseURL)/sandbox/menu/\(token)/\(action)?method=Trustly"
            )
            #expect(response.json?["status"]?.text == status)
            #expect(response.json?.value(at: "told.event")?.text == event)
            #expect(try await driver.ledger.status == status)
        }
    }
}
