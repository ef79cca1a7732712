import HTTPTypes
import MerchantBackend
import TestSupport
import Testing

@Suite struct ReturningTests {
    static let android = "/payments/sdk-callback/android-intent"
    static let ios = "/payments/sdk-callback/ios-universal-link"
    static let button =
        "/trampoline?target=https%3A%2F%2Fshop.example%2Fpayments%2Fsdk-callback"
        + "%2Fios-universal-link%3Fscheme%3Dshopapp%26language%3Den-US"
    static let query = "scheme=shopapp&language=en-US&id=7f0c&app=Shop%20App"

    private func get(_ path: String, _ shop: Shop? = nil) async throws -> Reply {
        try await (shop ?? Shop()).send(.get, path, as: nil)
    }

    @Test(.feature("O-04"))
    func `a payer on Android returns to the app through an intent`() async throws {
        let reply = try await get(Self.android + "?package=example.shop&id=7f0c")
        #expect(reply.status == 200)
        let intent =
            "intent://shop.example/payments/sdk-callback/android-intent?package=example.shop&amp;id=7f0c"
            + "#Intent;scheme=https;action=com.swedbankpay.mobilesdk.VIEW_PAYMENTORDER;"
            + "package=example.shop;end;"
        #expect(reply.text.contains("content=\"0; url=\(intent)\""))
        #expect(reply.text.contains("<a href=\"\(intent)\">"))
        #expect(reply.header(.cacheControl) == "no-store")
    }

    @Test func `a payer on iOS is redirected to the page with the button`() async throws {
        let reply = try await get(Self.ios + "?" + Self.query)
        #expect(reply.status == 302)
        #expect(reply.header(.cacheControl) == "no-store")
        #expect(
            reply.header(.location)
                == "https://back.example/trampoline?target=https%3A%2F%2Fshop.example%2Fpayments"
                + "%2Fsdk-callback%2Fios-universal-link%3Fscheme%3Dshopapp%26language%3Den-US"
                + "%26id%3D7f0c%26app%3DShop%2520App%26fallback%3Dtrue&language=en-US&app=Shop%20App"
        )
    }

    @Test(.feature("I-19"))
    func `a payer on iOS whom the button did not bring to the app returns through its scheme`()
        async throws
    {
        let reply = try await get(Self.ios + "?" + Self.query + "&fallback=true&swp_ut=x")
        #expect(reply.status == 302)
        #expect(
            reply.header(.location)
                == "shopapp://shop.example/payments/sdk-callback/ios-universal-link?"
                + Self.query + "&fallback=true&swp_ut=x"
        )
        let other = try await get(Self.ios + "?" + Self.query + "&fallback=false")
        #expect(other.header(.location)?.hasPrefix("https://back.example/") == true)
    }

    @Test func `the button on the page links to the payment URL`() async throws {
        let first = try await get(Self.ios + "?" + Self.query)
        let location = try #require(first.header(.location))
        let reply = try await get(String(location.dropFirst("https://back.example".count)))
        #expect(reply.status == 200)
        let target =
            "https://shop.example/payments/sdk-callback/ios-universal-link?scheme=shopapp&amp;"
            + "language=en-US&amp;id=7f0c&amp;app=Shop%20App&amp;fallback=true"
        #expect(reply.text.contains("<a href=\"\(target)\">Shop App</a>"))
        #expect(reply.header(.contentSecurityPolicy)?.hasPrefix("default-src 'none'") == true)
    }

    @Test func `an app name of up to 200 characters is accepted for the button`() async throws {
        let name = String(repeating: "a", count: 200)
        let query = "?scheme=shopapp&language=en-US&id=1&app=" + name
        let first = try await get(Self.ios + query)
        let location = try #require(first.header(.location))
        let path = String(location.dropFirst("https://back.example".count))
        #expect(try await get(path).text.contains(">\(name)</a>"))
        #expect(try await get(Self.ios + query + "a").status == 400)
        #expect(try await get(path + "a").status == 400)
    }

    @Test(.feature("O-06"))
    func `the page is in the payer's language, or in English if that is not supported`()
        async throws
    {
        for (language, words) in [
            ("sv-SE", "Öppna appen"), ("nb-NO", "Åpne appen"), ("fi-FI", "Open the app"),
        ] {
            let first = try await get(Self.ios + "?scheme=shopapp&language=\(language)&id=1")
            let location = try #require(first.header(.location))
            let reply = try await get(String(location.dropFirst("https://back.example".count)))
            #expect(reply.text.contains("<html lang=\"\(language)\">"))
            #expect(reply.text.contains(words))
        }
    }

    @Test(.feature("I-03"))
    func `the apps that may open payment URLs are listed in apple-app-site-association`()
        async throws
    {
        let reply = try await get("/.well-known/apple-app-site-association")
        #expect(reply.status == 200)
        #expect(reply.header(.contentType) == "application/json")
        #expect(reply.member("applinks.details.0.appID") == "TEAM123456.example.shop")
        #expect(reply.member("applinks.details.0.paths.0") == "/payments/sdk-callback/*")
        let none = try Shop(pages: ReturnPages())
        #expect(try await get("/.well-known/apple-app-site-association", none).status == 404)
    }

    @Test(arguments: [
        android, android + "?", android + "?package=evil.app",
        android + "?package=example.shop&package=evil.app",
        android + "?package=example.shop%3Bend", android + "?package=example.shop&x=\"><script>",
        android + "?package=example.shop&x=%zz", android + "?package=example.shop%00",
        ios, ios + "?scheme=shopapp&id=1", ios + "?language=en-US",
        ios + "?scheme=javascript&language=en-US&fallback=true",
        ios + "?scheme=https&language=en-US&fallback=true",
        ios + "?scheme=shopapp&scheme=evil&language=en-US&fallback=true",
        ios + "?scheme=evil&language=en-US", ios + "?scheme=shopapp&language=%22%3E",
        ios + "?scheme=shopapp&language=en-US&app=%E2%80%AEgpj.exe",
        ios + "?scheme=shopapp&language=en-US&app=a%0d%0aSet-Cookie:x",
        ios + "?scheme=shopapp&language=en-US&x=a b",
        "/trampoline", "/trampoline?target=https%3A%2F%2Fevil.example%2F&language=en-US",
        "/trampoline?target=javascript%3Aalert(1)&language=en-US", button + "&language=x",
        button + "&language=en-US&app=%E2%80%AEgpj.exe", button + "&language=en-US&app=",
        button + "&language=en-US&language=sv-SE", button + "&language=en-US&x=%zz",
        "/trampoline?target=https%3A%2F%2Fshop.example%2Fpayments%2Fsdk-callback%2Fios-universal-link%3Fscheme%3Devil%26language%3Den-US&language=en-US",
        "/trampoline?target=https%3A%2F%2Fshop.example%40evil.example%2Fpayments%2Fsdk-callback%2Fios-universal-link%3Fscheme%3Dshopapp%26language%3Den-US&language=en-US",
    ])
    func `a return URL that does not lead to a configured app is refused`(path: String) async throws
    {
        let reply = try await get(path)
        #expect(reply.status == 400)
        #expect(reply.header(.location) == nil)
        #expect(!reply.text.contains("evil"))
        #expect(!reply.text.contains("href"))
    }
}
