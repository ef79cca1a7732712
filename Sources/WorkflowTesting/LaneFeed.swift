internal import EventLog

/// The records of all sessions in lanes, as a store offers them to subscribers.
struct LaneFeed: Sendable {
    /// A record at its position in a lane.
    struct Entry: Sendable {
        var position: Int64
        var session: SessionID
        var sequence: SequenceNumber
    }

    /// The identity in log positions: no other store has it.
    private let identity: StoreIdentity
    /// The visible records of each lane, by position.
    private var lanes: [[Entry]]
    /// The last assigned position of each lane.
    private var assigned: [Int64]

    init(lanes: Int, identity: StoreIdentity) {
        self.identity = identity
        self.lanes = Array(repeating: [], count: max(1, lanes))
        assigned = Array(repeating: 0, count: max(1, lanes))
    }

    private func lane(of session: SessionID) -> Int {
        Int(session.low % UInt64(lanes.count))
    }

    /// Assigns the next positions to records of a session, which become visible later, and returns
    /// the first one.
    mutating func assignPositions(_ count: Int, of session: SessionID) -> Int64 {
        let lane = lane(of: session)
        assigned[lane] += Int64(count)
        return assigned[lane] - Int64(count) + 1
    }

    /// Makes records of a session visible, at the next positions or at those that were
    /// assigned before.
    mutating func append(
        _ count: Int,
        of session: SessionID,
        from sequence: SequenceNumber,
        at position: Int64? = nil
    ) {
        let first = position ?? assignPositions(count, of: session)
        let lane = lane(of: session)
        let index = lanes[lane].firstIndex { $0.position > first } ?? lanes[lane].endIndex
        let entries = (0..<count).map { offset in
            Entry(
                position: first + Int64(offset),
                session: session,
                sequence: sequence + offset
            )
        }
        lanes[lane].insert(contentsOf: entries, at: position == nil ? lanes[lane].endIndex : index)
    }

    /// The number of visible records.
    var count: Int64 { lanes.reduce(0) { $0 + Int64($1.count) } }

    /// The log position of the newest records.
    var end: LogCursor {
        let ends = lanes.map { $0.last?.position ?? 0 }
        return cursor(ends, lane: ends.firstIndex(where: { $0 > 0 }) ?? 0)
    }

    /// The sessions that were appended to after a log position of this feed.
    func changes(after cursor: LogCursor, limit: Int) -> StoreChanges {
        guard let page = try? page(after: cursor, limit: limit) else {
            preconditionFailure("a position that the feed has returned")
        }
        var heads: [SessionID: SequenceNumber] = [:]
        for (_, entry) in page {
            heads[entry.session] = max(heads[entry.session] ?? 0, entry.sequence)
        }
        return StoreChanges(
            cursor: page.last?.cursor ?? cursor,
            heads: heads,
            isComplete: page.count < limit
        )
    }

    /// Returns the next records: one of each lane in turn, beginning after the lane that was read
    /// last.
    func page(
        after cursor: LogCursor?,
        limit: Int
    ) throws(EventStoreError) -> [(cursor: LogCursor, entry: Entry)] {
        var reached =
            try cursor?.positions(in: identity, lanes: lanes.count)
            ?? Array(repeating: 0, count: lanes.count)
        var next: [Int] = []
        for (lane, position) in reached.enumerated() {
            guard position <= lanes[lane].last?.position ?? 0 else {
                throw .cursorRefused(.beyondEnd)
            }
            next.append(index(after: position, in: lane))
        }
        var found: [(LogCursor, Entry)] = []
        var (lane, idle) = (cursor.map { ($0.lane + 1) % lanes.count } ?? 0, 0)
        while found.count < limit, idle < lanes.count {
            if next[lane] < lanes[lane].count {
                let entry = lanes[lane][next[lane]]
                next[lane] += 1
                reached[lane] = entry.position
                found.append((self.cursor(reached, lane: lane), entry))
                idle = 0
            } else {
                idle += 1
            }
            lane = (lane + 1) % lanes.count
        }
        return found
    }

    /// The index of the first record after a position.
    private func index(after position: Int64, in lane: Int) -> Int {
        var (low, high) = (0, lanes[lane].count)
        while low < high {
            let middle = (low + high) / 2
            if lanes[lane][middle].position > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func cursor(_ positions: [Int64], lane: Int) -> LogCursor {
        guard let cursor = LogCursor(store: identity, positions: positions, lane: lane) else {
            preconditionFailure("there is a position for each lane")
        }
        return cursor
    }
}
