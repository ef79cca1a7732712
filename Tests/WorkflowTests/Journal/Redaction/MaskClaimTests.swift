import Testing

@testable import EventLog
@testable import SwedbankPay

/// An altered record cannot be passed off as a masked one.
@Suite struct MaskClaimTests {
    private static func line(_ change: (inout StoredRecord) -> Void = { _ in }) throws -> [UInt8] {
        LogLine.encode(try record(change))
    }

    /// The first record of a payment, with a card number in the merchant's reference, redacted.
    private static func record(
        _ change: (inout StoredRecord) -> Void = { _ in }
    ) throws -> StoredRecord {
        let opened = Opened(
            sessionURL: Sealed(fingerprint: .zero),
            host: "api.example",
            reference: "4111111111111111",
            userAgent: "test"
        )
        let record = try RecordWriter.unsealedRecord(
            RecordedEvent(
                stream: try #require(GoldenLog.stream),
                sequence: 1,
                at: Instant(microseconds: 1),
                event: .opened(opened),
                metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
            ),
            after: .empty
        )
        var redacted = try PlantedLog.redacted([record])[0]
        change(&redacted)
        return redacted
    }

    private func damage(
        _ change: (inout StoredRecord) -> Void = { _ in }
    ) throws -> LogDamage.Kind? {
        LogVerifier<SessionEvent>.verify([try Self.record(change)]).damage?.kind
    }

    @Test func `a masked record lists its masked members, and the verifier counts it`() throws {
        let record = try Self.record()
        #expect(record.masked == ["data.reference"])
        #expect(
            String(decoding: LogLine.encode(record), as: UTF8.self)
                .contains(#""masked":["data.reference"],"prev":"#)
        )
        #expect(try LogLine.decode(LogLine.encode(record)) == record)
        var verifier = LogVerifier<SessionEvent>()
        try verifier.check(record)
        #expect(verifier.masked.count == 1 && verifier.masked.members == ["data.reference"])
        var all = MaskedRecords()
        all.add(verifier.masked)
        all.add(verifier.masked)
        #expect(all.count == 2 && all.members == ["data.reference"])
    }

    @Test func `a claimed mask that is not allowed or not present is damage`() throws {
        #expect(try damage() == nil)
        #expect(try damage { $0.masked = ["data.host"] } == .wrongMask(member: "data.host"))
        #expect(
            try damage { $0.masked = ["data.userAgent"] } == .wrongMask(member: "data.userAgent")
        )
        #expect(try damage { $0.masked = ["data.metadata"] } == .wrongMask(member: "data.metadata"))
        #expect(try damage { $0.masked = ["data.sessionURL"] } == .wrongMask(member: nil))
        #expect(try damage { $0.masked = ["seq"] } == .wrongMask(member: nil))
        #expect(try damage { $0.masked = ["data"] } == .wrongMask(member: "data"))
        #expect(try damage { $0.masked.append("data.zzz") } == .wrongMask(member: nil))
        #expect(try damage { $0.masked = [] } == .wrongHash)
        #expect(try damage { $0.seals = [[1, 2, 3]] } == .wrongSeals)
        #expect(
            try damage { $0 = $0.altered("[card number]", "[card number 4111111111111111]") }
                == .wrongMask(member: "data.reference")
        )
        #expect(
            try damage { $0 = $0.altered("[card number]", "another order") }
                == .wrongMask(member: "data.reference")
        )
        let words = LogDamage(
            stream: nil,
            sequence: 1,
            kind: .wrongMask(member: nil)
        ).description
        #expect(words == "record 1 marks a member as masked, but it is not masked or must not be")
    }

    @Test func `the checks that need no hash still apply to a masked record`() throws {
        #expect(try damage { $0.previous = $0.hash } == .wrongPrevious)
        #expect(try damage { $0.at = Instant(microseconds: 2) } == .contradicted(member: "at"))
        #expect(try damage { $0 = $0.altered("\"v\":1}", "\"v\":1 }") } == .notCanonical)
        let second = try Self.record { $0 = $0.altered("\"seq\":1", "\"seq\":2") }
        #expect(LogVerifier<SessionEvent>.verify([second]).damage?.kind == .outOfSequence(found: 2))
    }

    @Test(arguments: [
        "[]", #"["data.reference","data.reference"]"#, #"["data.userAgent","data.reference"]"#,
        "[1]", "null", "true", #""data.reference""#, "{}",
    ])
    func `an empty, unordered or malformed list of masked members is refused`(list: String) throws {
        let text = String(decoding: try Self.line(), as: UTF8.self)
        let changed = text.replacing(#"["data.reference"]"#, with: list)
        #expect(changed != text)
        #expect(throws: EventDecodingError.self) { try LogLine.decode(Array(changed.utf8)) }
    }

    @Test func `a list of masked members beyond its limit is refused`() throws {
        let text = String(decoding: try Self.line(), as: UTF8.self)
        let many = (0...256).map { "\"data.\(1000 + $0)\"" }.joined(separator: ",")
        let changed = text.replacing(#"["data.reference"]"#, with: "[\(many)]")
        #expect(throws: EventDecodingError.limit(name: "masked")) {
            try LogLine.decode(Array(changed.utf8))
        }
    }
}

extension StoredRecord {
    /// Returns the record with some text replaced, as a forger would who hopes to go unnoticed.
    fileprivate func altered(_ old: String, _ new: String) -> StoredRecord {
        var copy = self
        let text = String(decoding: canonical, as: UTF8.self)
        copy.canonical = Array(text.replacing(old, with: new).utf8)
        return copy
    }
}
