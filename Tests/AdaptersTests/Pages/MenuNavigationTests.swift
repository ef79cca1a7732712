import SwedbankPay
import TestSupport
import Testing
import Workflow

@testable import PaymentPages

@Suite(.feature("O-03", "O-22", "D-12"), .threat("T-43")) struct MenuNavigationTests {
    private let rules: MenuNavigation

    init() throws {
        rules = try MenuNavigation(
            PageTests.menu,
            callbackScheme: "shopapp",
            resultURL: "https://shop.example/result"
        )
    }

    @Test(arguments: [
        ("https://shop.example/complete", MenuNavigation.Decision.completed),
        ("HTTPS://SHOP.example:443/complete/?x=1", .completed),
        ("https://shop.example/cancel", .canceled),
        ("https://shop.example/pay?id=7f0c", .reloadMenu),
        ("https://shop.example/pay?swp_ut=1&id=7f0c", .reloadMenu),
        ("shopapp://shop.example/pay?id=7f0c&fallback=true", .reloadMenu),
        ("https://shop.example/pay?id=2", .allowed),
        ("https://shop.example/terms.pdf", .termsOfService),
        ("https://shop.example.evil.example/complete", .allowed),
        ("http://shop.example/complete", .allowed),
        ("https://acs.bank.example/login", .allowed),
        ("https://odd host/", .allowed),
        ("about:blank", .allowed),
        ("about:config", .refused),
        ("swish://paymentrequest?token=1", .externalApp),
        ("otherapp://shop.example/pay?id=7f0c", .refused),
        ("shopapp://elsewhere", .externalApp), ("tel:+46739000001", .refused),
        ("ms-msdt:/id", .refused), ("content://x/y", .refused),
        ("bankid:///?autostarttoken=1", .externalApp),
        ("intent://shop.example/pay#Intent;scheme=https;end;", .refused),
        ("javascript:alert(1)", .refused),
        ("data:text/html,x", .refused),
        ("file:///etc/passwd", .refused),
        ("", .refused),
        ("https://shop.example/result?event=failed&reason=script-load", .reported(.failed)),
        ("https://shop.example/result", .allowed),
    ])
    func `every navigation of a menu leads to exactly one decision`(
        url: String,
        meaning: MenuNavigation.Decision
    ) {
        #expect(rules.decision(for: url) == meaning)
    }

    @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "otherapp://done", "tel:+46"])
    func `a menu's end may not be an address that runs a script or opens another app`(
        address: String
    ) throws {
        var (complete, cancel) = (PageTests.menu, PageTests.menu)
        complete.completeURL = address
        cancel.cancelURL = address
        for menu in [complete, cancel] {
            #expect(throws: PageError.self) { try MenuNavigation(menu, callbackScheme: "shopapp") }
            #expect(throws: PageError.self) { try Page.menu(menu, callbackScheme: "shopapp") }
        }
        complete.completeURL = "shopapp://done"
        _ = try MenuNavigation(complete, callbackScheme: "shopapp")
    }

    @Test func `an app that the host names may be opened`() throws {
        let rules = try MenuNavigation(PageTests.menu, appSchemes: ["lampbank"])
        #expect(rules.decision(for: "lampbank://x") == .externalApp)
        #expect(rules.decision(for: "swish://x") == .refused)
        let challenge = try ChallengeNavigation(
            notificationURL: "https://psp.example/n",
            appSchemes: ["lampbank"]
        )
        #expect(challenge.decision(for: "LampBank://x") == .externalApp)
        #expect(challenge.decision(for: "intent://x") == .refused)
    }

    @Test func `a canceled payment is not taken for a completed one`() throws {
        var menu = PageTests.menu
        menu.completeURL = "https://shop.example/return"
        menu.cancelURL = "https://shop.example/return?canceled=1"
        let rules = try MenuNavigation(menu)
        #expect(rules.decision(for: "https://shop.example/return?canceled=1") == .canceled)
        #expect(rules.decision(for: "https://shop.example/return?x=1") == .completed)
    }

    @Test func `a menu whose page is also its end, or that has no end, is refused`() {
        var menu = PageTests.menu
        menu.completeURL = "https://SHOP.example"
        #expect(throws: PageError.self) { try MenuNavigation(menu) }
        menu.completeURL = nil
        #expect(throws: PageError.missing(member: "completeURL")) { try MenuNavigation(menu) }
    }

    @Test func `the menu's own page may be loaded first, even at the payment URL`() {
        let address = "https://shop.example/pay?id=7f0c"
        #expect(rules.decision(for: address, isFirstLoad: true) == .allowed)
        #expect(rules.decision(for: "https://shop.example/") == .allowed)
    }

    @Test(.feature("I-11")) func `a page outside the policy is opened in the browser`() throws {
        let patterns = HostPattern.list(
            "# known to work\n\n **.payex.com \nacs4.bank.example\n*x\n"
        )
        #expect(patterns.count == 2)
        let rules = try MenuNavigation(PageTests.menu, policy: .hosts(patterns))
        #expect(rules.decision(for: "https://a.b.payex.com/x") == .allowed)
        #expect(rules.decision(for: "https://evilpayex.com/x") == .browser(.target))
        #expect(rules.decision(for: "https://odd.example/x", isAtMenu: false) == .browser(.current))
        #expect(rules.decision(for: "https://odd.example/x", isMainFrame: false) == .allowed)
        #expect(rules.decision(for: "https://shop.example/complete") == .completed)
    }

    @Test(arguments: [
        ("example.com", "EXAMPLE.com", true), ("example.com", "a.example.com", false),
        ("*.example.com", "example.com", true), ("*.example.com", "a.example.com", true),
        ("*.example.com", "a.b.example.com", false), ("**.example.com", "a.b.example.com", true),
        ("**.example.com", "evilexample.com", false), ("*.example.com", ".example.com", false),
    ])
    func `a pattern matches whole labels`(pattern: String, host: String, matches: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host) == matches)
    }

    @Test func `an invalid pattern is refused`() {
        for text in ["", "*", "**", "*example.com", "***.x", "a b", "*."] {
            #expect(HostPattern(text) == nil, "\(text)")
        }
    }
}

extension PageEvent {
    fileprivate static let failed = PageEvent(event: "failed", reason: "script-load")
}
