internal import EventLog
internal import Workflow

/// A subscriber of all logs on the virtual disk: it reads at any time, dies at any time, and
/// resumes from the log position that it saved last.
///
/// It has a source of randomness of its own, so that worlds are the same without it.
struct VirtualSubscription: Sendable {
    private var feed: LaneFeed
    private var follower = LogFollower()
    /// The log position that it saved, and the digest of what it had read.
    private var saved: (cursor: LogCursor, digest: Digest256)?
    /// The last record of each session that it has seen.
    private var seen: [SessionID: SequenceNumber] = [:]
    private var generator: SplitMix64

    private static let lanes = 2
    /// One in so many steps of the world, it reads.
    private static let pace: UInt64 = 8
    /// One in so many readings, it dies before it has saved its position.
    private static let deaths: UInt64 = 6
    /// The maximum number of records that it reads at once.
    private static let largestPage: UInt64 = 9

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        let identity = StoreIdentity(high: seed, low: ~seed, epoch: 1)
        feed = LaneFeed(lanes: Self.lanes, identity: identity)
    }

    /// Assigns log positions to records that become durable later, and returns the first one.
    mutating func assignPositions(_ count: Int, of session: SessionID) -> Int64 {
        feed.assignPositions(count, of: session)
    }

    /// A number that changes with each record.
    var count: Int64 { feed.count }

    /// The log position of the newest records.
    var end: LogCursor { feed.end }

    /// The sessions that were appended to after a log position, as an engine is told.
    func changes(after cursor: LogCursor, limit: Int) -> StoreChanges {
        feed.changes(after: cursor, limit: limit)
    }

    /// The newest records of a log are durable.
    mutating func append<Rules>(_ count: Int, to log: VirtualLog<Rules>, at position: Int64?) {
        let first = log.head.sequence.rawValue - Int64(count) + 1
        feed.append(
            count,
            of: log.session,
            from: SequenceNumber(rawValue: first),
            at: position
        )
    }

    /// Reads, or dies, or does nothing.
    ///
    /// - Returns: What is wrong; `nil` when all is well.
    mutating func act<Rules>(
        on logs: [VirtualLog<Rules>],
        _ numbers: [SessionID: Int]
    ) -> String? {
        guard generator.next() % Self.pace == 0 else { return nil }
        let limit = Int(generator.next() % Self.largestPage) + 1
        let isDying = generator.next() % Self.deaths == 0
        return read(limit, dying: isDying, logs, numbers).wrong
    }

    /// Reads to the end.
    ///
    /// - Returns: What is wrong; `nil` when it has seen every record.
    mutating func finish<Rules>(
        on logs: [VirtualLog<Rules>],
        _ numbers: [SessionID: Int]
    ) -> String? {
        while true {
            let read = read(Int(Self.largestPage), dying: false, logs, numbers)
            if let wrong = read.wrong { return wrong }
            guard read.count == 0 else { continue }
            for log in logs where seen[log.session] ?? 0 != log.head.sequence {
                return "a subscriber saw \(log.session) up to \(seen[log.session] ?? 0), "
                    + "not up to \(log.head.sequence)"
            }
            return nil
        }
    }

    private mutating func read<Rules>(
        _ limit: Int,
        dying isDying: Bool,
        _ logs: [VirtualLog<Rules>],
        _ numbers: [SessionID: Int]
    ) -> (count: Int, wrong: String?) {
        let (cursor, limit) = follower.page(limit)
        let step = follower.step(over: page(after: cursor, limit.read, logs, numbers), limit.new)
        guard case .records(let records) = step else {
            return (0, "a subscriber does not find the records that it read last")
        }
        for record in records.map(\.record) {
            let before = seen[record.stream] ?? 0
            guard record.sequence <= before + 1 else {
                return (0, "a subscriber skipped \(before + 1) of \(record.stream)")
            }
            seen[record.stream] = max(before, record.sequence)
        }
        follower.advance(through: records)
        guard isDying else {
            if let cursor = follower.cursor, let digest = follower.digest {
                saved = (cursor, digest)
            }
            return (records.count, nil)
        }
        return (records.count, resume(logs, numbers))
    }

    /// Starts again from the log position that was saved.
    private mutating func resume<Rules>(
        _ logs: [VirtualLog<Rules>],
        _ numbers: [SessionID: Int]
    ) -> String? {
        follower = LogFollower()
        guard let saved else { return nil }
        let records = page(after: saved.cursor.previous, saved.cursor.lanes, logs, numbers)
        guard let found = LogFollower.find(saved.cursor, among: records),
            found.digest == saved.digest
        else { return "a subscriber does not find the log position that it saved" }
        follower = found
        return nil
    }

    private func page<Rules>(
        after cursor: LogCursor?,
        _ limit: Int,
        _ logs: [VirtualLog<Rules>],
        _ numbers: [SessionID: Int]
    ) -> [PositionedRecord] {
        let found = (try? feed.page(after: cursor, limit: limit)) ?? []
        return found.compactMap { cursor, entry in
            guard let number = numbers[entry.session],
                logs[number].hashes.indices.contains(entry.sequence.count - 1)
            else { return nil }
            let record = StoredRecord(
                stream: entry.session,
                sequence: entry.sequence,
                type: "",
                at: Instant(microseconds: 0),
                canonical: [],
                previous: .zero,
                hash: logs[number].hashes[entry.sequence.count - 1],
                seals: []
            )
            return PositionedRecord(cursor: cursor, record: record)
        }
    }
}
