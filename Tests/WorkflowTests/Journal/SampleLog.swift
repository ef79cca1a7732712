import Testing

@testable import EventLog
@testable import SwedbankPay

/// A log of one session with events of all types, sealed with a fixed key.
struct SampleLog {
    var records: [StoredRecord] = []
    let keys: SessionKeys
    let stream: SessionID

    /// Creates a log of these events from a seed.
    init(seed: UInt64, rounds: Int = 1) throws {
        var events = try RandomEvents(seed: seed)
        keys = events.keys
        stream = SessionID(
            at: Instant(microseconds: 1_763_640_000_000_000),
            random: (events.random.next(), events.random.next())
        )
        let random = CountingBytes()
        var head = StreamHead.empty
        for _ in 0..<rounds {
            for type in EventType.allCases {
                var event = events.record(
                    events.event(type),
                    sequence: head.sequence + 1,
                    stream: stream
                )
                event.at = Instant(
                    microseconds: 1_763_640_000_000_000 + head.sequence.rawValue * 1001
                )
                let record = try RecordWriter.record(
                    event,
                    after: head,
                    keys: keys,
                    secrets: events.secrets,
                    random: random
                )
                records.append(record)
                head = StreamHead(sequence: record.sequence, hash: record.hash)
            }
        }
    }

    /// Returns the log as a file.
    var file: [UInt8] { Self.file(records) }

    /// Returns records as a file.
    static func file(_ records: [StoredRecord]) -> [UInt8] {
        records.flatMap { LogLine.encode($0) + [UInt8(ascii: "\n")] }
    }
}

extension StoredRecord {
    /// Returns the record with other canonical bytes, chained anew as a forger without the later
    /// records would.
    func rewritten(
        _ change: (String) -> String,
        after previous: Digest256? = nil
    ) -> StoredRecord {
        var copy = self
        copy.canonical = Array(change(String(decoding: canonical, as: UTF8.self)).utf8)
        copy.previous = previous ?? self.previous
        copy.hash = HashChain.hash(copy.previous, copy.canonical)
        return copy
    }
}
