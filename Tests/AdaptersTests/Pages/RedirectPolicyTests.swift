import Adapters
import TestSupport
import Testing

@Suite(.feature("O-30")) struct RedirectPolicyTests {
    @Test(
        arguments: [
            ("example.com", "example.com", true), ("example.com", "EXAMPLE.com", true),
            ("Example.COM", "example.com", true), ("example.com", "a.example.com", false),
            ("example.com", "evilexample.com", false), ("example.com", "example.com.evil", false),
            ("*.example.com", "example.com", true), ("*.example.com", "a.example.com", true),
            ("*.example.com", "a.b.example.com", false),
            ("*.example.com", "evilexample.com", false), ("*.example.com", ".example.com", false),
            ("**.example.com", "example.com", true), ("**.example.com", "a.example.com", true),
            ("**.example.com", "a.b.example.com", true),
            ("**.example.com", "evilexample.com", false),
            ("**.example.com", "example.com.evil.example", false),
            ("**.payex.com", "ecom.externalintegration.payex.com", true),
            ("**.payex.com", "payex.com.", false), ("k.example", "\u{212A}.example", false),
        ])
    func `a page stays in the web view when its host matches the pattern`(
        pattern: String,
        host: String,
        stays: Bool
    ) throws {
        #expect(try #require(HostPattern(pattern)).matches(host) == stays)
    }

    @Test(
        arguments: [
            "", "*", "**", "*.", "**.", "*example.com", "***.example.com", "*.*.example.com",
            "a.*.example.com", "**.*.example.com", ".example.com", "example..com", "example.com.",
            "https://example.com", "example.com/path", "example.com:443", "a b", "# a", "#a",
            "[::1]", "exämple.com", "\u{212A}.example", "*.example.com #", "user@example.com",
        ])
    func `an invalid pattern is skipped`(text: String) {
        #expect(HostPattern(text) == nil)
        #expect(HostPattern.list("\(text)\ngood.example") == [HostPattern("good.example")])
    }

    @Test
    func `a pattern list may have blanks, empty lines and comments, and has a maximum length`() {
        let text =
            "\u{FEFF}\n  # comment\n\n\t*.a.example \r\nB.example\r\n#c.example\n   \nd.example"
        #expect(
            HostPattern.list(text)
                == ["*.a.example", "b.example", "d.example"].compactMap { HostPattern($0) }
        )
        #expect(HostPattern.list("") == [])
        let long = String(repeating: "a.example\n", count: HostPattern.maximumCount + 5)
        #expect(HostPattern.list(long).count == HostPattern.maximumCount)
    }

    @Test(.feature("O-31")) func `the bundled pattern list matches the documented one`() {
        #expect(HostPattern.knownGood.count == 12)
        #expect(HostPattern.list(HostPattern.knownGoodList) == HostPattern.knownGood)
        let stay = [
            "payex.com", "a.b.payex.com", "acs4.sparebank1.no", "acs.3dsecure.no",
            "a.3ds.modirum.com", "idcheck.acs.touchtechpayments.com",
            "verifiedbyvisa.acs.touchtechpayments.com", "x.wlp-acs.com", "x.op.fi",
            "acs1.luottokunta.fi", "online.s-pankki.fi", "identify.nordea.com",
            "verifiedbyvisa.skandia.se",
        ]
        let policy = RedirectPolicy.knownGood()
        for host in stay { #expect(policy.keepsInWebView("https://\(host)/p?q=1"), "\(host)") }
        for host in ["evilpayex.com", "acs5.sparebank1.no", "a.b.op.fi", "nordea.com", "x.example"]
        {
            #expect(!policy.keepsInWebView("https://\(host)/"), "\(host)")
        }
        let more = RedirectPolicy.knownGood(adding: HostPattern.list("x.example"))
        #expect(more.keepsInWebView("https://x.example/"))
    }

    @Test func `only the host decides, and a URL without a well-formed host leaves the web view`()
        throws
    {
        let policy = RedirectPolicy.hosts([try #require(HostPattern("a.example"))])
        for url in ["https://A.example:8443/x", "http://u@a.example?q#f", "app://a.example"] {
            #expect(policy.keepsInWebView(url), "\(url)")
        }
        for url in [
            "https://evil.example\\@a.example/", "https://a.example@evil.example/", "a.example", "",
            "https:a.example", "https://evil.example/a.example", "https://a.example%00.evil/",
        ] {
            #expect(!policy.keepsInWebView(url), "\(url)")
        }
    }

    @Test(.feature("O-28"))
    func `alwaysUseWebView and alwaysUseBrowser override the configured policy`() {
        let url = "https://bank.example/"
        let configured = RedirectPolicy.knownGood()
        #expect(!RedirectBehavior.asConfigured.policy(configured: configured).keepsInWebView(url))
        #expect(RedirectBehavior.asConfigured.policy(configured: .webView).keepsInWebView(url))
        #expect(
            RedirectBehavior.alwaysUseWebView.policy(configured: configured).keepsInWebView(url)
        )
        #expect(
            !RedirectBehavior.alwaysUseBrowser.policy(configured: .webView).keepsInWebView(url)
        )
        #expect(RedirectBehavior(rawValue: "AlwaysUseBrowser") == .alwaysUseBrowser)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `matching agrees with a comparison label by label`(seed: UInt64) {
        var random = FuzzRandom(seed: seed)
        let labels = ["a", "b", "A", "evil", "com", "a-b", "xa", ""]
        var matched = 0
        for round in 0..<2_000 {
            let domain = (0..<Int.random(in: 1...3, using: &random))
                .map { _ in labels.randomElement(using: &random) ?? "" }
            let stars = ["", "*.", "**.", "*x", "***."].randomElement(using: &random) ?? ""
            var host = domain
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                host.insert(labels.randomElement(using: &random) ?? "", at: 0)
            }
            if Int.random(in: 0..<4, using: &random) == 0, !host.isEmpty { host[0] = "x" + host[0] }
            let pattern = HostPattern(stars + domain.joined(separator: "."))
            let comment: Comment =
                "seed \(seed), round \(round): \(stars)\(domain) with \(host)"
            #expect(
                (pattern == nil) == (domain.contains("") || ["*x", "***."].contains(stars)),
                comment
            )
            guard let pattern else { continue }
            let expected = Self.matches(host, domain, stars)
            if expected { matched += 1 }
            #expect(pattern.matches(host.joined(separator: ".")) == expected, comment)
        }
        #expect(matched > 100, "seed \(seed)")
    }

    private static func matches(_ host: [String], _ domain: [String], _ stars: String) -> Bool {
        let more = host.count - domain.count
        guard more >= 0 else { return false }
        let isBelow = zip(host.dropFirst(more), domain).allSatisfy {
            $0.lowercased() == $1.lowercased()
        }
        switch stars {
        case "": return isBelow && more == 0
        case "*.": return isBelow && (more == 0 || more == 1 && host[0] != "")
        // Neither the pattern nor its caller handles a host whose first label is empty.
        default: return isBelow && (more == 0 || host.prefix(more) != [""])
        }
    }
}
