internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Derives the facts of rows without facts from the logs.
///
/// Rows have none when the session's last record was written by an earlier build: until `store
/// reproject` has derived them, every command that needs facts reads these logs.
struct FactsFromLogs {
    /// The number of rows that are written at once.
    static let batch = 200
    /// The number of rows that are added to the sums at once; appends wait meanwhile.
    static let summed = 5_000

    /// The number of logs that could not be read.
    private(set) var unreadable = 0
    private let decider: SessionDecider

    init(by decider: SessionDecider) { self.decider = decider }

    /// Returns the row with its facts; `nil`, after a message, when its log cannot be read or is
    /// not valid.
    mutating func row(
        _ row: SessionSummary,
        in reader: Reader
    ) async throws(Failure) -> SessionSummary? {
        guard row.facts == nil else { return row }
        return try await rederived(row, in: reader)
    }

    /// Returns the row with the facts of its log; `nil`, after a message, when the log cannot be
    /// read or is not valid.
    mutating func rederived(
        _ row: SessionSummary,
        in reader: Reader
    ) async throws(Failure) -> SessionSummary? {
        guard let log = try await log(of: row, in: reader) else { return nil }
        var row = row
        row.facts = decider.facts(of: log.state)
        return row
    }

    /// Returns the log of a row; `nil`, after a message, when it cannot be read or was altered.
    private mutating func log(
        of row: SessionSummary,
        in reader: Reader
    ) async throws(Failure) -> SessionLog? {
        do throws(Failure) {
            let log = try await SessionLog.read(row.session, from: reader.store)
            try log.requireSound(upTo: .max)
            return log
        } catch {
            // A listed session without a log is damaged, too: its records were removed.
            guard error.status == .damaged || error.code == "engine.unknown-session" else {
                throw error
            }
            reader.invocation.note("\(error)")
            unreadable += 1
            return nil
        }
    }

    /// Returns the rows without facts that match a query apart from its conditions on facts, with
    /// the facts of their logs.
    mutating func rows(
        _ query: SessionQuery,
        in reader: Reader
    ) async throws(Failure) -> [SessionSummary] {
        var query = query
        let wanted = (money: query.money, host: query.host, turn: query.turn)
        (query.money, query.host, query.turn) = (nil, nil, nil)
        (query.hasFacts, query.limit) = (false, SessionQuery.defaultLimit)
        let stale = try await reader.store.allSessions(matching: query)
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        defer { progress.clear() }
        var rows: [SessionSummary] = []
        for (index, row) in stale.enumerated() {
            guard !Task.isCancelled else { break }
            progress.reached(
                Int64(index),
                of: Int64(stale.count),
                "reading logs of earlier builds",
                at: reader.invocation.now()
            )
            guard let row = try await self.row(row, in: reader) else { continue }
            let facts = row.facts
            guard wanted.money.map({ $0 == facts?.money }) ?? true,
                wanted.host.map({ $0 == facts?.host }) ?? true,
                wanted.turn.map({ $0 == facts?.turn }) ?? true
            else { continue }
            rows.append(row)
        }
        return rows
    }

    /// Returns the row that follows from a log, with the values that do not follow from the log
    /// alone; `nil`, after a message, when the log cannot be read or was altered.
    private mutating func rebuilt(
        _ row: SessionSummary,
        in reader: Reader
    ) async throws(Failure) -> SessionSummary? {
        guard let log = try await log(of: row, in: reader) else { return nil }
        var derived = decider.summary(of: log.state)
        (derived.dueAt, derived.headMAC, derived.origin) = (row.dueAt, row.headMAC, row.origin)
        derived.addressFingerprint = row.addressFingerprint
        return derived
    }

    /// Adds the rows to the sums that are not in them yet.
    private func addUp(
        in store: any PaymentStore,
        _ reader: Reader
    ) async throws(Failure) {
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        defer { progress.clear() }
        var batches: Int64 = 0
        while !Task.isCancelled {
            let hasMore = try await Self.translating { () async throws(EventStoreError) in
                try await store.sumRows(limit: Self.summed)
            }
            guard hasMore else { return }
            batches += 1
            progress.reached(
                batches * Int64(Self.summed),
                of: 0,
                "\(batches * Int64(Self.summed)) sessions added up",
                at: reader.invocation.now()
            )
        }
    }

    /// Computes and writes the facts of the rows without facts, or all rows, and then adds the rows
    /// to the sums that are not in them yet.
    ///
    /// After an interruption, what was written remains. Returns the number of rows written; rows
    /// that changed meanwhile are up to date already.
    mutating func derive(
        in reader: Reader,
        into store: any PaymentStore,
        rebuilding isRebuilding: Bool
    ) async throws(Failure) -> Int {
        let written = try await deriveRows(in: reader, into: store, rebuilding: isRebuilding)
        if isRebuilding, !Task.isCancelled {
            try await Self.translating { () async throws(EventStoreError) in
                try await store.restartSums()
            }
        }
        try await addUp(in: store, reader)
        return written
    }

    private mutating func deriveRows(
        in reader: Reader,
        into store: any PaymentStore,
        rebuilding isRebuilding: Bool
    ) async throws(Failure) -> Int {
        var query = SessionQuery(hasFacts: isRebuilding ? nil : false, limit: Self.batch)
        var (written, seen): (Int, Int64) = (0, 0)
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        defer { progress.clear() }
        while !Task.isCancelled {
            let page = try await Self.translating { () async throws(EventStoreError) in
                try await reader.store.sessions(matching: query)
            }
            var rows: [SessionSummary] = []
            for row in page {
                seen += 1
                progress.reached(seen, of: 0, "\(seen) sessions read", at: reader.invocation.now())
                let derived =
                    isRebuilding
                    ? try await rebuilt(row, in: reader) : try await self.row(row, in: reader)
                if let derived, derived.lastSequence == row.lastSequence { rows.append(derived) }
            }
            written += try await Self.translating { () async throws(EventStoreError) in
                try await store.replaceRows(rows)
            }
            guard page.count == query.limit, let last = page.last else { return written }
            query.before = last.session
        }
        return written
    }

    private static func translating<Value>(
        _ body: () async throws(EventStoreError) -> Value
    ) async throws(Failure) -> Value {
        do throws(EventStoreError) { return try await body() } catch { throw Failure(error) }
    }
}
