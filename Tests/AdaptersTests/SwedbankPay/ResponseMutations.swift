/// The protocol's example response, damaged in ways derived from a seed.
struct ResponseMutations {
    private var generator: Generator

    init(seed: UInt64, of original: String = SnapshotTests.illustrative) {
        generator = Generator(state: seed)
        self.original = Array(original.utf8)
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private let original: [UInt8]
    private static let snippets = [
        "null", "true", "-1", "1e999", "18446744073709551616", "\"\"", "{}", "[]", "[[", "}",
        "\\u0000",
        "\\ud800", ",", ":", "\"rel\":1,", "\"next\":\"TRUE\",", "\u{FEFF}", "\u{0301}", "\"",
        "0.5",
    ].map { Array($0.utf8) }

    mutating func next() -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2:
                let end = min(bytes.count, place + Int.random(in: 0..<40, using: &generator))
                bytes.removeSubrange(place..<end)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 0..<200, using: &generator))
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            default:
                bytes.insert(
                    contentsOf: Self.snippets.randomElement(using: &generator) ?? [],
                    at: place
                )
            }
            if bytes.isEmpty { bytes = [0x20] }
        }
        return bytes
    }
}
