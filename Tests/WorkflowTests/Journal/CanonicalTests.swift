import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct CanonicalTests {
    private func canonical(_ text: String) throws -> String {
        String(decoding: try JSONValue(parsing: Array(text.utf8)).canonical(), as: UTF8.self)
    }

    @Test func `names are sorted by UTF-16 code units, not by characters or bytes`() throws {
        // Source: RFC 8785, the example of sorting.
        let text =
            "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"
        #expect(
            try canonical(text)
                == "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
        )
    }

    @Test func `random names are ordered by their UTF-16 code units`() throws {
        var events = try RandomEvents(seed: 0x5EED_0040)
        for _ in 0..<5000 {
            let (left, right) = (events.text(), events.text())
            #expect(
                CanonicalOrder.precedes(left, right)
                    == left.utf16.lexicographicallyPrecedes(right.utf16)
            )
        }
    }

    @Test func `strings are escaped where they must be and nowhere else`() throws {
        #expect(
            try canonical(
                "\"\\u0000\\u001f\\u0008\\u0009\\u000a\\u000c\\u000d\\u0022\\u005c\\/\\u007f\""
            )
                == "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\u{7f}\""
        )
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("1.0", "1"), ("9007199254740991", "9007199254740991"),
        ("-9007199254740991", "-9007199254740991"), ("1e3", "1000"),
    ])
    func `whole numbers have one form`(text: String, form: String) throws {
        #expect(try canonical(text) == form)
    }

    @Test(arguments: ["9007199254740992", "-9007199254740992", "0.5", "1e400", "1e16"])
    func `numbers that are not whole or not exact are refused`(text: String) {
        #expect(throws: EventDecodingError.number) { try canonical("[\(text)]") }
        #expect(!CanonicalCheck.isCanonical(Array(text.utf8)))
    }

    @Test func `an object with a duplicate member is refused`() {
        for text in ["{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "[{\"x\":{\"é\":1,\"é\":1}}]"]
        {
            #expect(throws: EventDecodingError.duplicateMember) { try canonical(text) }
        }
        #expect(throws: Never.self) { try canonical("{\"a:\\\"b\":\":{\"}") }
    }

    @Test func `nesting beyond the bound is an error, not a crash`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: EventDecodingError.limit(name: "depth")) { try canonical(deep) }
        #expect(!CanonicalCheck.isCanonical(Array(deep.utf8)))
        let within = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(CanonicalCheck.isCanonical(Array(within.utf8)))
        #expect(!CanonicalCheck.isCanonical(Array("[\(within)]".utf8)))
    }

    @Test func `a string beyond the bound is refused`() {
        var limits = CanonicalLimits()
        limits.stringBytes = 5
        #expect(CanonicalCheck.isCanonical(Array("\"12345\"".utf8), limits: limits))
        #expect(!CanonicalCheck.isCanonical(Array("\"123456\"".utf8), limits: limits))
    }

    @Test func `bytes are canonical exactly if canonicalizing changes nothing`() throws {
        var events = try RandomEvents(seed: 0x5EED_0041)
        var (sound, damaged) = (0, 0)
        for round in 0..<4000 {
            var bytes = EventCodec.encode(
                events.record(events.event(events.one(EventType.allCases)))
            ).canonical
            if round % 4 != 0 {
                let place = Int.random(in: bytes.indices, using: &events.random)
                let other = Array("{}[]\",:\\u0 019-.eEtfn/a\u{7f}é".utf8)
                bytes[place] = other[Int.random(in: other.indices, using: &events.random)]
            }
            let expected = (try? JSONValue(parsing: bytes).canonical()) == bytes
            #expect(CanonicalCheck.isCanonical(bytes) == expected, "round \(round)")
            if expected { sound += 1 } else { damaged += 1 }
        }
        #expect(sound > 1000 && damaged > 1000)
    }

    @Test func `invalid JSON is refused`() {
        for text in [
            "", " ", "{", "[1,]", "{\"a\"}", "nul", "\"\u{1}\"", "01", "+1", "\"\\x\"", "1 2",
        ] {
            #expect(throws: EventDecodingError.self) { try canonical(text) }
            #expect(!CanonicalCheck.isCanonical(Array(text.utf8)))
        }
        #expect(throws: EventDecodingError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(!CanonicalCheck.isCanonical([0x22, 0xFF, 0x22]))
    }

    /// Takes over one part of another snapshot.
    private static let parts: [@Sendable (inout Snapshot, Snapshot) -> Void] = [
        { $0.culture = $1.culture }, { $0.methods = $1.methods },
        { $0.instrumentMode = $1.instrumentMode }, { $0.enabledMethods = $1.enabledMethods },
        { $0.urls = $1.urls }, { $0.operations = $1.operations }, { $0.problem = $1.problem },
        { $0.particulars = $1.particulars }, { $0.unknown = $1.unknown },
    ]

    @Test func `the digest of a snapshot is fixed, and changes with each of its parts`() throws {
        #expect(Mirror(reflecting: Snapshot()).children.count == Self.parts.count)
        var events = try RandomEvents(seed: 0x5EED_0042)
        var seen: Set<Digest256> = []
        var changes = Self.parts.map { _ in 0 }
        for _ in 0..<200 {
            let (snapshot, other) = (events.snapshot(), events.snapshot())
            let digest = SnapshotCodec.digest(of: snapshot)
            #expect(digest == SnapshotCodec.digest(of: snapshot))
            for (index, takeOver) in Self.parts.enumerated() {
                var changed = snapshot
                takeOver(&changed, other)
                guard changed != snapshot else { continue }
                #expect(SnapshotCodec.digest(of: changed) != digest, "part \(index)")
                changes[index] += 1
            }
            seen.insert(digest)
        }
        #expect(seen.count > 150)
        #expect(changes.allSatisfy { $0 > 50 }, "\(changes)")
    }

    @Test func `times of the years 0 to 9999 are written like their description and read back`()
        throws
    {
        var random = SeededRandom(seed: 0x5EED_0043)
        let day: Int64 = 86_400_000_000
        // 0000-01-01 and 9999-12-31, the first and the last microsecond of a four-digit year.
        let (first, last) = (-719_528 * day, 2_932_897 * day - 1)
        let chosen = [first, last, 0, -1, 1, 951_782_400_000_000, day - 1, -day]
        let drawn = (0..<5000).map { _ in Int64.random(in: first...last, using: &random) }
        for microseconds in chosen + drawn {
            let instant = Instant(microseconds: microseconds)
            var writer = CanonicalWriter()
            writer.instant(instant)
            let (bytes, isExact) = (writer.bytes, writer.isExact)
            #expect(bytes == Array("\"\(instant)\"".utf8) && isExact)
            let read = try CanonicalReader.read(bytes) {
                reader throws(EventDecodingError) in try reader.instant()
            }
            #expect(read == instant)
        }
        for microseconds in [first - 1, last + 1, .min, .max] {
            var writer = CanonicalWriter()
            writer.instant(Instant(microseconds: microseconds))
            let isExact = writer.isExact
            #expect(!isExact)
        }
    }

    @Test(arguments: [
        "2026-02-29T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "2026-00-01T00:00:00.000000Z",
        "2026-01-01T24:00:00.000000Z", "2026-01-01T00:60:00.000000Z", "2026-01-01T00:00:60.000000Z",
        "2026-01-01T00:00:00.00000Z", "2026-01-01 00:00:00.000000Z", "2026-01-01T00:00:00.000000z",
        "2026-01-00T00:00:00.000000Z", "+026-01-01T00:00:00.000000Z", "",
    ])
    func `a time that does not exist or has another form is refused`(text: String) {
        #expect(throws: EventDecodingError.self) {
            try CanonicalReader.read(Array("\"\(text)\"".utf8)) {
                reader throws(EventDecodingError) in try reader.instant()
            }
        }
    }
}
