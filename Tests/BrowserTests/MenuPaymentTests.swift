import Adapters
import Sandbox
import TestSupport
import Testing

/// Payments in the hosted menu, clicked through in a real browser.
@Suite struct MenuPaymentTests {
    /// Shows the menu of an order whose addresses are on the test's own web server.
    private func show(
        _ browser: Browser,
        _ sandbox: SandboxServer,
        methods: [String] = ["CreditCard", "Swish", "Trustly"]
    ) async throws -> MenuNavigation {
        var order = SandboxOrder()
        order.scenario.methods = methods
        order.urls.hostURLs = [browser.site + "/"]
        order.urls.completeURL = browser.site + "/complete"
        order.urls.cancelURL = browser.site + "/cancel"
        order.urls.paymentURL = browser.site + "/pay?id=1"
        for path in ["/complete", "/cancel"] { try await browser.serve(path) }
        let menu = PaymentMenu(
            script: try await MenuPageTests.menuScript(of: order, sandbox),
            baseURL: order.urls.hostURLs.first,
            completeURL: order.urls.completeURL,
            cancelURL: order.urls.cancelURL,
            paymentURL: order.urls.paymentURL
        )
        let page = try Page.menu(menu, allowsInsecureLoopback: true)
        for path in ["/", "/pay"] { try await browser.serve(page, at: path) }
        try await browser.open(browser.site + "/")
        try await browser.wait(toldBy: "shown")
        return try MenuNavigation(menu)
    }

    private func withMenu(
        _ act: (Browser, SandboxServer, MenuNavigation) async throws -> Void
    ) async throws {
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        try await withBrowser { browser in
            let rules = try await show(browser, sandbox)
            try await act(browser, sandbox, rules)
        }
        await sandbox.shutdown()
    }

    /// Returns what the rules conclude from the browser's last address.
    private func ending(
        _ browser: Browser,
        _ rules: MenuNavigation
    ) async throws -> MenuNavigation.Decision {
        rules.decision(for: try await browser.evaluate("location.href").text)
    }

    @Test(.feature("N-18", "N-19")) func `a new card is paid in the menu`() async throws {
        try await withMenu { browser, sandbox, rules in
            try await browser.click("#method-CreditCard", in: "/psp/menu/")
            for (field, value) in [
                ("cardNumber", "4925000000000004"), ("expiryDate", "12/30"), ("cvc", "123"),
            ] {
                try await browser.wait(
                    for: "!!document.getElementById('\(field)')",
                    in: "/psp/menu/"
                )
                _ = try await browser.evaluate(
                    "document.getElementById('\(field)').value = '\(value)'",
                    in: "/psp/menu/"
                )
            }
            try await browser.click("#pay", in: "/psp/menu/")
            try await browser.wait(for: "location.pathname === '/complete'")
            #expect(try await ending(browser, rules) == .completed)
            #expect(await sandbox.ledger.paidOrders == 1)
        }
    }

    @Test(.feature("O-03")) func `a payer who cancels in the menu has not paid`() async throws {
        try await withMenu { browser, sandbox, rules in
            try await browser.click("#cancel", in: "/psp/menu/")
            try await browser.wait(for: "location.pathname === '/cancel'")
            #expect(try await ending(browser, rules) == .canceled)
            #expect(await sandbox.ledger.paidOrders == 0)
        }
    }

    @Test func `a menu that breaks is reported as failed, neither paid nor canceled`() async throws
    {
        try await withMenu { browser, sandbox, _ in
            try await browser.click("#fail", in: "/psp/menu/")
            try await browser.wait(toldBy: "failed")
            #expect(try await browser.told() == "failed script-error")
            #expect(await sandbox.ledger.paidOrders == 0)
        }
    }

    @Test(.feature("D-11"))
    func `a payer who approved at the bank returns to the menu and ends at the complete URL`()
        async throws
    {
        try await withMenu { browser, sandbox, rules in
            try await browser.click("#method-Trustly", in: "/psp/menu/")
            try await browser.click("#pay", in: "/psp/menu/")
            try await browser.wait(for: "document.title === 'Sandbox bank'")
            #expect(try await ending(browser, rules) == .allowed)
            try await browser.click("#approve")
            try await browser.wait(for: "location.pathname === '/complete'")
            let visited = try await browser.navigations()
            #expect(visited.contains { rules.decision(for: $0) == .reloadMenu })
            #expect(await sandbox.ledger.paidOrders == 1)
        }
    }
}
