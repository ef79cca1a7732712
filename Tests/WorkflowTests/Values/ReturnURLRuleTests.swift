import SwedbankPay
import Testing

/// A payment URL, the address with which the payer returned, and how it matches.
struct ReturnCase: Sendable, CustomTestStringConvertible {
    let payment: String
    let url: String
    let form: ReturnForm?
    var testDescription: String { "\(url) for \(payment)" }

    init(_ payment: String, _ url: String, _ form: ReturnForm?) {
        self.payment = payment
        self.url = url
        self.form = form
    }
}

/// The matching rule, row by row and rule by rule.
@Suite struct ReturnURLRuleTests {
    private static let order = "https://a.se/p?id=1"

    private static let documented: [ReturnCase] = [
        ReturnCase(order, "https://a.se/p?id=1&fallback=true", .augmented),
        ReturnCase(order, "https://a.se/p?fallback=true&id=1", .augmented),
        ReturnCase(order, "myapp://a.se/p?id=1&fallback=true", .customScheme),
        ReturnCase(order, "https://a.se/p?id=2", nil),
        ReturnCase(order, "https://a.se/p", nil),
        ReturnCase(order, "https://b.se/p?id=1", nil),
        ReturnCase(order, "https://a.se/p/?id=1", .original),
        ReturnCase(order, "https://a.se/p?id=1&id=1", .augmented),
        ReturnCase("https://a.se/p?id=1&id=1", order, nil),
        ReturnCase(order, "https://a.se:443/p?id=1", .original),
        ReturnCase(order, "http://a.se/p?id=1", nil),
        ReturnCase(order, order + "#done", nil),
    ]

    private static let forms: [ReturnCase] = [
        ReturnCase(order, order, .original),
        ReturnCase(order, "myapp://a.se/p?id=1", .customScheme),
        ReturnCase(order, order + "&swp_ut=x", .augmented),
        ReturnCase(order, order + "&Swp_Ut=x", .augmented),
        ReturnCase("https://a.se/p", "https://a.se/p?swp_ut=x", .augmented),
        ReturnCase("https://a.se/p", "myapp://a.se/p?fallback=true", .customScheme),
        ReturnCase("https://a.se/p", "https://a.se/p?", .original),
        ReturnCase("https://a.se/p?", "https://a.se/p", .original),
    ]

    private static let schemes: [ReturnCase] = [
        ReturnCase(order, "HTTPS://a.se/p?id=1", .original),
        ReturnCase(order, "MYAPP://a.se/p?id=1", .customScheme),
        ReturnCase(order, "myapp2://a.se/p?id=1", nil),
        ReturnCase(order, "javascript://a.se/p?id=1", nil),
        ReturnCase(order, "myapp:/a.se/p?id=1", nil),
        ReturnCase("myapp://a.se/p?id=1", order, nil),
        ReturnCase("myapp://payment/", "myapp://payment/?x=1", .augmented),
    ]

    private static let queries: [ReturnCase] = [
        ReturnCase("https://a.se/p?a=1&b=2", "https://a.se/p?b=2&a=1", .original),
        ReturnCase("https://a.se/p?a=1&a=2", "https://a.se/p?a=2&a=1", .original),
        ReturnCase("https://a.se/p?a=1&a=2", "https://a.se/p?a=1&a=1", nil),
        ReturnCase("https://a.se/p?a=%41", "https://a.se/p?a=A", .original),
        ReturnCase("https://a.se/p?a=b%26c=d", "https://a.se/p?a=b&c=d", nil),
        ReturnCase("https://a.se/p?a=b%3Dc", "https://a.se/p?a=b=c", .original),
        ReturnCase("https://a.se/p?a=%20", "https://a.se/p?a=+", nil),
        ReturnCase("https://a.se/p?a=%c3%a5", "https://a.se/p?a=%C3%A5", .original),
        ReturnCase("https://a.se/p?a=%C3%A5", "https://a.se/p?a=a%CC%8A", nil),
        ReturnCase("https://a.se/p?a", "https://a.se/p?a=", nil),
        ReturnCase("https://a.se/p?a=", "https://a.se/p?a", nil),
        ReturnCase("https://a.se/p?a=1", "https://a.se/p?A=1", nil),
    ]

    private static let places: [ReturnCase] = [
        ReturnCase(order, "https://u@a.se/p?id=1", nil),
        ReturnCase(order, "https://@a.se/p?id=1", nil),
        ReturnCase("https://u:p@a.se/p", "https://u:p@a.se/p", .original),
        ReturnCase("https://u:p@a.se/p", "https://u:q@a.se/p", nil),
        ReturnCase(order, "https://A.SE/p?id=1", .original),
        ReturnCase(order, "https://a.se./p?id=1", nil),
        ReturnCase(order, "https://www.a.se/p?id=1", nil),
        ReturnCase(order, "https://a.se:8443/p?id=1", nil),
        ReturnCase("https://a.se:8443/p", "https://a.se:8443/p", .original),
        ReturnCase("https://a.se:8443/p", "myapp://a.se:8443/p", .customScheme),
        ReturnCase("https://a.se:443/p", "myapp://a.se/p", .customScheme),
        ReturnCase("https://[::1]/p", "https://[::1]/p", .original),
        ReturnCase("https://[]/p", "https://[]/p", nil),
        ReturnCase(order, "https://a.se/P?id=1", nil),
        ReturnCase(order, "https://a.se/q/../p?id=1", nil),
        ReturnCase(order, "https://a.se/%70?id=1", .original),
        ReturnCase("https://a.se/a%2Fb", "https://a.se/a/b", nil),
        ReturnCase(order + "#f", order + "#f", .original),
        ReturnCase(order + "#f", order, nil),
        ReturnCase(order + "#", order, nil),
    ]

    private static let slashes: [ReturnCase] = [
        ReturnCase("https://a.se/p/", "https://a.se/p", .original),
        ReturnCase("https://a.se", "https://a.se/", .original),
        ReturnCase("https://a.se/", "https://a.se?x=1", .augmented),
        ReturnCase("https://a.se/p", "https://a.se/p//", nil),
        ReturnCase("https://a.se/p//", "https://a.se/p/", nil),
        ReturnCase("https://a.se/p?id=1", "https://a.se/p?id=1/", nil),
    ]

    private static let unreadable: [ReturnCase] = [
        "", " ", order + " ", " " + order, order + "\n", "https://a.se/p?id=1%",
        "https://a.se\\p?id=1",
        "https://a.se/p?id=1&x=å", "https://a.se/p?id=1&x=<>", "//a.se/p?id=1", "a.se/p?id=1",
        "https:///p?id=1", "https://a.se:x/p?id=1", "https://a.se:70000/p?id=1",
        "https://a.se/p?id=1&x=" + String(repeating: "a", count: 8_192),
    ].map { ReturnCase(order, $0, nil) }

    @Test(
        arguments: documented + forms + schemes + queries + places + slashes + unreadable
    )
    func `a return URL is matched to its form of the payment URL`(row: ReturnCase) {
        #expect(
            ReturnURL.match(row.url, paymentURL: row.payment, callbackScheme: "myapp") == row.form
        )
        #expect(
            MatchOracle.match(row.url, paymentURL: row.payment, callbackScheme: "myapp") == row.form
        )
    }

    @Test func `a malformed payment URL is never matched`() {
        for url in ["", "a.se/p", "https://a.se/å", "https://a.se/p%"] {
            #expect(ReturnURL.match(url, paymentURL: url, callbackScheme: nil) == nil)
        }
    }

    @Test func `without a callback scheme, no other scheme is accepted`() {
        for scheme in ["myapp", "http", "intent"] {
            #expect(
                ReturnURL.match(
                    "\(scheme)://a.se/p?id=1",
                    paymentURL: Self.order,
                    callbackScheme: nil
                ) == nil
            )
        }
    }
}
