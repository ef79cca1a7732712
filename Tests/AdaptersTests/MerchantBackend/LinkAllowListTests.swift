import Testing

@testable import SwedbankPayHTTP

@Suite struct LinkAllowListTests {
    @Test(arguments: [
        ("https://shop.example/api/", true), ("https://pay.shop.example/x", true),
        ("https://SHOP.EXAMPLE/x", true), ("https://shop.example:8443/x", true),
        ("https://evilshop.example/", false), ("https://example/", false),
        ("https://shop.example.evil.example/", false),
        ("https://shop.example@evil.example/", false),
        ("https://evil.example/shop.example", false), ("shop.example", false), ("", false),
    ]) func `by default a backend's links may lead to its own host and its subdomains`(
        _ address: String,
        _ isAllowed: Bool
    ) {
        #expect(LinkAllowList.host(of: "https://shop.example/api/").allows(address) == isAllowed)
    }

    @Test func `a custom list replaces the default`() {
        let list = LinkAllowList([
            LinkAllowList.Entry("API.example", includesSubdomains: false),
            LinkAllowList.Entry("shop.example", includesSubdomains: true),
            LinkAllowList.Entry("", includesSubdomains: true),
        ])
        #expect(list.allows(host: "api.example") && list.allows(host: "API.EXAMPLE"))
        #expect(!list.allows(host: "a.api.example") && list.allows(host: "a.b.shop.example"))
        #expect(!list.allows(host: "backend.example") && !list.allows(host: ""))
        #expect(!LinkAllowList([]).allows(host: "api.example"))
        #expect(!LinkAllowList.host(of: "no address").allows(host: "no address"))
    }

    /// The examples of RFC 3986, section 5.4, without those whose scheme is not that of a web
    /// address.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("g?y/./x", "http://a/b/c/g?y/./x"), (";x", "http://a/b/c/;x"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g#s", "http://a/b/c/g"),
        ("https://h:8/x/../y?q", "https://h:8/y?q"), ("//u@h/x", "http://u@h/x"),
    ]) func `a link is resolved as in RFC 3986`(_ link: String, _ address: String) {
        #expect(LinkResolution.resolve(link, against: "http://a/b/c/d;p?q") == address)
    }

    @Test(arguments: ["", "a b", "http:g", "mailto:a@b.example", "https://", "%zz", "\u{7}", "é"])
    func `an invalid link resolves to no address`(_ link: String) {
        #expect(LinkResolution.resolve(link, against: "https://shop.example/api/") == nil)
    }

    @Test func `a relative link is resolved against its document's address, not appended to it`() {
        let root = "https://shop.example/api/root"
        #expect(
            LinkResolution.resolve("orders", against: root) == "https://shop.example/api/orders"
        )
        #expect(LinkResolution.resolve("/orders", against: root) == "https://shop.example/orders")
        #expect(
            LinkResolution.resolve("o", against: "https://shop.example") == "https://shop.example/o"
        )
        #expect(LinkResolution.resolve("orders", against: "not absolute") == nil)
    }
}
