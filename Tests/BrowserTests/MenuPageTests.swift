import Adapters
import EventLog
import Foundation
import FoundationNetworking
import Sandbox
import SwedbankPay
import TestSupport
import Testing

/// The page with the payment menu in a real browser.
@Suite struct MenuPageTests {
    private func menu(_ browser: Browser, script: String) -> PaymentMenu {
        PaymentMenu(
            script: script,
            baseURL: browser.site + "/",
            completeURL: browser.site + "/complete",
            cancelURL: browser.site + "/cancel",
            paymentURL: browser.site + "/pay?id=1"
        )
    }

    /// Shows the page with a script that does something when the menu is opened.
    private func show(
        _ browser: Browser,
        opening act: String,
        change: (inout PaymentMenu) -> Void = { _ in }
    ) async throws {
        try await browser.serve(
            "/menu.js",
            """
            window.payex = { hostedView: { checkout: (settings) => ({ open: () => {
              window.given = JSON.stringify(settings);
              const place = document.getElementById(settings.container.checkout);
              \(act)
            } }) } };
            """,
            headers: [("Content-Type", "text/javascript")]
        )
        for path in ["/complete", "/cancel"] { try await browser.serve(path) }
        var menu = menu(browser, script: browser.issuer + "/menu.js")
        change(&menu)
        let page = try Page.menu(
            menu,
            limit: .seconds(2),
            reporting: PageReporting(resultURL: nil),
            allowsInsecureLoopback: true
        )
        try await browser.serve(page, at: "/")
        try await browser.open(browser.site + "/")
    }

    @Test func `the script is started in the page's container, with the host's style`() async throws
    {
        try await withBrowser { browser in
            try await show(browser, opening: "place.textContent = 'the menu';") { menu in
                menu.culture = "sv-SE"
                menu.style = .object([
                    .init("button", .object([.init("color", .string("</script>"))]))
                ])
            }
            try await browser.wait(toldBy: "shown")
            let text = "document.getElementById('payment-menu').textContent"
            #expect(try await browser.evaluate(text) == .text("the menu"))
            let given = try await browser.evaluate("window.given").text
            #expect(
                given == #"{"integration":"App","container":{"checkout":"payment-menu"},"#
                    + #""culture":"sv-SE","style":{"button":{"color":"</script>"}}}"#
            )
        }
    }

    @Test(.feature("O-03", "N-49"))
    func `a payer who has paid goes to the complete address`() async throws {
        try await withBrowser { browser in
            try await show(browser, opening: "settings.onPaid({ id: '/psp/x' });")
            try await browser.wait(for: "location.pathname === '/complete'")
            let rules = try MenuNavigation(menu(browser, script: browser.issuer + "/menu.js"))
            let last = try #require(try await browser.navigations().last)
            #expect(rules.decision(for: last) == .completed)
        }
    }

    @Test func `onPaid with the cancel address ends as canceled`() async throws {
        try await withBrowser { browser in
            let cancel = browser.site + "/cancel"
            try await show(browser, opening: "settings.onPaid({ redirectUrl: '\(cancel)' });")
            try await browser.wait(for: "location.pathname === '/cancel'")
        }
    }

    @Test(.feature("V-03"))
    func `a script error is reported as failed and can be retried`() async throws {
        try await withBrowser { browser in
            try await show(
                browser,
                opening: """
                    window.count = (window.count || 0) + 1;
                    window.addEventListener("message", (event) => { window.heard = event.data; });
                    if (window.count === 1) {
                      settings.onError({ origin: "checkout", messageId: "m-1", details: "<b>no</b>" });
                    }
                    """
            )
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed script-error")
            let trouble = "document.getElementById('page-trouble').innerText"
            let shown = try await browser.evaluate(trouble).text
            #expect(shown.contains("The page could not be loaded."))
            try await browser.click("#page-retry")
            try await browser.wait(toldBy: "shown")
            #expect(try await browser.evaluate("window.count") == .number(2))
        }
    }

    @Test(
        .feature("V-04"),
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough
            ? ["broken", "unusable", "hang", "throwing"] : ["unusable", "throwing"]
    )
    func `an unusable script fails the menu with its reason`(kind: String) async throws {
        try await withBrowser { browser in
            let type = [("Content-Type", "text/javascript")]
            switch kind {
            case "broken": try await browser.serve("/menu.js", status: 500)
            case "unusable":
                try await browser.serve("/menu.js", "window.payex = {};", headers: type)
            case "hang": try await browser.serve("/menu.js", behaviour: "hang")
            default:
                try await browser.serve(
                    "/menu.js",
                    "window.payex = { hostedView: { checkout: () => { throw new Error('no'); } } };",
                    headers: type
                )
            }
            try await browser.serve("/result")
            let page = try Page.menu(
                menu(browser, script: browser.issuer + "/menu.js"),
                limit: .milliseconds(700),
                reporting: PageReporting(resultURL: browser.site + "/result"),
                allowsInsecureLoopback: true
            )
            try await browser.serve(page, at: "/")
            try await browser.open(browser.site + "/")
            try await browser.wait(for: "location.pathname === '/result'")
            let result = try #require(try await browser.navigations().last)
            let event = PageEvent(url: result, resultURL: browser.site + "/result")
            let reasons = [
                "broken": "script-load", "unusable": "script-unusable", "hang": "timeout",
                "throwing": "script-error",
            ]
            #expect(event == PageEvent(event: "failed", reason: reasons[kind]))
        }
    }

    @Test func `the menu's script may load from its own server and no other`() async throws {
        try await withBrowser { browser in
            let evil = browser.site.replacing("127.0.0.1", with: "evil.localhost")
            try await browser.serve("/evil")
            try await browser.serve("/menu")
            try await show(
                browser,
                opening: """
                    for (const url of ["\(evil)/evil", "\(browser.issuer)/menu"]) {
                      const frame = document.createElement("iframe");
                      frame.src = url;
                      place.append(frame);
                    }
                    fetch("\(evil)/evil").catch(() => { window.refused = true; });
                    """
            )
            try await browser.wait(for: "window.refused")
            try await browser.wait(for: "!!document.body", in: "/menu")
            #expect(try await browser.requests(to: "/evil").isEmpty)
        }
    }

    @Test(.feature("D-09", "N-36")) func `the sandbox's menu is shown in the page`() async throws {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            let script = try await Self.menuScript(of: SandboxOrder(), sandbox)
            let page = try Page.menu(
                menu(browser, script: script),
                allowsInsecureLoopback: true
            )
            try await browser.serve(page, at: "/")
            try await browser.open(browser.site + "/")
            try await browser.wait(toldBy: "shown")
            let size = "document.getElementById('payment-menu').childNodes.length > 0"
            #expect(try await browser.evaluate(size) == .bool(true))
        }
        await sandbox.shutdown()
    }

    /// Returns the address of the script that an order's session offers.
    static func menuScript(
        of order: SandboxOrder,
        _ sandbox: SandboxServer
    ) async throws -> String {
        let created = try await sandbox.createOrder(order)
        let first = try await snapshot(created.sessionURL)
        let prepare = href("prepare-payment", in: first)
        let ready = try await snapshot(
            prepare,
            posting: """
                {"integration":"App","deviceAcceptedWallets":"ClickToPay",\
                "client":{"userAgent":"test/1","screenHeight":1,"screenWidth":1,"screenColorDepth":24},\
                "browser":{"acceptHeader":"*/*","language":"sv-SE","timeZoneOffset":0,\
                "javascriptEnabled":true},"service":{"name":"test","version":"1"},\
                "presentationSdk":{"name":"test","version":"1"}}
                """
        )
        return href("view-payment", in: ready)
    }

    private static func href(_ rel: String, in snapshot: Answer) -> String {
        snapshot["operations"]?.list.first { $0["rel"]?.text == rel }?["href"]?.text ?? ""
    }

    private static func snapshot(_ url: String, posting body: String? = nil) async throws -> Answer
    {
        var request = URLRequest(url: try #require(URL(string: url)))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}
