import SwedbankPay
import Testing

/// Random addresses, judged by the rule and by a second, simple implementation of it.
@Suite struct ReturnURLFuzzTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `two implementations of the matching rule agree on random URLs`(seed: UInt64) {
        var addresses = AddressFuzz(seed: seed)
        var counts: [ReturnForm?: Int] = [:]
        for round in 0..<500 {
            let payment = addresses.payment()
            let url = addresses.variant(of: payment)
            let form = ReturnURL.match(url, paymentURL: payment, callbackScheme: "myapp")
            let expected = MatchOracle.match(url, paymentURL: payment, callbackScheme: "myapp")
            #expect(form == expected, "seed \(seed), round \(round): \(url) for \(payment)")
            let isSame = ReturnURL.match(url, paymentURL: payment, callbackScheme: nil) != nil
            #expect(
                PaymentURL.isEquivalent(url, payment) == (isSame || !url.isEmpty && url == payment),
                "seed \(seed), round \(round): \(url) for \(payment)"
            )
            counts[form, default: 0] += 1
        }
        for form: ReturnForm? in [.original, .augmented, .customScheme, nil] {
            #expect(counts[form, default: 0] > 5, "seed \(seed): \(String(describing: form))")
        }
    }
}

/// Payment URLs and how they may have been altered on the way.
private struct AddressFuzz {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private static let schemes = ["https", "HTTPS", "myapp", "myapp", "MyApp", "http", "x"]
    private static let hosts = ["a.se", "b.se", "A.se", "127.0.0.1", "[::1]", "a%41", ""]
    private static let ports = ["", "", "", ":443", ":80", ":8443", ":", ":0443"]
    private static let users = ["", "", "", "", "u@", "u:p@", "@"]
    private static let paths = ["", "/", "/p", "/p/", "/%70", "/p//", "/a/../p", "/%2f", "/%2F"]
    private static let items = [
        "id=1", "id=1", "id=2", "id", "id=", "%69d=%31", "a=b=c", "", "å", "=",
    ]
    private static let fragments = ["", "", "", "", "#", "#f", "#%66"]
    private static let snippets = [
        "%", "&", "?", "#", "/", "=", " ", "a", "@", ":", "[", "\\", "é",
    ]

    private mutating func pick(_ values: [String]) -> String {
        values.randomElement(using: &random) ?? ""
    }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    mutating func payment() -> String {
        pick(["https", "https", "https", "http", "myapp"]) + "://" + pick(Self.users)
            + pick(["a.se", "a.se", "127.0.0.1", "[::1]"]) + pick(Self.ports) + pick(Self.paths)
            + query() + pick(Self.fragments)
    }

    private mutating func query() -> String {
        let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(Self.items) }
        return items.isEmpty ? pick(["", "?"]) : "?" + items.joined(separator: "&")
    }

    /// Returns the address after up to four changes.
    mutating func variant(of payment: String) -> String {
        var url = payment
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                url = pick(Self.schemes) + url.drop { $0 != ":" }
            case 1, 2: url = addingItem(to: url)
            case 3: url = shufflingItems(of: url)
            case 4: url = url.replacing("a.se", with: pick(Self.hosts), maxReplacements: 1)
            case 5: url = url.replacing("/p", with: pick(Self.paths), maxReplacements: 1)
            case 6: url = url.replacing(":443", with: pick(Self.ports), maxReplacements: 1)
            case 7: url = encodingOne(of: url)
            default: if chance(3) { url = damaged(url) }
            }
        }
        return url
    }

    private mutating func addingItem(to url: String) -> String {
        let end = url.firstIndex(of: "#") ?? url.endIndex
        let item = pick(Self.items + ["fallback=true", "swp_ut=1"])
        return url[..<end] + (url[..<end].contains("?") ? "&" : "?") + item + url[end...]
    }

    private mutating func shufflingItems(of url: String) -> String {
        let end = url.firstIndex(of: "#") ?? url.endIndex
        guard let mark = url[..<end].firstIndex(of: "?") else { return url }
        let query = url[url.index(after: mark)..<end]
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
            .shuffled(using: &random)
        return url[...mark] + items.joined(separator: "&") + url[end...]
    }

    /// Returns the address with one character percent-encoded.
    private mutating func encodingOne(of url: String) -> String {
        var bytes = Array(url.utf8)
        guard let place = bytes.indices.dropFirst(8).randomElement(using: &random) else {
            return url
        }
        let digits = String(bytes[place], radix: 16, uppercase: chance(2))
        bytes.replaceSubrange(place...place, with: Array("%\(digits)".utf8))
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func damaged(_ url: String) -> String {
        var characters = Array(url)
        guard !characters.isEmpty else { return url }
        let place = Int.random(in: 0..<characters.count, using: &random)
        if chance(2) {
            characters.remove(at: place)
        } else {
            characters.insert(contentsOf: pick(Self.snippets), at: place)
        }
        return String(characters)
    }
}
