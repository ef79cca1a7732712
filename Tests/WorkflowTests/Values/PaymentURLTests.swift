import SwedbankPay
import TestSupport
import Testing

@Suite(.feature("N-05"), .guarantee(.paidMeansPaid)) struct PaymentURLTests {
    @Test(
        arguments: [
            ("https://shop.example/complete", "https://shop.example/complete"),
            ("HTTPS://Shop.Example:443/complete", "https://shop.example/complete"),
            ("https://shop.example", "https://shop.example/"),
            ("https://shop.example/complete/", "https://shop.example/complete"),
            ("https://shop.example/%63omplete", "https://shop.example/complete"),
            ("https://shop.example/a%c3%a5", "https://shop.example/a%C3%A5"),
            ("https://shop.example/c?b=2&a=1", "https://shop.example/c?a=1&b=2"),
            ("https://shop.example/c?a=1&ref=9", "https://shop.example/c?a=1"),
            ("https://shop.example/klart/å", "https://shop.example/klart/å"),
            ("https://shop.example/#/done", "https://shop.example/#/done"),
        ])
    func `a redirect to an equivalent URL matches the order's URL`(link: String, address: String) {
        #expect(PaymentURL.isEquivalent(link, address))
    }

    @Test(
        arguments: [
            ("", ""),
            ("http://shop.example/complete", "https://shop.example/complete"),
            ("https://shop.example/Complete", "https://shop.example/complete"),
            ("https://shop.example/complete", "https://shop.example/complete?id=1"),
            ("https://shop.example/complete?id=2", "https://shop.example/complete?id=1"),
            ("https://shop.example:444/complete", "https://shop.example/complete"),
            ("https://shop.example/a%2Fb", "https://shop.example/a/b"),
            ("https://shop.example/#/failed", "https://shop.example/#/done"),
            ("https://shop.example.evil.example/complete", "https://shop.example/complete"),
        ])
    func `a redirect to a different URL does not match the order's URL`(
        link: String,
        address: String
    ) {
        #expect(!PaymentURL.isEquivalent(link, address))
    }

    private static let urls = PlaintextOrderURLs(
        complete: "https://shop.example/complete",
        cancel: "https://shop.example/cancel",
        payment: "https://shop.example/pay?id=7f0c"
    )

    @Test(
        arguments: [
            ("https://shop.example/complete?x=1", RedirectTarget.complete),
            ("https://shop.example/cancel/", .cancel),
            ("https://shop.example/pay?id=7f0c&swp_ut=1", .payment),
            ("https://Other.Example:8443/secret/path?token=1", .elsewhere(host: "other.example")),
            ("not an address", .unreadable), ("mailto:a@b.example", .unreadable),
        ])
    func `a redirect is classified by the order URL that it leads to`(
        href: String,
        target: RedirectTarget
    ) {
        #expect(RedirectTarget.classify(href, urls: Self.urls) == target)
    }

    @Test func `a redirect without a URL is neither complete nor canceled`() {
        #expect(RedirectTarget.classify(nil, urls: PlaintextOrderURLs()) == .unreadable)
        #expect(RedirectTarget.classify("", urls: Self.urls) == .unreadable)
    }

    @Test func `a cancel URL that extends the complete URL is classified as cancel`() {
        let urls = PlaintextOrderURLs(
            complete: "https://shop.example/return",
            cancel: "https://shop.example/return?canceled=1"
        )
        #expect(
            RedirectTarget.classify("https://shop.example/return?canceled=1&x=2", urls: urls)
                == .cancel
        )
        #expect(
            RedirectTarget.classify("https://shop.example/return?x=2", urls: urls) == .complete
        )
    }

    @Test func `complete comes first when both addresses are the same`() {
        let urls = PlaintextOrderURLs(
            complete: "https://shop.example/r",
            cancel: "https://shop.example/r"
        )
        #expect(RedirectTarget.classify("https://shop.example/r", urls: urls) == .complete)
    }
}
