import TestSupport
import Testing

@testable import SwedbankPay

@Suite(.feature("N-01")) struct SessionAddressTests {
    @Test(
        arguments: [
            "https://api.payex.com/psp/paymentsessions/5adc265f?_tc_tid=30f2168171e142d38bcd4af2",
            "HTTPS://API.PAYEX.COM/psp/paymentsessions/x", "https://[2001:db8::1]:8443/x",
        ])
    func `an https session URL is accepted, and its path is not in the description`(
        text: String
    ) throws {
        let address = try SessionAddress(text, allowsInsecureLoopback: false)
        #expect(address.text == text)
        #expect(!"\(address)".contains("x"))
    }

    @Test(
        arguments: [
            ("", SessionAddressError.empty), ("garbage", .malformed), ("https://", .noHost),
            ("https:///x", .noHost), ("https:x", .noHost), ("ftp://host/x", .notHTTPS),
            ("http://host/x", .notHTTPS), ("http://127.0.0.1.evil.example/x", .notHTTPS),
            ("http://localhost.evil.example/x", .notHTTPS),
            ("http://127.0.0.1:1/x", .loopbackNotAllowed),
            ("https://user:pass@host/x", .userinfo), ("https://host/x\n", .controlCharacter),
            ("https://host/\u{0}", .controlCharacter), ("https://host/a b", .malformed),
            ("https://host/%zz", .malformed), ("https://h%6Fst/x", .noHost),
            ("https://host:99999/x", .malformed), ("https://host:12a/x", .malformed),
            ("https://host/x#y", .fragment), ("https://hö.example/x", .malformed),
            ("https://a\\@b/x", .malformed), ("javascript:alert(1)", .notHTTPS),
            ("https://host/" + String(repeating: "a", count: 2048), .tooLong),
        ])
    func `a bad session URL is refused with one reason`(text: String, reason: SessionAddressError) {
        #expect(throws: reason) { try SessionAddress(text, allowsInsecureLoopback: false) }
    }

    @Test(arguments: ["http://127.0.0.1:8080/x", "http://[::1]/x", "http://LOCALHOST:1/x"])
    func `plain http reaches a sandbox on this machine when that is allowed`(text: String) throws {
        #expect(try SessionAddress(text, allowsInsecureLoopback: true).text == text)
        #expect(throws: SessionAddressError.loopbackNotAllowed) {
            try SessionAddress(text, allowsInsecureLoopback: false)
        }
    }

    @Test(
        arguments: [
            ("https://a.example/s/1?_tc_tid=1", "https://a.example/s/1", true),
            ("https://a.example/s/1?_tc_tid=1", "http://A.example:80/s/1?_tc_tid=2", true),
            ("https://a.example/s/1", "https://a.example:443/s/%31/?", true),
            ("https://a.example/s?id=1&_tc_tid=1", "https://a.example/s?_tc_tid=2&id=1", true),
            ("https://a.example/s/1", "https://a.example/s/2", false),
            ("https://a.example/s?id=1", "https://a.example/s?id=2", false),
            ("https://a.example/s/1", "https://b.example/s/1", false),
            ("https://a.example/s/1", "https://a.example:8443/s/1", false),
            ("https://a.example/s/A", "https://a.example/s/a", false),
        ])
    func `a session is identified by host, port, path and query without the trace identifier`(
        one: String,
        other: String,
        isSame: Bool
    ) {
        let identities = [one, other].map(SessionAddress.identity(of:))
        #expect((identities[0] == identities[1]) == isSame)
    }

    @Test func `no error quotes the address`() {
        for text in ["https://user:s3cret@host/x", "http://s3cret.example/", "s3cret\n", "s3cret"] {
            do {
                _ = try SessionAddress(text, allowsInsecureLoopback: true)
                Issue.record("it was taken")
            } catch {
                #expect(!error.description.contains("s3cret"))
            }
        }
    }

    @Test(
        arguments: [
            ("http://host/a?b#c", "https://host/a?b#c"), ("HTTP://host:80/a", "https://host/a"),
            ("http://host:8080/a", "https://host:8080/a"), ("http://host", "https://host"),
            ("http://host?q=1", "https://host?q=1"),
            ("https://Host:80/a", "https://Host:80/a"),
            ("http://localhost:80/a", "https://localhost/a"),
        ])
    func `plain http links of the PSP are upgraded to https`(href: String, upgraded: String) {
        #expect(APIAddress.upgraded(href, allowsInsecureLoopback: false) == upgraded)
    }

    @Test(arguments: [
        "swish://x", "ftp://host/a", "//host/a", "", "https://u@host/", "file:///etc",
    ])
    func `a link without http or https, or with user information, is refused`(href: String) {
        #expect(APIAddress.upgraded(href, allowsInsecureLoopback: true) == nil)
    }

    @Test func `http to loopback is kept when allowed, and other http links are upgraded`() {
        let href = "http://127.0.0.1:8080/a"
        #expect(APIAddress.upgraded(href, allowsInsecureLoopback: true) == href)
        #expect(
            APIAddress.upgraded("http://host/a", allowsInsecureLoopback: true) == "https://host/a"
        )
    }
}
