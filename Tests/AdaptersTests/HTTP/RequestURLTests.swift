import Adapters
import HTTPTypes
import TestSupport
import Testing

@testable import UVTransport

@Suite(.threat("T-34")) struct RequestURLTests {
    private static func refusal(
        _ text: String,
        _ configure: (inout TransportConfiguration) -> Void = { _ in }
    ) -> URLRefusal? {
        var configuration = TransportConfiguration()
        configure(&configuration)
        let request = TransportRequest(method: .get, url: text)
        do throws(TransportFailure) {
            _ = try PreparedRequest(request, under: configuration)
            return nil
        } catch {
            guard case .refusedURL(let reason) = error.kind, error.reach == .notSent else {
                Issue.record("\(error)")
                return nil
            }
            return reason
        }
    }

    @Test(arguments: [
        "https://api.payex.com/psp", "https://payex.com",
        "https://ECOM.ExternalIntegration.PayEx.com/",
        "https://api.swedbankpay.com:443/a?b=c", "HTTPS://api.payex.com?x=1",
    ])
    func `the PSP's addresses may be called`(text: String) {
        #expect(Self.refusal(text) == nil)
    }

    @Test(arguments: [
        ("https://evilpayex.com/", URLRefusal.host), ("https://payex.com.evil.example/", .host),
        ("https://example.com/payex.com", .host), ("https://127.0.0.1/", .host),
        ("https://localhost/", .host), ("https://[::1]/", .host), ("https://[::2]/", .host),
        ("https://10.0.0.1/", .host), ("http://api.payex.com/", .scheme),
        ("http://127.0.0.1/", .scheme),
        ("ftp://api.payex.com/", .scheme), ("file:///etc/passwd", .scheme),
        ("https://user@api.payex.com/", .credentials), ("https://a:b@api.payex.com/", .credentials),
        ("https://api.payex.com@evil.example/", .credentials),
        ("https://evil.example\\@api.payex.com/", .forbiddenCharacter),
        ("https://api.payex.com/\r\nX: y", .forbiddenCharacter),
        ("https://api.payex.com/a b", .forbiddenCharacter),
        ("https://api.payex.com/\u{0}", .forbiddenCharacter),
        ("https://api.payéx.com/", .forbiddenCharacter),
        ("https://evil.example#.payex.com/", .fragment), ("https://api.payex.com./", .malformed),
        ("https://api..payex.com/", .malformed), ("https://evil.example%2F.payex.com/", .malformed),
        ("https:///payex.com", .malformed), ("https:/api.payex.com/", .malformed),
        ("https://", .malformed),
        ("payex.com", .malformed), ("", .malformed), ("https://api.payex.com:0/", .malformed),
        ("https://api.payex.com:65536/", .malformed), ("https://api.payex.com:+443/", .malformed),
        ("https://api.payex.com:/", .malformed), ("https://0x7f.1/", .malformed),
        ("https://2130706433/", .malformed),
        ("https://127.1/", .malformed), ("https://0177.0.0.1/", .malformed),
        ("https://[::1/", .malformed),
    ])
    func `an ambiguous or forbidden address is refused with the reason`(
        text: String,
        reason: URLRefusal
    ) {
        #expect(Self.refusal(text) == reason)
    }

    @Test func `loopback is called only when it was allowed`() {
        for text in [
            "http://127.0.0.1:8080/", "http://localhost/", "https://[::1]:1/", "http://127.9.9.9/",
        ] {
            #expect(Self.refusal(text) != nil)
            #expect(Self.refusal(text) { $0.allowsInsecureLoopback = true } == nil)
        }
        #expect(
            Self.refusal("http://localhost.example/") { $0.allowsInsecureLoopback = true }
                == .scheme
        )
        #expect(Self.refusal("http://128.0.0.1/") { $0.allowsInsecureLoopback = true } == .scheme)
    }

    @Test(
        arguments: [
            ("https://api.payex.com:8443/", URLRefusal.port), ("https://api.payex.com:22/", .port),
            ("https://api.payex.com:80/", .port), ("https://psp.example:8443/", nil),
            ("https://a.psp.example:8443/", nil), ("https://psp.example/", .port),
            ("https://psp.example:443/", .port), ("https://psp.example:9443/", .port),
            ("https://evil.example:8443/", .host), ("https://api.payex.com:443/", nil),
        ] as [(String, URLRefusal?)]
    )
    func `an allowed host is called at the default port, or only at the port given for it`(
        text: String,
        reason: URLRefusal?
    ) {
        let refusal = Self.refusal(text) {
            $0.allowedHostSuffixes = ["payex.com", "psp.example:8443"]
        }
        #expect(refusal == reason)
    }

    @Test(arguments: ["127.0.0.1:8093", "localhost:8093", "127.1.2.3:8093", "[::1]:8093"])
    func `an allowed port of this machine is its only one, whatever the machine is called`(
        allowed: String
    ) {
        for host in ["127.0.0.1", "localhost", "[::1]", "127.0.0.2", "LOCALHOST"] {
            for (port, reason) in [(":8093", nil), (":5432", URLRefusal.port), ("", .port)] {
                let refusal = Self.refusal("http://\(host)\(port)/") {
                    $0.allowsInsecureLoopback = true
                    $0.allowedHostSuffixes = ["payex.com", allowed]
                }
                #expect(refusal == reason, "\(host)\(port)")
            }
        }
    }

    @Test func `an overlong address is refused`() {
        #expect(
            Self.refusal("https://api.payex.com/" + String(repeating: "a", count: 9_000))
                == .tooLong
        )
    }

    @Test(
        arguments: [
            ("get", [], nil, "method"), ("CONNECT", [], nil, "method"),
            ("M-SEARCH", [], nil, "method"), ("GET", [], [1], "body"),
            (String(repeating: "A", count: 17), [], nil, "method"),
            ("POST", [("Host", "x")], nil, "reserved header"),
            ("POST", [("content-LENGTH", "1")], nil, "reserved header"),
        ] as [(String, [(String, String)], [UInt8]?, String)]
    )
    func `a method, body or header that could smuggle a second request is refused`(
        method: String,
        headers: [(String, String)],
        body: [UInt8]?,
        part: String
    ) throws {
        let request = TransportRequest(
            method: try #require(HTTPRequest.Method(method)),
            url: "https://api.payex.com/",
            headers: try HTTPFields(checking: headers.map { (name: $0.0, value: $0.1) }),
            body: body
        )
        expectRefusal(of: request, for: part)
    }

    @Test func `a header value with a control character that HTTPTypes accepts is refused`() {
        var request = TransportRequest(method: .post, url: "https://api.payex.com/")
        request.headers.append(HTTPField(name: .via, lenientValue: [0x7F]))
        expectRefusal(of: request, for: "header value")
    }

    private func expectRefusal(of request: TransportRequest, for part: String) {
        #expect(throws: TransportFailure(reach: .notSent, kind: .refusedRequest(part))) {
            try PreparedRequest(request, under: TransportConfiguration())
        }
    }
}
