internal import EventLog
internal import SwedbankPay

/// The data behind handles of an ``InMemoryEventStore``.
actor InMemoryLogs {
    private struct Log {
        /// The order in which sessions were stored, which orders sessions with equal due times.
        var key: Int
        var records: [StoredRecord] = []
        var summary: SessionSummary
        var wrappedKey: [UInt8]?
    }

    private var logs: [SessionID: Log] = [:]
    private var deliveries = InMemoryDeliveries()
    private var leases: [SessionID: Int] = [:]
    private var closed: Set<Int> = []
    private var handles = 1
    private var commits: Int64 = 0
    private var feed: LaneFeed
    private var failure: (error: EventStoreError, left: Int)?

    init(lanes: Int) {
        var random = SystemRandomNumberGenerator()
        let identity = StoreIdentity(high: random.next(), low: random.next(), epoch: 1)
        feed = LaneFeed(lanes: lanes, identity: identity)
    }

    func newHandle() -> Int {
        defer { handles += 1 }
        return handles
    }

    func failAppends(with error: EventStoreError?, count: Int) {
        failure = error.map { ($0, count) }
    }

    func append(_ append: StreamAppend, by handle: Int) throws(EventStoreError) {
        try checkOpen(handle)
        try check(append)
        if let failure, failure.left > 0 {
            self.failure = (failure.error, failure.left - 1)
            throw failure.error
        }
        guard !append.isUnderLease || leases[append.stream] == handle else {
            throw .leaseLost(stream: append.stream)
        }
        let actual = logs[append.stream]?.summary.lastSequence ?? 0
        guard actual == append.expectedVersion else {
            throw .conflict(
                stream: append.stream,
                expected: append.expectedVersion,
                actual: actual
            )
        }
        if logs[append.stream] == nil, let fingerprint = append.summary.addressFingerprint,
            let owner = logs.values.filter({ $0.summary.addressFingerprint == fingerprint })
                .map(\.summary.session).max()
        {
            throw .addressTaken(by: owner)
        }
        let new = Log(
            key: logs.count + 1,
            summary: append.summary,
            wrappedKey: append.wrappedKey
        )
        var summary = append.summary
        if let known = logs[append.stream] { summary.origin = known.summary.origin }
        logs[append.stream, default: new].records += append.records
        logs[append.stream]?.summary = summary
        if let wrapped = append.wrappedKey { logs[append.stream]?.wrappedKey = wrapped }
        commits += 1
        feed.append(append.records.count, of: append.stream, from: append.expectedVersion + 1)
    }

    private func check(_ append: StreamAppend) throws(EventStoreError) {
        var sequence = append.expectedVersion
        for record in append.records {
            sequence += 1
            guard record.stream == append.stream, record.sequence == sequence else {
                throw .corrupt(
                    stream: append.stream,
                    sequence: record.sequence,
                    reason: "the records to append do not follow each other"
                )
            }
        }
        guard append.expectedVersion >= 0, !append.records.isEmpty,
            append.summary.session == append.stream, append.summary.lastSequence == sequence
        else {
            throw .corrupt(
                stream: append.stream,
                sequence: sequence,
                reason: "the append has no records, or its summary is not of the last one"
            )
        }
    }

    func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int,
        by handle: Int
    ) throws(EventStoreError) -> [StoredRecord] {
        try checkOpen(handle)
        guard limit > 0, let records = logs[stream]?.records else { return [] }
        return Array(records.dropFirst(max(1, first).count - 1).prefix(limit))
    }

    func head(of stream: SessionID, by handle: Int) throws(EventStoreError) -> StreamHead? {
        try checkOpen(handle)
        guard let last = logs[stream]?.records.last else { return nil }
        return StreamHead(sequence: last.sequence, hash: last.hash)
    }

    func wrappedKey(of stream: SessionID, by handle: Int) throws(EventStoreError) -> [UInt8]? {
        try checkOpen(handle)
        return logs[stream]?.wrappedKey
    }

    func sessions(
        matching query: SessionQuery,
        by handle: Int
    ) throws(EventStoreError) -> [SessionSummary] {
        try checkOpen(handle)
        let fitting = logs.values.map(\.summary).filter { $0.fits(query) }
        let newestFirst = fitting.sorted { $0.session > $1.session }
        return Array(newestFirst.prefix(max(0, query.limit)))
    }

    func sessionsDue(
        by instant: Instant,
        limit: Int,
        by handle: Int
    ) throws(EventStoreError) -> [SessionID] {
        try checkOpen(handle)
        var due: [(at: Instant, key: Int, session: SessionID)] = []
        for (session, log) in logs {
            guard let at = log.summary.dueAt, at <= instant else { continue }
            due.append((at, log.key, session))
        }
        due.sort { ($0.at, $0.key) < ($1.at, $1.key) }
        return due.prefix(max(0, limit)).map(\.session)
    }

    func sessionsUndelivered(
        matching query: UndeliveredQuery,
        by handle: Int
    ) throws(EventStoreError) -> [SessionID] {
        try checkOpen(handle)
        let found = logs.values.map(\.summary).filter { row in
            row.openedAt >= query.openedSince
                && query.after.map { row.session > $0 } ?? true
                && deliveries.isUndelivered(row, query)
        }
        return Array(found.map(\.session).sorted().prefix(max(0, query.limit)))
    }

    func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant,
        from handle: Int
    ) throws(EventStoreError) -> [DeliveryProgress?] {
        try checkOpen(handle)
        return changes.map { change in
            logs[change.session] == nil ? nil : deliveries.make(change, by: claim, at: now)
        }
    }

    func changeCounter(by handle: Int) throws(EventStoreError) -> Int64 {
        try checkOpen(handle)
        return commits
    }

    func changes(
        after cursor: LogCursor?,
        limit: Int,
        by handle: Int
    ) throws(EventStoreError) -> StoreChanges {
        try checkOpen(handle)
        guard let cursor else { return StoreChanges(cursor: feed.end) }
        let page = try feed.page(after: cursor, limit: max(1, limit))
        let last = page.last?.cursor ?? cursor
        var changes = StoreChanges(cursor: last, isComplete: last.distance(from: nil) == feed.count)
        for (_, entry) in page {
            changes.heads[entry.session] = max(changes.heads[entry.session] ?? 0, entry.sequence)
        }
        return changes
    }

    func records(
        after cursor: LogCursor?,
        limit: Int,
        by handle: Int
    ) throws(EventStoreError) -> [PositionedRecord] {
        try checkOpen(handle)
        return try feed.page(after: cursor, limit: max(0, limit)).compactMap { cursor, entry in
            logs[entry.session]?.records.first { $0.sequence == entry.sequence }.map {
                PositionedRecord(cursor: cursor, record: $0)
            }
        }
    }

    func acquireLease(on stream: SessionID, by handle: Int) throws(EventStoreError) -> Bool {
        try checkOpen(handle)
        guard leases[stream, default: handle] == handle else { return false }
        leases[stream] = handle
        return true
    }

    func releaseLease(on stream: SessionID, by handle: Int) {
        if leases[stream] == handle { leases[stream] = nil }
    }

    func close(_ handle: Int) {
        closed.insert(handle)
        leases = leases.filter { $0.value != handle }
    }

    private func checkOpen(_ handle: Int) throws(EventStoreError) {
        if closed.contains(handle) { throw .closed }
    }
}

extension SessionSummary {
    /// Whether all conditions of a query hold, apart from its limit.
    fileprivate func fits(_ query: SessionQuery) -> Bool {
        func isMet<Value>(_ condition: Value?, _ test: (Value) -> Bool) -> Bool {
            condition.map(test) ?? true
        }
        return isMet(query.phase) { phase == $0 }
            && isMet(query.outcome) { outcome == $0 }
            && isMet(query.isOpen) { isOver != $0 }
            && isMet(query.problem) { problem == $0 }
            && isMet(query.hasProblem) { (problem != nil) == $0 }
            && isMet(query.money) { facts?.money == $0 }
            && isMet(query.host) { facts?.host == $0 }
            && isMet(query.turn) { facts?.turn == $0 }
            && isMet(query.orderReference) { facts?.orderReference == $0 }
            && isMet(query.hasFacts) { (facts != nil) == $0 }
            && isMet(query.label) { label == $0 }
            && isMet(query.since) { openedAt >= $0 }
            && isMet(query.until) { openedAt < $0 }
            && isMet(query.reference) { reference == $0 }
            && isMet(query.referencePrefix) { reference?.hasPrefix($0) ?? false }
            && isMet(query.ending) { "\(session)".hasSuffix($0) }
            && isMet(query.addressFingerprint) { addressFingerprint == $0 }
            && isMet(query.overdueSince) { since in
                !isOver && dueAt.map { $0 <= since } ?? false
            }
            && isMet(query.undueUntil) { until in
                !isOver && dueAt.map { $0 > until } ?? true && !isForeign
            }
            && isMet(query.lastAfter) { lastAt > $0 }
            && isMet(query.origin) { origin == $0 }
            && isMet(query.before) { session < $0 }
    }
}
