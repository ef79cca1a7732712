import Foundation
import FoundationNetworking
import Sandbox
import TestSupport
import Testing

/// The sandbox's scripts in a merchant's own page, in a real browser.
@Suite struct SeamlessViewTests {
    private struct Created: Decodable {
        struct Operation: Decodable {
            let rel: String
            let href: String
        }

        let operations: [Operation]
    }

    /// Posts a document to the PSP's merchant API, and returns the address of one of the response's
    /// operations.
    private func post(_ url: String, _ body: String, _ rel: String) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, _) = try await URLSession.shared.data(for: request)
        let created = try JSONDecoder().decode(Created.self, from: data)
        return try #require(created.operations.first { $0.rel == rel }?.href)
    }

    /// Returns a page that loads a script, opens its view and records its events in `window.told`.
    private func page(_ script: String, _ function: String, _ events: [String]) -> String {
        let handlers = events.map { "\($0): (what) => told.push(['\($0)', what || {}])" }
        return """
            <!doctype html><title>Shop</title><div id="place"></div>
            <script src="\(script)"></script>
            <script>
            window.told = [];
            window.view = payex.hostedView.\(function)({
              container: "place", \(handlers.joined(separator: ", "))
            });
            view.open();
            </script>
            """
    }

    private let names = "told.map((entry) => entry[0]).join(' ')"

    @Test(.feature("D-04"))
    func `a payer checks in on the shop's page, which receives the profile reference`()
        async throws
    {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            let script = try await post(
                sandbox.baseURL + "/psp/consumers",
                """
                {"operation": "initiate-consumer-session", "language": "sv-SE",
                 "shippingAddressRestrictedToCountryCodes": ["SE"]}
                """,
                "view-consumer-identification"
            )
            let events = ["onConsumerIdentified", "onShippingDetailsAvailable", "onError"]
            try await browser.serve("/", page(script, "consumer", events))
            try await browser.open(browser.site + "/")
            try await browser.click("#identify", in: "/psp/consumers/")
            try await browser.wait(for: "told.length === 2")
            #expect(
                try await browser.evaluate(names).text
                    == "onConsumerIdentified onShippingDetailsAvailable"
            )
            let length = try await browser.evaluate("String(told[0][1].consumerProfileRef.length)")
            #expect(length.text == "32")
            try await browser.open(browser.site + "/")
            try await browser.click("#fail", in: "/psp/consumers/")
            try await browser.wait(for: "told.length === 1")
            #expect(try await browser.evaluate(names).text == "onError")
        }
        await sandbox.shutdown()
    }

    @Test(.feature("V-05"))
    func `a shop's page receives the view's events, and may cancel, close and resume it`()
        async throws
    {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            let site = browser.site
            let script = try await post(
                sandbox.baseURL + "/psp/paymentorders",
                """
                {"paymentorder": {"operation": "Purchase", "currency": "SEK", "amount": 10000,
                  "vatAmount": 2000, "description": "Shoes", "userAgent": "shop/1",
                  "language": "sv-SE",
                  "urls": {"hostUrls": ["\(site)/"], "completeUrl": "\(site)/complete",
                    "paymentUrl": "\(site)/", "termsOfServiceUrl": "\(site)/terms"},
                  "payeeInfo": {"payeeId": "shop", "payeeReference": "1001"}},
                 "sandbox": {"methods": ["Swish", "Trustly"]}}
                """,
                "view-paymentorder"
            )
            let events = [
                "onPaid", "onError", "onAborted", "onCheckoutLoaded", "onInstrumentSelected",
                "onPaymentAttemptStarted", "onPaymentAttemptAborted", "onTermsOfServiceRequested",
            ]
            try await browser.serve("/", page(script, "paymentMenu", events))
            try await browser.serve("/complete")
            try await browser.open(site + "/")
            try await browser.click("#method-Trustly", in: "/psp/menu/")
            try await browser.wait(for: "told.length === 3")
            #expect(
                try await browser.evaluate(names).text
                    == "onCheckoutLoaded onInstrumentSelected onCheckoutLoaded"
            )
            try await browser.click("#pay", in: "/psp/menu/")
            try await browser.wait(for: "document.title === 'Sandbox bank'")

            try await browser.open(site + "/")
            try await browser.wait(for: "told.length === 1")
            _ = try await browser.evaluate("view.cancel()")
            try await browser.wait(for: "told.length === 3")
            try await browser.click("#terms", in: "/psp/menu/")
            try await browser.wait(for: "told.length === 4")
            #expect(
                try await browser.evaluate(names).text
                    == "onCheckoutLoaded onPaymentAttemptAborted onCheckoutLoaded "
                    + "onTermsOfServiceRequested"
            )
            #expect(try await browser.evaluate("told[3][1].openUrl").text == site + "/terms")
            _ = try await browser.evaluate("view.close()")
            try await browser.wait(for: "document.querySelectorAll('iframe').length === 0")
            _ = try await browser.evaluate("view.resume()")
            try await browser.wait(for: "told.length === 5")
            try await browser.click("#method-Swish", in: "/psp/menu/")
            try await browser.wait(for: "!!document.getElementById('msisdn')", in: "/psp/menu/")
            _ = try await browser.evaluate(
                "document.getElementById('msisdn').value = '+46739000001'",
                in: "/psp/menu/"
            )
            try await browser.click("#pay", in: "/psp/menu/")
            try await browser.wait(for: "location.pathname === '/complete'")
            #expect(await sandbox.ledger.paidOrders == 1)
        }
        await sandbox.shutdown()
    }
}
