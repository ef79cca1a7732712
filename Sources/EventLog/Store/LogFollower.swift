/// How far a subscriber has read the records of a store, and the hashes of the records that it read
/// last in each lane.
///
/// Each step reads those records again: a database that was restored, or whose standby took over
/// without the newest records, has others in their place, or none, and its log positions mean
/// something else.
package struct LogFollower: Hashable, Sendable {
    /// The log position of the last record; `nil` before the first one.
    package private(set) var cursor: LogCursor?
    /// The hash of the record that was read last, by lane; zero where none was read.
    private var hashes: [Digest256] = []

    /// Creates a follower that begins with the first record.
    package init() {}

    /// The outcome of a step.
    package enum Step: Sendable {
        /// The next records; empty at the end.
        case records([PositionedRecord])
        /// A lane ends before a record that was read, or has a gap there: a standby that lags
        /// behind will have it, a store that was restored will not.
        case missing
        /// The store has another record in place of one that was read.
        case otherRecord
    }

    /// Finds the records at a log position among those after ``LogCursor/previous``.
    package static func find(
        _ cursor: LogCursor,
        among records: [PositionedRecord]
    ) -> LogFollower? {
        var found = LogFollower()
        found.cursor = cursor
        found.hashes = Array(repeating: .zero, count: cursor.lanes)
        var known = 0
        for one in records where one.cursor.isAtPosition(of: cursor) {
            found.hashes[one.cursor.lane] = one.record.hash
            known += 1
        }
        return known == cursor.lanesRead ? found : nil
    }

    /// A digest of the records that were read last, to be saved with the log position: the hash of
    /// the record in a store with one lane, otherwise the hash of the hashes of all lanes.
    ///
    /// It is `nil` before the first record.
    package var digest: Digest256? {
        guard let cursor else { return nil }
        return cursor.lanes == 1 ? hashes[0] : HashChain.hash(.zero, hashes.flatMap(\.bytes))
    }

    /// What to read for the next step: the log position after which to begin, and the number of
    /// records, including those that were read last.
    ///
    /// These come first, apart from the first ones of lanes of which nothing was read.
    package func page(_ limit: Int) -> (after: LogCursor?, limit: (read: Int, new: Int)) {
        (cursor?.previous, (limit + (cursor?.lanes ?? 0), limit))
    }

    /// Compares the records that were read last, and returns the next ones.
    ///
    /// - Parameters:
    ///   - read: The records of the page.
    ///   - limit: The maximum number of new records.
    /// - Returns: The outcome.
    package func step(over read: [PositionedRecord], _ limit: Int) -> Step {
        guard let cursor else { return .records(read) }
        var (known, reached, records) = (0, cursor, [PositionedRecord]())
        for one in read {
            if one.cursor.isAtPosition(of: cursor) {
                guard hashes[one.cursor.lane] == one.record.hash else { return .otherRecord }
                known += 1
            } else if records.count < limit {
                reached = reached.moved(to: one.cursor)
                records.append(PositionedRecord(cursor: reached, record: one.record))
            }
        }
        return known == cursor.lanesRead ? .records(records) : .missing
    }

    /// Moves on to the last of some records.
    ///
    /// - Parameter records: Records of a step, in its order and without omissions.
    package mutating func advance(through records: some Sequence<PositionedRecord>) {
        for one in records {
            if hashes.isEmpty { hashes = Array(repeating: .zero, count: one.cursor.lanes) }
            hashes[one.cursor.lane] = one.record.hash
            cursor = one.cursor
        }
    }
}
