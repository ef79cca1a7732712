import Testing

@testable import SwedbankPay

@Suite struct AppLinkTests {
    private static let back = "https://shop.example/pay?id=7f0c&a=b c"
    private static let encoded =
        "callbackurl=https%3A%2F%2Fshop.example%2Fpay%3Fid%3D7f0c%26a%3Db%20c"

    @Test(
        arguments: [
            (
                "swish://paymentrequest?token=a+b%2F",
                "swish://paymentrequest?token=a+b%2F&" + encoded
            ),
            ("swish://paymentrequest", "swish://paymentrequest?" + encoded),
            ("swish://paymentrequest?", "swish://paymentrequest?" + encoded),
            ("SWISH://p?token=1&", "SWISH://p?token=1&" + encoded),
            ("swish://p?callbackurl=&token=1", "swish://p?" + encoded + "&token=1"),
            ("swish://p?callbackurl&token=1", "swish://p?" + encoded + "&token=1"),
            ("swish://p?a=1&a=1#f", "swish://p?a=1&a=1&" + encoded + "#f"),
        ])
    func `F-14: the callback URL is added to a link to the Swish app`(href: String, link: String) {
        #expect(AppLink.adding(callbackURL: Self.back, to: href) == link)
    }

    @Test(
        arguments: [
            "swish://p?callbackurl=https%3A%2F%2Fother.example&token=1",
            "swish://p?token=1&callback%75rl=x",
            "https://app.swish.nu/1/p?token=1", "vipps://p?token=1", "no link at all",
        ])
    func `a link with another scheme or with a callback URL of its own is left unchanged`(
        href: String
    ) {
        #expect(AppLink.adding(callbackURL: Self.back, to: href) == href)
    }

    @Test(arguments: [
        "swish://paymentrequest?token=a+b%2F", "https://app.swish.nu/1/p?token=1", "bankid:///?x",
    ])
    func `a link to an app or an https page is well-formed`(href: String) {
        #expect(AppLink.isWellFormed(href))
    }

    @Test(arguments: [
        "", "x", "swish://p?a=1\nb", "swish://p\r\n", "swish://p a", "swish://p\u{0}",
        "swish://p\u{2028}", "https:app", "https://", "https:///p", "https://:443/p",
        "https://app.swish.nu@evil.example/p", "https://u:p@app.swish.nu/",
    ])
    func `a link that is incomplete or that clients may parse differently is malformed`(
        href: String
    ) {
        #expect(!AppLink.isWellFormed(href))
    }

    @Test func `the scheme of a link is returned in lower case, and a malformed one as nil`() {
        #expect(AppLink.scheme(of: "Swish://x") == "swish")
        #expect(AppLink.scheme(of: "://x") == nil)
        #expect(AppLink.scheme(of: "swi sh://x") == nil)
        #expect(AppLink.scheme(of: "x") == nil)
    }
}
