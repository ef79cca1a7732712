import TestSupport
import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct RecordTests {
    @Test(.guarantee(.redactionInvariant))
    func `a sealed value opens at its own sequence number and not at another`() throws {
        let log = try SampleLog(seed: 0x5EED_0010, rounds: 4)
        var opened = 0
        for record in log.records {
            let result = RecordReader.unseal(record, with: log.keys)
            #expect(result.failed.isEmpty && !result.isRedacted)
            for sealed in EventCodec.encode(try RecordReader.event(in: record)).sealed {
                let plaintext = try #require(result.secrets[sealed])
                #expect(plaintext.hasPrefix("secret "))
                #expect(log.keys.fingerprint(of: plaintext) == sealed.fingerprint)
                opened += 1
            }
            var moved = record
            moved.sequence += 1
            #expect(RecordReader.unseal(moved, with: log.keys).failed.count == record.seals.count)
        }
        #expect(opened > 30)
    }

    @Test
    func `a collected seal opens when its plaintext is read, unless the seal or key is wrong`()
        throws
    {
        let log = try SampleLog(seed: 0x5EED_0017, rounds: 2)
        var secrets = SecretTable()
        var sealed: [Sealed] = []
        for record in log.records {
            RecordReader.collect(from: record, keys: log.keys, into: &secrets)
            sealed += SealedPlaces.values(in: record.canonical)
        }
        #expect(sealed.count > 30 && secrets.count == Set(sealed).count)
        for value in sealed {
            let plaintext = try #require(secrets[value])
            #expect(log.keys.fingerprint(of: plaintext) == value.fingerprint)
        }
        let others = try #require(SessionKeys(dataKey: [UInt8](repeating: 8, count: 32)))
        var record = try #require(log.records.first { $0.seals.count > 1 })
        let values = SealedPlaces.values(in: record.canonical)
        #expect(RecordReader.secrets(in: record, keys: others)[values[0]] == nil)
        record.seals[0][20] ^= 1
        var altered = RecordReader.secrets(in: record, keys: log.keys)
        #expect(altered[values[0]] == nil && altered[values[1]] != nil)
        // The newer of two seals counts, and a plaintext that is known needs none.
        altered.merge(secrets)
        #expect(altered[values[0]] == secrets[values[0]])
        altered.insert("secret of a test", for: values[0])
        altered.merge(RecordReader.secrets(in: record, keys: log.keys))
        #expect(altered[values[0]] == "secret of a test")
    }

    @Test func `each seal of a record has a nonce of its own`() throws {
        let records = try SampleLog(seed: 0x5EED_0018, rounds: 10).records
        #expect(records.contains { $0.seals.count > 3 })
        for record in records {
            let nonces = Set(record.seals.map { Array($0.prefix(SessionKeys.nonceBytes)) })
            #expect(nonces.count == record.seals.count)
        }
    }

    @Test func `swapped, altered and missing seals are reported by their index`() throws {
        let log = try SampleLog(seed: 0x5EED_0011, rounds: 10)
        var record = try #require(log.records.first { $0.seals.count > 3 })
        let count = record.seals.count
        record.seals.swapAt(0, 1)
        #expect(RecordReader.unseal(record, with: log.keys).failed == [0, 1])
        record.seals.swapAt(0, 1)
        record.seals[2][20] ^= 1
        #expect(RecordReader.unseal(record, with: log.keys).failed == [2])
        record.seals.removeLast()
        #expect(RecordReader.unseal(record, with: log.keys).failed == [2, count - 1])
        record.seals = []
        let redacted = RecordReader.unseal(record, with: log.keys)
        #expect(redacted.isRedacted && redacted.failed.isEmpty && redacted.secrets.count == 0)
        let others = try #require(SessionKeys(dataKey: [UInt8](repeating: 8, count: 32)))
        let whole = try #require(log.records.first { $0.seals.count > 3 })
        #expect(RecordReader.unseal(whole, with: others).failed.count == count)
    }

    @Test(.guarantee(.noSecretOutside))
    func `no sealed value appears in the clear in a record or its seals`() throws {
        let log = try SampleLog(seed: 0x5EED_0012)
        for record in log.records {
            let line = LogLine.encode(record)
            let text = String(decoding: line, as: UTF8.self)
            #expect(!text.contains("secret "))
        }
    }

    @Test func `a record whose plaintext is missing is not written`() throws {
        var events = try RandomEvents(seed: 0x5EED_0013)
        let event = events.record(.noteAdded(NoteAdded(by: "ann", text: events.sealed())))
        #expect(throws: RecordWritingError.missingPlaintext(type: "noteAdded", number: 0)) {
            try RecordWriter.record(
                event,
                after: .empty,
                keys: events.keys,
                secrets: SecretTable(),
                random: CountingBytes()
            )
        }
    }

    @Test
    func `a record that is out of sequence, too long, inexact or not canonical is not written`()
        throws
    {
        var events = try RandomEvents(seed: 0x5EED_0014)
        let (keys, secrets) = (events.keys, events.secrets)
        func write(_ event: RecordedEvent, limits: CanonicalLimits = .standard) throws {
            _ = try RecordWriter.record(
                event,
                after: .empty,
                keys: keys,
                secrets: secrets,
                random: CountingBytes(),
                limits: limits
            )
        }
        let retry = SessionEvent.retryRequested(RetryRequested(by: "ann"))
        #expect(throws: RecordWritingError.outOfSequence(expected: 1, found: 2)) {
            try write(events.record(retry, sequence: 2))
        }
        var limits = CanonicalLimits()
        limits.recordBytes = 100
        #expect(throws: RecordWritingError.limit(name: "recordBytes")) {
            try write(events.record(retry), limits: limits)
        }
        let great = AttemptStarted(number: 1 << 53, choice: .googlePay)
        #expect(throws: RecordWritingError.inexactNumber(type: "attemptStarted")) {
            try write(events.record(.attemptStarted(great)))
        }
        for data in ["{\"b\":1,\"a\":2}", "[]", "{", "", "{\"a\":1.5}"] {
            let strange = UnknownEvent(type: "strange", version: 1, data: Array(data.utf8))
            #expect(throws: RecordWritingError.notCanonical(type: "strange")) {
                try write(events.record(.unknown(strange)))
            }
        }
        try write(events.record(retry))
    }

    @Test func `a line reads back as the record it was written from`() throws {
        for record in try SampleLog(seed: 0x5EED_0015, rounds: 2).records {
            let line = LogLine.encode(record)
            #expect(CanonicalCheck.isCanonical(line))
            #expect(try LogLine.decode(line) == record)
            #expect(try LogLine.decode(JSONValue(parsing: line).loose) == record)
        }
    }

    @Test func `a line in another form may be shorter than one in canonical form`() throws {
        let record = try #require(try SampleLog(seed: 0x5EED_0017).records.first)
        let line = LogLine.encode(record)
        var limits = CanonicalLimits()
        limits.rewrittenLineBytes = line.count - 1
        #expect(try LogLine.decode(line, limits: limits) == record)
        let loose = try JSONValue(parsing: line).loose
        #expect(throws: EventDecodingError.limit(name: "rewrittenLineBytes")) {
            try LogLine.decode(loose, limits: limits)
        }
    }

    @Test func `a long record whose data is in another form is not read as any JSON`() throws {
        let log = try SampleLog(seed: 0x5EED_0019)
        var event = try RecordReader.event(in: try #require(log.records.first))
        let data = Array(#"{"b":0,"a":[]}"#.utf8)
        event.event = .unknown(UnknownEvent(type: "strange", version: 1, data: data))
        let short = String(decoding: EventCodec.encode(event).canonical, as: UTF8.self)
        let sorted: Recorded<SessionEvent> = try EventCodec.decode(
            Array(short.utf8),
            of: SessionEvent.self
        )
        #expect(sorted.event.unknownEvent?.data == Array(#"{"a":[],"b":0}"#.utf8))
        let many = "[0" + String(repeating: ",0", count: 3 << 20) + "]"
        let long = Array(short.replacing(#""a":[]"#, with: #""a":"# + many).utf8)
        #expect(long.count < CanonicalLimits.standard.recordBytes)
        #expect(throws: EventDecodingError.limit(name: "rewrittenLineBytes")) {
            try EventCodec.decode(long, of: SessionEvent.self)
        }
    }

    @Test func `a line has at most as many seals as a record has room for`() throws {
        var record = try #require(try SampleLog(seed: 0x5EED_001A).records.first)
        record.seals = Array(repeating: [0], count: LogLine.maximumSeals)
        #expect(try LogLine.decode(LogLine.encode(record)) == record)
        record.seals.append([0])
        #expect(throws: EventDecodingError.limit(name: "seals")) {
            try LogLine.decode(LogLine.encode(record))
        }
    }

    @Test func `a damaged line is refused`() throws {
        let record = try #require(try SampleLog(seed: 0x5EED_0016).records.first)
        let line = String(decoding: LogLine.encode(record), as: UTF8.self)
        for broken in [
            "", "{", "{}", "null", line + "x", line.replacing("\"seals\":[", with: "\"seals\":[7,"),
            line.replacing("\"seals\":[", with: "\"seals\":[\"%%%\","),
            line.replacing("\"hash\":\"", with: "\"hash\":\"0"),
            line.replacing("\"record\":", with: "\"recorded\":"),
            line.replacing("\"seq\":1", with: "\"seq\":1,\"seq\":1"),
        ] {
            #expect(throws: EventDecodingError.self) { try LogLine.decode(Array(broken.utf8)) }
        }
    }
}
