import Testing

@testable import EventLog
@testable import SwedbankPay

/// Decoding with proof of the canonical form in one pass, compared with doing both separately.
@Suite struct ProvingDecodeTests {
    @Test(arguments: EventType.allCases)
    func `every written record is proved canonical while it is decoded`(type: EventType) throws {
        var events = try RandomEvents(seed: 0x5EED_0070)
        for round in 0..<60 {
            let event = events.record(events.event(type), sequence: SequenceNumber(round) + 1)
            let canonical = EventCodec.encode(event).canonical
            let proved = EventCodec.decodeProving(
                canonical,
                of: SessionEvent.self,
                presumedType: type.name
            )
            #expect(proved == event, "\(type), round \(round)")
            for other in ["noteAdded", "unheardOf"] where other != type.name {
                #expect(
                    EventCodec.decodeProving(canonical, of: SessionEvent.self, presumedType: other)
                        == nil
                )
            }
        }
    }

    @Test func `a record proved canonical is canonical, and both decoders read the same event`()
        throws
    {
        var events = try RandomEvents(seed: 0x5EED_0071)
        var (proved, refused) = (0, 0)
        for round in 0..<6000 {
            let type = events.one(EventType.allCases)
            var bytes = EventCodec.encode(events.record(events.event(type))).canonical
            if round % 6 != 0 { events.spoil(&bytes) }
            let event = EventCodec.decodeProving(
                bytes,
                of: SessionEvent.self,
                presumedType: type.name
            )
            let isCanonical = CanonicalCheck.isCanonical(bytes)
            guard let event else {
                if isCanonical { refused += 1 }
                continue
            }
            proved += 1
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(isCanonical, "round \(round): \(text)")
            #expect((try? JSONValue(parsing: bytes).canonical()) == bytes, "round \(round)")
            #expect((try? EventCodec.decode(bytes)) == event, "round \(round): \(text)")
        }
        // Altered records that can still be decoded, and canonical ones that are not of the
        // presumed type.
        #expect(proved > 1500 && refused > 10, "\(proved) \(refused)")
    }

    @Test func `a record longer than the limit is not proved canonical`() throws {
        var events = try RandomEvents(seed: 0x5EED_0072)
        let canonical = EventCodec.encode(events.record(events.event(.noteAdded))).canonical
        var limits = CanonicalLimits()
        limits.recordBytes = canonical.count
        func isProved() -> Bool {
            EventCodec.decodeProving(
                canonical,
                of: SessionEvent.self,
                presumedType: "noteAdded",
                limits: limits
            ) != nil
        }
        #expect(isProved())
        limits.recordBytes -= 1
        #expect(!isProved())
    }

    @Test func `the count of sealed values agrees with a list of them`() throws {
        var events = try RandomEvents(seed: 0x5EED_0073)
        for _ in 0..<2000 {
            let event = events.record(events.event(events.one(EventType.allCases)))
            var bytes = EventCodec.encode(event).canonical
            if events.chance() { events.spoil(&bytes) }
            let numbers = SealedPlaces.numbered(in: bytes).map(\.number)
            let isInOrder = numbers.elementsEqual(0..<Int64(numbers.count))
            #expect(SealedPlaces.count(in: bytes) == (isInOrder ? numbers.count : nil))
        }
        #expect(SealedPlaces.count(in: []) == 0)
    }

    @Test func `eight hexadecimal digits are read at once as they are one by one`() {
        let good = Array("0123456789abcdef".utf8)
        var random = SeededRandom(seed: 0x5EED_0074)
        for round in 0..<20_000 {
            var bytes = (0..<8).map { _ in good[Int.random(in: good.indices, using: &random)] }
            let place = Int.random(in: bytes.indices, using: &random)
            if round % 2 == 0 { bytes[place] = UInt8(truncatingIfNeeded: round / 2) }
            let word = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let isGood = bytes.allSatisfy(good.contains)
            let expected = isGood ? UInt64(String(decoding: bytes, as: UTF8.self), radix: 16) : nil
            #expect(HexadecimalWord.value(of: word) == expected, "\(bytes)")
        }
    }
}

extension RandomEvents {
    /// Alters a record somewhere: a byte, two neighbors, or a member that is duplicated, inserted
    /// or moved.
    fileprivate mutating func spoil(_ bytes: inout [UInt8]) {
        let place = Int.random(in: bytes.indices, using: &random)
        let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            let other = Array("{}[]\",:\\u0 019-.eEtfn/a\u{7f}é".utf8) + [0, 0xFF, 0xC3]
            bytes[place] = one(other)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(one(Array(" 0\\\"n{".utf8)), at: place)
        case 4:
            // One more member, in the right position or a wrong one, which the decoder does not
            // expect.
            let name = one(["a", "atx", "e", "m", "zz", "\\u0001", "é", "$", "seq"])
            let value = one(["1", "-0", "01", "true", "\"\\n\"", "[1, 2]", "{\"b\":1,\"a\":2}"])
            bytes.insert(contentsOf: Array(",\"\(name)\":\(value)".utf8), at: one(commas))
        case 5:
            // Two pieces between commas are swapped.
            let (first, second) = (one(commas), one(commas))
            let (low, high) = (min(first, second), max(first, second))
            let end = commas.first { $0 > high } ?? bytes.count - 1
            bytes = Array(bytes[..<low] + bytes[high..<end] + bytes[low..<high] + bytes[end...])
        default:
            let start = one(commas)
            let end = commas.first { $0 > start } ?? bytes.count - 1
            bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
        }
    }
}
