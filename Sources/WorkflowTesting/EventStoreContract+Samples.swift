internal import EventLog
internal import SwedbankPay

/// A session with arbitrary records, which a store does not interpret.
struct SampleSession {
    let id: SessionID
    let openedAt: Instant

    /// The start time of all samples.
    static let start = Instant(microseconds: 1_795_262_400_000_000)

    /// Creates the sample with a number; higher numbers were opened later.
    init(_ number: Int) {
        openedAt = Self.start + .seconds(number)
        // The random bits are the same in all samples, so that nothing can depend on them alone.
        id = SessionID(at: openedAt, random: (7, 99))
    }

    /// The record with a sequence number; its bytes are neither JSON nor UTF-8, and differ between
    /// records.
    ///
    /// Every other record is worth compressing.
    func record(_ sequence: SequenceNumber) -> StoredRecord {
        let mark = UInt8(truncatingIfNeeded: sequence.rawValue)
        return StoredRecord(
            stream: id,
            sequence: sequence,
            type: sequence == 1 ? "opened" : "fetched",
            at: openedAt + .milliseconds(sequence.count),
            canonical: [0, 0xFF, 0x22, mark] + Array("åäö \(id) \(sequence)".utf8)
                + Array(repeating: mark, count: sequence.count % 2 == 0 ? 300 : 0),
            previous: sequence == 1 ? .zero : digest(sequence - 1),
            hash: digest(sequence),
            mac: sequence.count % 2 == 0 ? digest(sequence + 50) : nil,
            seals: sequence.count % 3 == 0
                ? [] : [[mark, 0, 1], [], Array(repeating: mark, count: 300)]
        )
    }

    func digest(_ sequence: SequenceNumber) -> Digest256 {
        let seed = UInt8(truncatingIfNeeded: sequence.rawValue)
        return Digest256(bytes: (0..<32).map { seed &+ UInt8($0) &* 7 }) ?? .zero
    }

    /// The row of the projection after a record.
    func summary(
        _ last: SequenceNumber,
        change: (inout SessionSummary) -> Void = { _ in }
    ) -> SessionSummary {
        var summary = SessionSummary(
            session: id,
            phase: "opening",
            isSettled: false,
            lastSequence: last,
            openedAt: openedAt,
            lastAt: openedAt + .milliseconds(last.count)
        )
        change(&summary)
        return summary
    }

    /// An append of `count` records after `version`.
    func append(
        _ count: Int = 1,
        after version: SequenceNumber,
        change: (inout SessionSummary) -> Void = { _ in }
    ) -> StreamAppend {
        StreamAppend(
            stream: id,
            expectedVersion: version,
            records: (1...count).map { record(version + $0) },
            summary: summary(version + count, change: change),
            wrappedKey: version == 0 ? wrappedKey : nil
        )
    }

    var wrappedKey: [UInt8] { [0, 1, 2, 0xFE] + id.description.utf8 }
}
