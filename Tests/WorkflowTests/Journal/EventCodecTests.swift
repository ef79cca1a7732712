import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct EventCodecTests {
    @Test(arguments: EventType.allCases)
    func `every event reads back as it was written, and both codecs write the same bytes`(
        type: EventType
    ) throws {
        let seed: UInt64 = 0x5EED_0001
        var events = try RandomEvents(
            seed: seed &+ UInt64(type.name.utf8.reduce(0) { $0 + Int($1) })
        )
        for round in 0..<60 {
            let event = events.record(events.event(type), sequence: SequenceNumber(round) + 1)
            let encoded = EventCodec.encode(event)
            let context = Comment("seed \(seed), \(type), round \(round)")
            #expect(encoded.isExact, context)
            #expect(CanonicalCheck.isCanonical(encoded.canonical), context)
            #expect(try EventCodec.decode(encoded.canonical) == event, context)
            let general = try JSONValue(parsing: encoded.canonical)
            #expect(try general.canonical() == encoded.canonical, context)
            #expect(SealedPlaces.values(in: encoded.canonical) == encoded.sealed, context)
            #expect(
                SealedPlaces.numbered(in: encoded.canonical).map(\.number)
                    == encoded.sealed.indices.map { Int64($0) },
                context
            )
        }
    }

    @Test(arguments: EventType.allCases)
    func `a record in a non-canonical form of the same JSON reads as the same event`(
        type: EventType
    ) throws {
        var events = try RandomEvents(seed: 0x5EED_0002)
        for _ in 0..<10 {
            let event = events.record(events.event(type))
            let loose = try JSONValue(parsing: EventCodec.encode(event).canonical).loose
            #expect(!CanonicalCheck.isCanonical(loose))
            #expect(try EventCodec.decode(loose) == event)
        }
    }

    @Test func `altered bytes lead to an error at most, never to a crash`() throws {
        var events = try RandomEvents(seed: 0x5EED_0003)
        var refused = 0
        for type in EventType.allCases {
            for _ in 0..<40 {
                let event = events.record(events.event(type))
                var bytes = EventCodec.encode(event).canonical
                for _ in 0..<Int.random(in: 1...3, using: &events.random) {
                    let place = Int.random(in: bytes.indices, using: &events.random)
                    switch Int.random(in: 0..<3, using: &events.random) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &events.random)
                    case 1: bytes.remove(at: place)
                    default: bytes.removeSubrange(place...)
                    }
                    if bytes.isEmpty { break }
                }
                do {
                    let decoded = try EventCodec.decode(bytes)
                    // What was decoded can be encoded again.
                    _ = EventCodec.encode(decoded)
                } catch {
                    refused += 1
                }
                _ = try? LogLine.decode(bytes)
                _ = SealedPlaces.numbered(in: bytes)
            }
        }
        #expect(refused > 500)
    }

    @Test func `an event of a later build is kept byte for byte`() throws {
        var events = try RandomEvents(seed: 0x5EED_0004)
        let known = EventCodec.encode(events.record(events.event(.walletAuthorized)))
        let text = try #require(String(validating: known.canonical, as: UTF8.self))
        for altered in [
            text.replacing("\"type\":\"walletAuthorized\"", with: "\"type\":\"walletBlessed\""),
            text.replacing("\"v\":1}", with: "\"v\":2}"),
        ] {
            #expect(altered != text)
            let event = try EventCodec.decode(Array(altered.utf8))
            guard case .unknown = event.event else {
                Issue.record("read as \(event.event)")
                return
            }
            let again = EventCodec.encode(event)
            #expect(again.canonical == Array(altered.utf8))
            #expect(again.sealed == known.sealed)
        }
    }

    @Test func `a value that this build does not know makes the event unknown, not unreadable`()
        throws
    {
        var events = try RandomEvents(seed: 0x5EED_0005)
        let event = events.record(.canceled(Canceled(by: .client)))
        let text = String(decoding: EventCodec.encode(event).canonical, as: UTF8.self)
            .replacing("\"by\":\"client\"", with: "\"by\":\"regulator\"")
        guard case .unknown(let unknown) = try EventCodec.decode(Array(text.utf8)).event else {
            Issue.record("read as a known event")
            return
        }
        #expect(unknown.type == "canceled")
        #expect(unknown.data == Array("{\"by\":\"regulator\"}".utf8))
    }

    @Test func `a member of a later build is ignored, a missing one is an error`() throws {
        var events = try RandomEvents(seed: 0x5EED_0006)
        let event = events.record(.operatorActed(OperatorActed(by: "ann", action: "reveal")))
        let text = String(decoding: EventCodec.encode(event).canonical, as: UTF8.self)
        let longer = text.replacing(
            "\"by\":\"ann\"",
            with: "\"approved\":[{\"by\":null}],\"by\":\"ann\",\"zeal\":true"
        )
        #expect(try EventCodec.decode(Array(longer.utf8)) == event)
        let shorter = text.replacing(",\"by\":\"ann\"", with: "")
        #expect(throws: EventDecodingError.missing(member: "by")) {
            try EventCodec.decode(Array(shorter.utf8))
        }
    }

    @Test func `a number that is not an exact JSON integer is refused`() throws {
        var events = try RandomEvents(seed: 0x5EED_0007)
        let event = events.record(events.event(.completed), sequence: 77)
        let text = String(decoding: EventCodec.encode(event).canonical, as: UTF8.self)
        for number in [
            "9007199254740992", "-9007199254740992", "9223372036854775808", "1.5", "1e99",
        ] {
            let altered = text.replacing("\"seq\":77", with: "\"seq\":\(number)")
            #expect(throws: EventDecodingError.number) {
                try EventCodec.decode(Array(altered.utf8))
            }
        }
        #expect(
            !EventCodec.encode(
                events.record(.attemptStarted(AttemptStarted(number: 1 << 53, choice: .googlePay)))
            ).isExact
        )
    }
}

extension JSONValue {
    /// The same value with members in the opposite order, spaces, and escapes that are not
    /// canonical.
    var loose: [UInt8] {
        switch self {
        case .array(let values):
            return Array("[ ".utf8) + values.map(\.loose).joined(separator: Array(" , ".utf8))
                + Array(" ]".utf8)
        case .object(let members):
            let parts = members.reversed().map {
                JSONValue.string($0.name).loose + Array(" : ".utf8) + $0.value.loose
            }
            return Array("{ ".utf8) + parts.joined(separator: Array("\n, ".utf8)) + Array(" }".utf8)
        case .string(let text):
            return Array(
                ("\""
                    + text.utf16.map { unit in
                        let digits = String(unit, radix: 16)
                        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }.joined() + "\"").utf8
            )
        default: return (try? canonical()) ?? []
        }
    }
}
