import Testing

@testable import Sandbox

/// The hosted menu's messages to the page around it, beside the end of the payment.
@Suite struct MenuEventTests {
    private func menu(_ merchant: MerchantDriver) async throws -> String {
        let href = try merchant.created.href("view-checkout")
        let script = try await HTTPClient.send("GET", href)
        return String(try #require(script.text.firstMatch(of: /menuURL = "([^"]+)"/)?.1))
    }

    private func press(_ url: String, _ form: String) async throws -> [String?] {
        let response = try await HTTPClient.send("POST", url, form: form)
        let text = try #require(response.text.firstMatch(of: /data-events="([^"]*)"/)?.1)
        let json = text.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        guard case .array(let events)? = JSON(bytes: Array(json.utf8)) else { return [] }
        return events.map { $0["event"]?.text }
    }

    @Test func `each step of the payer in the menu sends its events in order`() async throws {
        try await withSandbox { sandbox in
            let order = Bodies.freshOrder()
                .setting("urls.termsOfServiceUrl", to: "https://shop.example/terms")
            let merchant = try await MerchantDriver(
                sandbox,
                "3.1",
                order,
                scenario: ["methods": ["Swish", "Trustly"]]
            )
            let url = try await menu(merchant)
            let page = try await HTTPClient.send("GET", url)
            #expect(page.text.contains("id=\"terms\""))
            #expect(page.text.contains("https://shop.example/terms"))
            #expect(page.text.contains("id=\"outOfViewOpen\""))
            #expect(!page.text.contains("id=\"form-abandon\""))
            #expect(try await press(url + "/choose", "method=Trustly") == ["selected", "loaded"])
            #expect(try await press(url + "/pay", "method=Trustly") == ["attemptStarted", "leave"])
            let away = try await HTTPClient.send("GET", url)
            #expect(away.text.contains("id=\"form-abandon\""))
            #expect(try await press(url + "/choose", "") == ["attemptAborted", "loaded"])
            #expect(
                try await press(url + "/pay", "method=Swish&msisdn=%2B46739000001")
                    == ["attemptStarted", "paid"]
            )
            let attempts = try await merchant.read("failedAttempts,history")
            #expect(attempts.order("failedAttempts.failedAttemptList.0.status") == "Aborted")
            #expect(attempts.order("history.historyList.1.name") == "PaymentLoaded")
            #expect(attempts.order("history.historyList.2.name") == "PaymentInstrumentSelected")
        }
    }

    @Test func `the script contains every event and function of the seamless view`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox)
            let script = try await HTTPClient.send("GET", merchant.created.href("view-checkout"))
            for name in [
                "onPaid", "onError", "onAborted", "onCheckoutLoaded", "onCheckoutResized",
                "onInstrumentSelected", "onOutOfViewOpen", "onOutOfViewRedirect",
                "onPaymentAttemptStarted", "onPaymentAttemptFailed", "onPaymentAttemptAborted",
                "onTermsOfServiceRequested", "onEventNotification", "open: open",
                "refresh: refresh", "update: refresh", "resume: resume", "close: close",
                "cancel: cancel", "checkout: view", "paymentMenu: view",
            ] {
                #expect(script.text.contains(name), "\(name)")
            }
        }
    }
}
