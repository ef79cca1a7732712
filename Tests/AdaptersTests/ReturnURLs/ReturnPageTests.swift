import Adapters
import SwedbankPay
import TestSupport
import Testing

@Suite struct ReturnPageTests {
    private static let id = "7f0c"

    private func root() throws -> BackendRoot { try BackendRoot("https://example.com/") }

    private func request(_ query: String, page: ReturnPage = .universalLink) throws -> ReturnRequest
    {
        try ReturnRequest(root: root(), page: page, query: query)
    }

    private func shop() throws -> CallbackScheme { try #require(CallbackScheme("shopapp")) }

    private func iOS(_ name: String? = "Shop App") throws -> ReturningApp {
        .iOS(try shop(), language: .enUS, name: name)
    }

    private static func query(of url: String) -> String {
        String(url[(url.firstIndex(of: "?").map { url.index(after: $0) } ?? url.endIndex)...])
    }

    @Test(.feature("I-08"))
    func `an order for an iOS app has the URLs that the mobile SDKs use`() throws {
        let urls = try root().orderURLs(
            for: iOS(),
            id: Self.id,
            callback: "https://api.example.com/callback"
        )
        #expect(urls.hosts == ["https://example.com/"])
        #expect(urls.complete == "https://example.com/complete")
        #expect(urls.cancel == "https://example.com/cancel")
        #expect(
            urls.payment
                == "https://example.com/sdk-callback/ios-universal-link?scheme=shopapp&language=en-US&id=7f0c&app=Shop%20App"
        )
        #expect(urls.callback == "https://api.example.com/callback")
        #expect(try root().orderURLs(for: nil, id: Self.id).payment == nil)
    }

    @Test(.feature("O-02"))
    func `an order for an Android app has the URLs that the mobile SDKs use`() throws {
        let package = try #require(AndroidPackage("com.example.shop"))
        let url = try BackendRoot("https://example.com/pay").paymentURL(
            for: .android(package),
            id: Self.id
        )
        #expect(
            url
                == "https://example.com/pay/sdk-callback/android-intent?package=com.example.shop&id=7f0c"
        )
        #expect(!BackendRoot.randomID().isEmpty)
        #expect(BackendRoot.randomID() != BackendRoot.randomID())
        #expect(
            BackendRoot.randomID().wholeMatch(
                of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            ) != nil
        )
    }

    @Test(.feature("O-04"))
    func `the Android page opens the app with the payment URL unchanged`() throws {
        let request = try request(
            "package=com.example.shop&id=7f0c&swp_ut=a;b",
            page: .androidIntent
        )
        let package = try #require(AndroidPackage("com.example.shop"))
        let expected =
            "intent://example.com/sdk-callback/android-intent?package=com.example.shop&id=7f0c&swp_ut=a;b#Intent;scheme=https;action=com.swedbankpay.mobilesdk.VIEW_PAYMENTORDER;package=com.example.shop;end;"
        #expect(try request.intentURL() == expected)
        #expect(try request.intentURL(allowing: [package]) == expected)
        #expect(throws: ReturnURLError.notAllowed("package")) {
            try request.intentURL(allowing: [])
        }
    }

    @Test(.feature("I-19"))
    func `the iOS page leads to the button, the button to the page, and the page to the app`()
        throws
    {
        let payment = try root().paymentURL(for: iOS(), id: Self.id)
        let trampoline = try Trampoline()
        let first = try request(Self.query(of: payment))
            .universalLink(allowing: [shop()], trampoline: trampoline)
        #expect(
            first
                == .trampoline(
                    "https://ecom.payex.com/externalresourcehost/trampoline?target=https%3A%2F%2Fexample.com%2Fsdk-callback%2Fios-universal-link%3Fscheme%3Dshopapp%26language%3Den-US%26id%3D7f0c%26app%3DShop%2520App%26fallback%3Dtrue&language=en-US&app=Shop%20App"
                )
        )
        let button = try #require(AddressReading(first.address).value(of: "target"))
        #expect(button == payment + "&fallback=true")
        let second = try request(Self.query(of: button))
            .universalLink(allowing: [shop()], trampoline: trampoline)
        #expect(
            second
                == .app(
                    "shopapp://example.com/sdk-callback/ios-universal-link?scheme=shopapp&language=en-US&id=7f0c&app=Shop%20App&fallback=true"
                )
        )
        #expect(
            ReturnURL.match(second.address, paymentURL: payment, callbackScheme: "shopapp")
                == .customScheme
        )
    }

    @Test func `fallback=false leads to the button, and the button leads to the app`()
        throws
    {
        let refused = try request("scheme=shopapp&language=en-US&id=1&fallback=false")
            .universalLink(allowing: [shop()], trampoline: Trampoline())
        let button = try #require(AddressReading(refused.address).value(of: "target"))
        let next = try request(Self.query(of: button))
            .universalLink(allowing: [shop()], trampoline: Trampoline())
        guard case .app = next else {
            Issue.record("leads to the button for ever")
            return
        }
    }

    @Test(
        arguments: [
            ("language=en-US", ReturnURLError.missing("scheme")),
            ("scheme=shopapp", .missing("language")),
            ("scheme=other&language=en-US", .notAllowed("scheme")),
            (
                "scheme=javascript&language=en-US",
                .malformed("scheme", reason: "it must be an app's own scheme")
            ),
            (
                "scheme=https&language=en-US",
                .malformed("scheme", reason: "it must be an app's own scheme")
            ),
            (
                "scheme=shopapp&scheme=other&language=en-US",
                .malformed("scheme", reason: "it must not be given more than once")
            ),
            (
                "scheme&language=en-US",
                .malformed("scheme", reason: "it must be UTF-8 text")
            ),
            (
                "scheme=%FF&language=en-US",
                .malformed("scheme", reason: "it must be UTF-8 text")
            ),
            (
                "scheme=shopapp&language=%3Cscript%3E",
                .malformed("language", reason: "it must be a language such as sv-SE")
            ),
            (
                "scheme=shopapp&language=en-US&app=a%0Ab",
                .malformed(
                    "app",
                    reason: "it must be 1 to 200 bytes of visible characters"
                )
            ),
        ])
    func `the iOS page refuses a query with a missing, malformed or forbidden value`(
        query: String,
        error: ReturnURLError
    ) throws {
        for fallback in ["", "&fallback=true"] {
            #expect(throws: error) {
                try request(query + fallback)
                    .universalLink(allowing: [shop()], trampoline: Trampoline())
            }
        }
    }

    @Test(arguments: ["", "id=1", "package=shop", "package=a.b%3Bend", "package=a.b&package=c.d"])
    func `the Android page refuses a query without one valid package`(query: String) {
        #expect(throws: ReturnURLError.self) {
            try request(query, page: .androidIntent).intentURL()
        }
    }

    @Test(
        arguments: [
            "id=1#Intent;scheme=x;end", "id=a b", "id=\"", "id=<", "id=å", "id=a\nb", "id=%2",
            "id=\\",
            String(repeating: "a", count: 1_537), String(repeating: "a&", count: 51),
        ])
    func `an ambiguous, malformed or overlong query is refused`(query: String) {
        #expect(throws: ReturnURLError.self) { try request(query) }
    }

    @Test(
        arguments: [
            "", "example.com", "http://example.com", "https://u@example.com", "https://a.b/?q=1",
            "https://a.b/#f", "javascript:alert(1)", "https://", "https://a b", "http://127.0.0.1",
            "https://" + String(repeating: "a", count: 512),
        ])
    func `a root that is not a plain https address is refused`(root: String) {
        #expect(throws: ReturnURLError.self) { try BackendRoot(root) }
        #expect(throws: ReturnURLError.self) { try Trampoline(root) }
    }

    @Test func `a button on the payment URL's own host is refused`() throws {
        let request = try request("scheme=shopapp&language=en-US")
        #expect(
            throws: ReturnURLError.malformed(
                "the trampoline",
                reason: "it must be on another host than the payment URL"
            )
        ) {
            try request.universalLink(
                allowing: [shop()],
                trampoline: Trampoline("https://EXAMPLE.com/button")
            )
        }
    }

    @Test func `a backend on loopback works where it is allowed`() throws {
        let root = try BackendRoot("http://127.0.0.1:8080", allowsInsecureLoopback: true)
        let trampoline = try Trampoline(
            "http://127.0.0.1:8080/button",
            allowsInsecureLoopback: true
        )
        let package = try #require(AndroidPackage("a.b"))
        let android = try root.paymentURL(for: .android(package), id: "1")
        let intent = try ReturnRequest(
            root: root,
            page: .androidIntent,
            query: Self.query(of: android)
        ).intentURL()
        #expect(intent.contains("scheme=http;"))
        let link = try ReturnRequest(
            root: root,
            page: .universalLink,
            query: "scheme=shopapp&language=sv-SE"
        ).universalLink(allowing: [shop()], trampoline: trampoline)
        #expect(link.address.hasPrefix("http://127.0.0.1:8080/button?target=http%3A%2F%2F127"))
    }

    @Test func `neither errors nor descriptions quote the query`() throws {
        let error = try #require(throws: ReturnURLError.self) {
            try request("scheme=evilapp&language=en-US&id=s3cret")
                .universalLink(allowing: [shop()], trampoline: Trampoline())
        }
        #expect(error.code == "return.not-allowed")
        #expect(!"\(error)".contains("evilapp") && !"\(error)".contains("s3cret"))
        #expect(!"\(try request("scheme=a&id=s3cret"))".contains("s3cret"))
    }
}
