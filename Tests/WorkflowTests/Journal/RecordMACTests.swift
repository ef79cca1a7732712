import Foundation
import TestSupport
import Testing

@testable import EventLog
@testable import SwedbankPay

/// MACs, which prove that a holder of a session's keys wrote its log.
///
/// The oracle is a script in another language.
@Suite(.guarantee(.authenticLog)) struct RecordMACTests {
    static let dataKey = (0..<32).map { UInt8($0) &* 5 &+ 1 }
    static let hexadecimal = dataKey.map { String(format: "%02x", $0) }.joined()

    private func log(of count: Int = 6) throws -> [StoredRecord] {
        let keys = try #require(SessionKeys(dataKey: Self.dataKey))
        let stream = SessionID(at: Instant(microseconds: 1_763_640_000_000_000), random: (1, 2))
        var (head, records) = (StreamHead.empty, [StoredRecord]())
        for number in SequenceNumber.first...SequenceNumber(count) {
            let event = RecordedEvent(
                stream: stream,
                sequence: number,
                at: Instant(microseconds: 1_763_640_000_000_000 + number.rawValue),
                event: .refetchRequested(RefetchRequested(by: "host")),
                metadata: EventMetadata(
                    build: "1",
                    catalogue: "",
                    cause: "command.refetch",
                    node: "test"
                )
            )
            let record = try RecordWriter.record(
                event,
                after: head,
                keys: keys,
                secrets: SecretTable(),
                random: CountingBytes()
            )
            records.append(record)
            head = StreamHead(sequence: number, hash: record.hash)
        }
        return records
    }

    private func verify(_ records: [StoredRecord]) throws -> Int32 {
        try PythonTool.verifyChain(
            SampleLog.file(records),
            ["--data-key", Self.hexadecimal]
        ).status
    }

    @Test func `with the data key, the MACs of a log can be verified in Python too`() throws {
        let records = try log()
        #expect(records.allSatisfy { $0.mac != nil })
        #expect(try verify(records) == 0)
        #expect(try PythonTool.validate(SampleLog.file(records)).status == 0)
        let read = try SampleLog.file(records).split(separator: 0x0A).map {
            try LogLine.decode(Array($0))
        }
        #expect(read == records)
        let keys = try #require(SessionKeys(dataKey: Self.dataKey))
        let head = keys.mac(of: StreamHead(sequence: 6, hash: records[5].hash))
        #expect(keys.forgery(in: records, headMAC: head) == nil)
        #expect(keys.forgery(in: records, headMAC: nil) == 6)
        // Truncated, and claimed to be complete.
        #expect(keys.forgery(in: Array(records.dropLast()), headMAC: head) == 5)
    }

    /// Computed once by other means: existing stores contain these.
    @Test func `the MACs of a record and of a log's head have their fixed values`() throws {
        let keys = try #require(SessionKeys(dataKey: Self.dataKey))
        let hash = try #require(Digest256(bytes: (0..<32).map { UInt8($0) }))
        #expect(
            keys.mac(of: hash).hexadecimal
                == "054a144278d3974d0354b054f05de42f012c668e156f6ff4fef083bd307aeafd"
        )
        #expect(
            keys.mac(of: StreamHead(sequence: 7, hash: hash)).hexadecimal
                == "aeccfbea36592d3752905de2db87358afe8ea04b157fb90f100811679594379b"
        )
    }

    @Test func `a record without its MAC, with another's, or under another key is a forgery`()
        throws
    {
        let keys = try #require(SessionKeys(dataKey: Self.dataKey))
        let sound = try log()
        var (stripped, swapped) = (sound, sound)
        stripped[2].mac = nil
        swapped[2].mac = sound[3].mac
        for forged in [stripped, swapped] {
            #expect(try verify(forged) != 0)
            #expect(keys.forgery(in: forged, headMAC: nil) == 3)
        }
        let others = try #require(SessionKeys(dataKey: Self.dataKey.reversed()))
        #expect(others.forgery(in: sound, headMAC: nil) == 1)
    }

    @Test func `a data key has 32 bytes`() {
        for wrong in [[], Array(Self.dataKey.dropLast()), Self.dataKey + [0]] {
            #expect(SessionKeys(dataKey: wrong) == nil)
        }
    }
}
