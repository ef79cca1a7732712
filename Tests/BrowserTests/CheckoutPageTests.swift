import Adapters
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing

/// The page of an order, shown by the function of its API generation, in a real browser.
@Suite struct CheckoutPageTests {
    /// Shows a page whose script has one function, which does something when it is opened.
    private func show(
        _ browser: Browser,
        _ function: PaymentMenu.Function,
        offering offered: PaymentMenu.Function,
        opening act: String,
        overridesTerms: Bool = false
    ) async throws {
        try await browser.serve(
            "/order.js",
            """
            window.payex = { hostedView: { \(offered.rawValue): (settings) => ({ open: () => {
              window.given = Object.keys(settings).sort().join(",");
              \(act)
            } }) } };
            """,
            headers: [("Content-Type", "text/javascript")]
        )
        var menu = PaymentMenu(
            script: browser.issuer + "/order.js",
            baseURL: browser.site + "/",
            completeURL: browser.site + "/complete",
            cancelURL: browser.site + "/cancel",
            termsOfServiceURL: browser.site + "/terms"
        )
        menu.function = function
        menu.overridesTermsOfService = overridesTerms
        let page = try Page.menu(menu, limit: .seconds(2), allowsInsecureLoopback: true)
        try await browser.serve(page, at: "/")
        try await browser.open(browser.site + "/")
    }

    @Test(arguments: PaymentMenu.Function.allCases)
    func `an order is shown by its generation's script function and by no other`(
        function: PaymentMenu.Function
    ) async throws {
        try await withBrowser { browser in
            try await show(browser, function, offering: function, opening: "window.opened = true;")
            try await browser.wait(toldBy: "shown")
            #expect(try await browser.evaluate("window.opened") == .bool(true))
            let other: PaymentMenu.Function = function == .checkout ? .paymentMenu : .checkout
            try await show(browser, function, offering: other, opening: "")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed script-unusable")
        }
    }

    @Test func `a request for terms that the host shows itself is reported, and the page stays`()
        async throws
    {
        try await withBrowser { browser in
            try await show(
                browser,
                .checkout,
                offering: .checkout,
                opening: "setTimeout(() => settings.onTermsOfServiceRequested({}), 50);",
                overridesTerms: true
            )
            try await browser.wait(toldBy: "terms")
            #expect(try await browser.evaluate("location.pathname") == .text("/"))
            try await show(browser, .checkout, offering: .checkout, opening: "")
            try await browser.wait(toldBy: "shown")
            let given = try await browser.evaluate("window.given").text
            #expect(!given.contains("onTermsOfServiceRequested"), "\(given)")
        }
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough ? [CheckoutGeneration.v3, .v2] : [.v3]
    )
    func `an order of either generation is paid on its page in a browser`(
        generation: CheckoutGeneration
    ) async throws {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            for path in ["/complete", "/cancel"] { try await browser.serve(path) }
            let script = try await self.script(of: generation, sandbox, browser)
            var menu = PaymentMenu(
                script: script,
                baseURL: browser.site + "/",
                completeURL: browser.site + "/complete",
                cancelURL: browser.site + "/cancel"
            )
            menu.function = generation == .v2 ? .paymentMenu : .checkout
            let page = try Page.menu(menu, allowsInsecureLoopback: true)
            try await browser.serve(page, at: "/")
            try await browser.open(browser.site + "/")
            try await browser.wait(toldBy: "shown")
            try await browser.click("#method-Invoice-PayExFinancingSe", in: "/psp/menu/")
            try await browser.wait(for: "!!document.getElementById('pay')", in: "/psp/menu/")
            try await browser.click("#pay", in: "/psp/menu/")
            try await browser.wait(for: "location.pathname === '/complete'")
            #expect(await sandbox.ledger.paidOrders == 1)
        }
        await sandbox.shutdown()
    }

    /// Returns the script of an order that a merchant has created.
    private func script(
        of generation: CheckoutGeneration,
        _ sandbox: SandboxServer,
        _ browser: Browser
    ) async throws -> String {
        let loop = try UVLoop(name: "merchant")
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: options)
        var payOptions = SwedbankPayOptions()
        payOptions.allowsInsecureLoopback = true
        let client = try PaymentOrderClient(
            root: sandbox.baseURL,
            transport: transport,
            access: OrderAccess(
                accessToken: { _ in "any" },
                version: generation == .v2 ? .v2_0 : .v3_1
            ),
            options: payOptions
        )
        let product = generation == .v2 ? "" : #""productName":"Checkout3","#
        let order = try await client.create(
            """
            {"operation":"Purchase",\(product)"currency":"SEK","amount":10000,"vatAmount":2000,
             "description":"Lamp","language":"sv-SE","userAgent":"shop/1",
             "urls":{"hostUrls":["\(browser.site)/"],"completeUrl":"\(browser.site)/complete",
             "cancelUrl":"\(browser.site)/cancel"},
             "payeeInfo":{"payeeId":"shop","payeeReference":"r1"}}
            """
        )
        let rel: Rel = generation == .v2 ? .viewPaymentOrder : .viewCheckout
        let script = try order.required(rel).href
        await transport.shutdown()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                loop.shutdown()
                continuation.resume()
            }
        }
        return script
    }
}
