@testable import EventLog

extension FuzzTarget {
    /// A text of the merchant that is recorded.
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
            let isHarmless = OutsideTextScreen.isHarmless(own: text)
            let isReference = OutsideTextScreen.isHarmless(own: text, isReference: true)
            try hold(isReference || !isHarmless, "what a reference must not hold, no text may")
            try Planting.check(text, at: Int(bytes.first ?? 0))
            return !isHarmless
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
        for secret in secrets {
            try hold(
                !OutsideTextScreen.isHarmless(own: before + secret + after),
                "a planted secret is found"
            )
        }
    }
}
