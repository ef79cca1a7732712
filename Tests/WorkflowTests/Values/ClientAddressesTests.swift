import EventLog
import TestSupport
import Testing

@testable import SwedbankPay

/// Which addresses a payer's client may receive, from a table of what a hostile response may
/// contain.
@Suite(.threat("T-36")) struct ClientAddressesTests {
    private let addresses = ClientAddresses()

    @Test(arguments: [
        "swish://paymentrequest?token=1", "SWISH://p", "https://app.swish.nu/1/p?token=1",
        "https://api.payex.com/psp/app", "https://a.b.swedbankpay.com/x",
        "https://ecom.payex.com:443/x",
    ])
    func `a link to the Swish app or to an allowed host may be opened`(link: String) {
        #expect(addresses.opensApp(link, for: .swish))
        #expect(addresses.opensApp(link))
    }

    @Test(arguments: [
        "intent://pay#Intent;scheme=swish;end;", "ms-msdt:/id", "tel:+46739000001", "sms:+46",
        "content://com.android.contacts", "javascript:alert(1)", "data:text/html,x",
        "file:///etc/passwd", "vipps://p", "bankid:///?x", "shortcuts://run", "swish", "",
        "http://app.swish.nu/p", "https://app.swish.nu.evil.example/p", "https://evilpayex.com/p",
        "https://app.swish.nu@evil.example/p", "https://app.swish.nu:8443/p", "https:swish",
        "swish://p\nx", "s\u{445}ish://p",
    ])
    func `a link to any other app or page may not be opened`(link: String) {
        #expect(!addresses.opensApp(link, for: .swish))
        #expect(!addresses.opensApp(link))
    }

    @Test func `an app scheme that the host adds is allowed only for its instrument`() {
        var addresses = ClientAddresses()
        addresses.appSchemes[.web] = ["vipps"]
        #expect(addresses.opensApp("vipps://p", for: .web) && addresses.opensApp("vipps://p"))
        #expect(!addresses.opensApp("vipps://p", for: .swish))
        #expect(!addresses.opensApp("swish://p", for: .card))
    }

    @Test(
        arguments: [
            ("https://ecom.payex.com/x.js", "api.payex.com", true),
            ("https://ecom.payex.com/x.js", nil, true),
            ("https://psp.example/x.js", "psp.example", true),
            ("https://cdn.psp.example/x.js", "psp.example", true),
            ("https://psp.example/x.js", "api.payex.com", false),
            ("https://payex.com.evil.example/x.js", "api.payex.com", false),
            ("https://ecom.payex.com@evil.example/", "api.payex.com", false),
            ("https://ecom.payex.com:8443/x.js", "api.payex.com", false),
            ("http://ecom.payex.com/x.js", "api.payex.com", false),
            ("javascript:alert(1)", "api.payex.com", false), ("data:text/html,x", nil, false),
            ("file:///etc/passwd", "api.payex.com", false), ("//ecom.payex.com/x", nil, false),
            ("http://127.0.0.1:8093/x.js", "127.0.0.1", true),
            ("http://localhost:1/x.js", "127.0.0.1", true),
            ("http://127.0.0.1:8093/x.js", "api.payex.com", false),
            ("javascript:alert(1)", "127.0.0.1", false), ("", "127.0.0.1", false),
        ] as [(String, String?, Bool)]
    )
    func `pages and scripts come from the PSP over TLS, or from loopback in a sandbox session`(
        address: String,
        session: String?,
        isPage: Bool
    ) {
        #expect(addresses.isPage(address, of: session) == isPage)
    }

    @Test(arguments: [
        ("https://shop.example/done", true), ("http://shop.example/done", true),
        ("shopapp://done", true), ("SHOPAPP://done", true), ("otherapp://done", false),
        ("javascript:alert(1)", false), ("data:text/html,x", false), ("done", false), ("", false),
    ])
    func `a page may end at a web URL or at a URL with the app's own scheme`(
        address: String,
        isEnd: Bool
    ) {
        #expect(ClientAddresses.isEnd(address, callbackScheme: "shopapp") == isEnd)
    }

    @Test(
        arguments: [
            ("payex.com", nil, HostList.Membership.member), ("api.payex.com", nil, .member),
            ("api.payex.com", 8443, .otherPort), ("evilpayex.com", nil, .otherHost),
            ("psp.example", 8443, .member), ("a.psp.example", 8443, .member),
            ("psp.example", nil, .otherPort), ("psp.example", 22, .otherPort),
            ("[::1]", nil, .otherHost), ("", nil, .otherHost),
        ] as [(String, Int?, HostList.Membership)]
    )
    func `a list permits the usual port, or the one that it names`(
        host: String,
        port: Int?,
        membership: HostList.Membership
    ) {
        let list = ["PayEx.com", "psp.example:8443", ""]
        #expect(HostList.membership(of: host, port: port, in: list) == membership)
    }
}
