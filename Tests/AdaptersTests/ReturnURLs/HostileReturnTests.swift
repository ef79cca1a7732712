import Adapters
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Names and identifiers that try to break out of their position in an address.
@Suite(.threat("T-50")) struct HostileReturnTests {
    private static let hostile = [
        "\"><script>alert(1)</script>", "';alert(1)//", "#Intent;scheme=javascript;end;", "a;b=c",
        "a&fallback=true", "a&scheme=evil", "?x=1", "%", "%zz", "%2523", "%00", "å ä ö", "日本語", "🛍️",
        "a+b c", "../../..", "//evil.example", "https://evil.example",
        "javascript:alert(1)", "\\evil", "e\u{301}", "|", "{}", "^`",
    ]

    @Test(arguments: hostile)
    func `a hostile app name passes through page and button unchanged`(name: String) throws {
        try roundTrip(name: name)
    }

    @Test(arguments: hostile)
    func `a hostile identifier is used unchanged or refused`(id: String) throws {
        let root = try BackendRoot("https://example.com")
        let package = try #require(AndroidPackage("com.example"))
        let url = try? root.paymentURL(for: .android(package), id: id)
        #expect(url.map { $0.hasSuffix("&id=" + id) } ?? true)
        #expect(AndroidPackage(id) == nil)
        #expect(CallbackScheme(id) == nil)
        #expect(throws: ReturnURLError.self) {
            let language = Language(rawValue: id)
            let scheme = try #require(CallbackScheme("shopapp"))
            return try root.paymentURL(for: .iOS(scheme, language: language), id: "1")
        }
    }

    @Test(arguments: [
        "", "a\nb", "a\u{0}", "a\u{7F}", "a\u{85}", "\u{202E}gro.elpmaxe", "a\u{200B}b",
        "a\u{2028}b", "\u{E000}",
        String(repeating: "å", count: 101),
    ])
    func `an app name that is empty, invisible or too long is refused`(name: String) {
        #expect(throws: ReturnURLError.self) { try roundTrip(name: name) }
    }

    @Test(
        arguments: [
            "shop", "com.", ".com", "com..shop", "1com.shop", "com.1shop", "com.shop;end",
            "com.shöp",
            "com.shop ", "com-x.shop", "_a.b", "a.b\n", "a.b#Intent",
            String(repeating: "a.", count: 128),
        ])
    func `an invalid Android package name is refused`(text: String) {
        #expect(AndroidPackage(text) == nil)
    }

    @Test(arguments: [7, 11, 13] as [UInt64])
    func `random app names pass through unchanged unless unprintable or too long`(
        seed: UInt64
    ) throws {
        var random = FuzzRandom(seed: seed)
        for round in 0..<300 {
            let name = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...20, using: &random)).map { _ in
                        random.scalar()
                    }
                )
            )
            do {
                try roundTrip(name: name)
            } catch is ReturnURLError {
                let refused =
                    name.utf8.count > 200
                    || name.unicodeScalars.contains {
                        [
                            .control, .format, .privateUse, .unassigned, .lineSeparator,
                            .paragraphSeparator,
                        ]
                        .contains($0.properties.generalCategory)
                    }
                #expect(refused, "seed \(seed), round \(round)")
            }
        }
    }

    @Test(arguments: [3, 5, 17] as [UInt64])
    func `whatever the query, only the allowed app is opened and only the allowed page shown`(
        seed: UInt64
    ) throws {
        var random = FuzzRandom(seed: seed)
        let root = try BackendRoot("https://example.com/")
        let scheme = try #require(CallbackScheme("shopapp"))
        let package = try #require(AndroidPackage("com.example.shop"))
        let trampoline = try Trampoline()
        let pieces = [
            "scheme=shopapp", "scheme=evil", "language=en-US", "language=x", "fallback=true",
            "fallback", "app=A", "app=%22", "&", ";", "#", "%23", "%", "=",
            "package=com.example.shop",
            "package=evil.app", "id=1", "é", " ", "'",
            "S.browser_fallback_url=https://evil.example",
        ]
        var opened = 0
        for round in 0..<2_000 {
            let query = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? "&" : "")
            let comment: Comment = "seed \(seed), round \(round)"
            let link = try? ReturnRequest(root: root, page: .universalLink, query: query)
                .universalLink(allowing: [scheme], trampoline: trampoline)
            switch link {
            case .app(let url):
                opened += 1
                #expect(url.hasPrefix("shopapp://example.com/sdk-callback/"), comment)
                #expect(url.hasSuffix(query), comment)
            case .trampoline(let url):
                opened += 1
                let target = AddressReading(url).value(of: "target") ?? ""
                #expect(url.hasPrefix(Trampoline.example + "?target="), comment)
                #expect(AddressReading(target).host == "example.com", comment)
                #expect(target.hasSuffix(query + "&fallback=true"), comment)
            case nil: break
            }
            let intent = try? ReturnRequest(root: root, page: .androidIntent, query: query)
                .intentURL(allowing: [package])
            if let intent {
                opened += 1
                let parts = intent.split(separator: "#", omittingEmptySubsequences: false)
                #expect(parts.count == 2, comment)
                #expect(
                    parts.last
                        == "Intent;scheme=https;action=com.swedbankpay.mobilesdk.VIEW_PAYMENTORDER;package=com.example.shop;end;",
                    comment
                )
            }
        }
        #expect(opened > 20, "seed \(seed)")
    }

    private func roundTrip(name: String) throws {
        let root = try BackendRoot("https://example.com/shop")
        let scheme = try #require(CallbackScheme("shopapp"))
        let payment = try root.paymentURL(
            for: .iOS(scheme, language: .svSE, name: name),
            id: "7f0c"
        )
        #expect(AddressReading(payment).names == ["scheme", "language", "id", "app"])
        let query = payment.split(separator: "?", maxSplits: 1)[1]
        let link = try ReturnRequest(root: root, page: .universalLink, query: String(query))
            .universalLink(allowing: [scheme], trampoline: Trampoline())
        let shown = AddressReading(link.address)
        #expect(shown.names == ["target", "language", "app"])
        #expect(shown.host == "ecom.payex.com")
        // Not compared as strings, of which several count as equal.
        #expect(shown.value(of: "app").map { Array($0.utf8) } == Array(name.utf8))
        let target = try #require(shown.value(of: "target"))
        #expect(target == payment + "&fallback=true")
        #expect(ReturnURL.match(target, paymentURL: payment, callbackScheme: nil) == .augmented)
        #expect(!link.address.contains { "\"'<>#;\n ".contains($0) })
    }
}

/// A generator of the same numbers for the same seed (SplitMix64).
struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// Returns any character, most of them ASCII.
    mutating func scalar() -> Unicode.Scalar {
        let range: ClosedRange<UInt32> =
            Int.random(in: 0..<4, using: &self) == 0 ? 0x80...0x1F_FFF : 0...0x7F
        return Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "?"
    }
}
