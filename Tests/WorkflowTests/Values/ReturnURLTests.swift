import SwedbankPay
import TestSupport
import Testing

@Suite(.feature("I-17", "I-18"), .threat("T-45")) struct ReturnURLTests {
    private static let order = "https://a.se/p?id=1"

    @Test(
        arguments: [
            ("https://a.se/p?id=1", ReturnForm.original),
            ("https://a.se/p?id=1&fallback=true", .augmented),
            ("https://a.se/p?fallback=true&id=1", .augmented),
            ("https://a.se/p?id=1&swp_ut=abc", .augmented),
            ("myapp://a.se/p?id=1&fallback=true", .customScheme),
            ("myapp://a.se/p?id=1", .customScheme),
            ("MyApp://a.se/p?id=1", .customScheme),
            ("https://a.se/p/?id=1", .original),
            ("https://a.se/p?id=1&id=1", .augmented),
            ("https://a.se:443/p?id=1", .original),
            ("https://A.SE/p?id=1", .original),
            ("HTTPS://a.se/%70?%69d=%31", .original),
        ])
    func `each form of the payment URL is recognized`(url: String, form: ReturnForm) {
        #expect(ReturnURL.match(url, paymentURL: Self.order, callbackScheme: "myapp") == form)
    }

    @Test(
        arguments: [
            "https://a.se/p?id=2", "https://a.se/p", "https://a.se/p?", "https://a.se/p?ID=1",
            "https://b.se/p?id=1", "http://a.se/p?id=1", "https://a.se/p?id=1#done",
            "https://a.se:8443/p?id=1", "https://user@a.se/p?id=1", "https://a.se/P?id=1",
            "https://a.se/p/q?id=1", "https://a.se/p//?id=1", "other://a.se/p?id=1",
            "https://a.se.evil.example/p?id=1", "https://evil.example/https://a.se/p?id=1",
            "https://evil.example\\@a.se/p?id=1", "https://a.se/p?id=1 ", "", "a.se/p?id=1",
            "https://a.se/p?id", "https://a.se/p?id=", "https://a.se/p?id=1%", "myapp:a.se/p?id=1",
        ])
    func `a URL that differs from the payment URL is not matched`(url: String) {
        #expect(ReturnURL.match(url, paymentURL: Self.order, callbackScheme: "myapp") == nil)
    }

    @Test func `without a callback scheme only the payment URL's own scheme counts`() {
        #expect(
            ReturnURL.match("myapp://a.se/p?id=1", paymentURL: Self.order, callbackScheme: nil)
                == nil
        )
    }

    @Test func `a query item that the payment URL has twice must be there twice`() {
        let order = "https://a.se/p?id=1&id=1"
        #expect(
            ReturnURL.match("https://a.se/p?id=1", paymentURL: order, callbackScheme: nil) == nil
        )
        #expect(
            ReturnURL.match("https://a.se/p?id=1&x=2&id=1", paymentURL: order, callbackScheme: nil)
                == .augmented
        )
    }

    @Test func `an item without a value differs from an empty one`() {
        let order = "https://a.se/p?flag"
        #expect(
            ReturnURL.match("https://a.se/p?flag", paymentURL: order, callbackScheme: nil)
                == .original
        )
        #expect(
            ReturnURL.match("https://a.se/p?flag=", paymentURL: order, callbackScheme: nil) == nil
        )
    }

    @Test func `a payment URL with a custom scheme is matched without its final slash`() {
        #expect(
            ReturnURL.match(
                "examplepayment://payment",
                paymentURL: "examplepayment://payment/",
                callbackScheme: nil
            ) == .original
        )
    }

    @Test
    func `a universal link with fallback is recognized with https and with the custom scheme`() {
        let order =
            "https://example.com/sdk-callback/ios-universal-link?scheme=shopapp&language=en-US&id=7f0c&app=Shop%20App"
        #expect(
            ReturnURL.match(
                order + "&fallback=true",
                paymentURL: order,
                callbackScheme: "shopapp"
            )
                == .augmented
        )
        #expect(
            ReturnURL.match(
                "shopapp" + order.dropFirst(5) + "&fallback=true",
                paymentURL: order,
                callbackScheme: "shopapp"
            ) == .customScheme
        )
    }
}
