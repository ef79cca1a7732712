/// Reproducible mutations of given inputs.
struct Mutations {
    private var random: SeededGenerator
    private let originals: [[UInt8]]
    private let maximumLength: Int

    /// Texts with which parsers are known to have difficulties.
    static let snippets: [[UInt8]] =
        [
            "null", "true", "-1", "-0", "1e999", "1E+2", "18446744073709551616", "9007199254740992",
            "\"\"", "{}", "[]", "[[", "}", "\\u0000", "\\ud800", "\\uDC00", "\\u005c", ",", ":",
            "\"",
            "\u{FEFF}", "\u{301}", "://", "/\u{301}", "%00", "%2e%2e", "..", "&", "=", "#", "@",
            "?",
            "\r\n", "\n", " ", "\t", "canary-7f3a9c51d2e8", "{\"$sealed\":0,\"fp\":\"",
            "0000-01-01",
            "9999-12-31", "9223372036854775807", "-9223372036854775808", "\u{200B}", "\u{130}",
        ].map { Array($0.utf8) } + [
            [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ]

    init(seed: UInt64, of originals: [[UInt8]], maximumLength: Int) {
        random = SeededGenerator(state: seed)
        self.originals = originals.isEmpty ? [[]] : originals
        self.maximumLength = maximumLength
    }

    /// Returns the next input.
    mutating func next() -> [UInt8] {
        var bytes = originals.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...5, using: &random) { change(&bytes) }
        return Array(bytes.prefix(maximumLength))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...64, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where place < bytes.count:
            bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 4:
            let other = originals.randomElement(using: &random) ?? []
            let from = Int.random(in: 0...other.count, using: &random)
            let to = min(other.count, from + Int.random(in: 1...256, using: &random))
            bytes.replaceSubrange(place..<end, with: other[from..<to])
        case 5: bytes.removeSubrange(place...)
        default:
            bytes.insert(contentsOf: Self.snippets.randomElement(using: &random) ?? [], at: place)
        }
    }
}

/// A SplitMix64 generator, whose numbers are the same for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
