@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

extension FuzzTarget {
    /// A text in a log that is redacted.
    static let redaction = FuzzTarget(
        name: "redaction",
        maximumLength: 4096,
        growths: [
            .repeating("1 "), .repeating("12"), .repeating("+1"), .repeating("0"), .repeating("@"),
            .repeating("a@"), .repeating("%40"), .repeating("a://"), .repeating("://@"),
            .repeating("&a=b", after: "https://h/?c=d"), .repeating("/%41", after: "https://h"),
            .repeating("token="), .repeating("="), .repeating("\"", before: ":"),
            .repeating("eyJ"), .repeating("eyJ."), .repeating("aB1"), .repeating("bearer "),
            .repeating("cvc "), .repeating("["), .repeating("[card number "), .repeating("("),
            .repeating("2026-11-20 "), .repeating("abcdef0123456789", after: "sha256:"),
            .repeating("0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"), .repeating("e\u{301}"),
        ],
        check: { bytes throws(Broken) in
            let text = String(decoding: bytes, as: UTF8.self)
            var isMasked = false
            for style in [Mask.Style.text, .address, .word] {
                var redactor = Redactor()
                let masked = redactor.mask(text, style: style)
                guard let masked else { continue }
                isMasked = true
                try hold(masked != text, "what is masked is another text")
                try hold(Mask.occurs(in: masked, style: style), "a mask stands in it")
                try hold(redactor.mask(masked, style: style) == nil, "a second time finds nothing")
                var again = Redactor()
                try hold(again.mask(text, style: style) == masked, "the same text gives the same")
                if style == .address, let parts = AddressParts(text),
                    parts.host?.hasPrefix("[") != true, !parts.scheme.contains(where: \.isNumber),
                    masked.utf8.count <= AddressParts.maximumLength
                {
                    try hold(AddressParts(masked) != nil, "an address stays one")
                }
            }
            try Planting.check(text, at: Int(bytes.first ?? 0))
            return isMasked
        }
    )
}

/// Returns a text with a secret at some position.
enum Planting {
    private static let secrets = [
        "5105105105105100", "5105 1051 0510 5100", "5105-1051-0510-5100",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI1MTA1In0.c2lnbmF0dXJl",
    ]

    static func check(_ text: String, at place: Int) throws(Broken) {
        let scalars = Array(text.unicodeScalars)
        let cut = scalars.isEmpty ? 0 : place % scalars.count
        let before = String(String.UnicodeScalarView(scalars[..<cut]))
        let after = String(String.UnicodeScalarView(scalars[cut...]))
        for secret in secrets where !text.contains(secret) {
            for style in [Mask.Style.text, .address] {
                var redactor = Redactor()
                let masked = redactor.mask(before + secret + after, style: style) ?? ""
                try hold(!masked.utf8.elementsEqual("".utf8), "a planted secret is found")
                try hold(!masked.contains(secret), "a planted secret does not survive")
            }
        }
    }
}
