import Testing

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// Creates events of every type with random content, and records the plaintexts.
struct RandomEvents: SampleSource {
    var random: SeededRandom
    var secrets = SecretTable()
    let keys: SessionKeys

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 7, count: 32)))
    }

    static let types: [EventType] = EventType.allCases

    mutating func record(
        _ event: SessionEvent,
        sequence: SequenceNumber = 1,
        stream: SessionID? = nil
    ) -> RecordedEvent {
        RecordedEvent(
            stream: stream
                ?? SessionID(
                    at: Instant(microseconds: 1_763_640_000_000_000),
                    random: (random.next(), random.next())
                ),
            sequence: sequence,
            at: Instant(microseconds: Int64.random(in: 0...4_000_000_000_000_000, using: &random)),
            event: event,
            metadata: EventMetadata(
                build: text(),
                catalogue: text(),
                cause: text(),
                node: text(),
                trace: chance() ? text() : ""
            )
        )
    }

    mutating func chance() -> Bool { Bool.random(using: &random) }

    mutating func text() -> String {
        let alphabet: [Character] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\r", "\u{8}", "\u{c}", "\u{0}",
            "\u{1f}", "\u{7f}",
            "å", "é", "e\u{301}", "ß", "€", "\u{2028}", "\u{E000}", "\u{FFFD}", "\u{FFFF}", "😀",
            "𝒳", "👩‍👩‍👧",
            "{", "}", "[", "]", ",", ":", "$",
        ]
        let count = Int.random(in: 0...20, using: &random)
        return String((0..<count).compactMap { _ in alphabet.randomElement(using: &random) })
    }

    mutating func sealed() -> Sealed {
        secrets.seal("secret " + text(), with: keys)
    }

    mutating func count() -> Int { Int.random(in: 0...3, using: &random) }

    mutating func number() -> Int64 {
        let great = CanonicalWriter.greatestInteger
        let edges: [Int64] = [0, 1, -1, 9, 10, great, -great, great - 1]
        return chance()
            ? Int64.random(in: -great...great, using: &random)
            : edges.randomElement(using: &random) ?? 0
    }

    mutating func one<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    /// Returns an event of a type with random content.
    mutating func event(_ type: EventType) -> SessionEvent { sampling { try type.sample(by: &$0) } }

    /// Returns a snapshot with random content.
    mutating func snapshot() -> Snapshot { sampling { try Snapshot.sample(by: &$0) } }

    private mutating func sampling<Value>(_ make: (inout FormSampler) throws -> Value) -> Value {
        var sampler = FormSampler(self)
        // The table has a single owner, or each sealed value would copy it.
        secrets = SecretTable()
        guard let value = try? make(&sampler), let source = sampler.source as? RandomEvents else {
            preconditionFailure("no members that fit each other")
        }
        self = source
        return value
    }
}
