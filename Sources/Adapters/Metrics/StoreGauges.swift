public import CoreMetrics
public import EventLog
internal import Inspection
internal import SwedbankPay
public import Workflow

/// Measures a store for the host's metrics: overdue sessions, nodes that share it, how far its
/// search index and its checkpoints are behind, its disk, and its money.
///
/// One instance per store is enough, in any process that may read it; several report the same
/// values. Labels hold hosts, currencies and words from a fixed list, and no identity, reference or
/// address.
///
/// - Note: Isolation: any; one run or sample at a time.
public actor StoreGauges {
    private let store: any PersistentStore
    private let clock: any EngineClock
    private let metrics: any MetricsFactory
    private var money: MoneyScan
    /// The groups whose amount was reported: one that is no longer known is reported as zero.
    private var withAmount: Set<MoneyTotals.Group> = []

    /// Creates gauges for a store.
    ///
    /// - Parameters:
    ///   - store: The store; read-only access is enough.
    ///   - clock: The clock.
    ///   - window: The age up to which a confirmed payment is counted; `nil` for no limit. Payments
    ///     whose money is unknown, under way or intended are counted at any age.
    ///   - metrics: The metrics backend.
    public init(
        of store: any PersistentStore,
        clock: any EngineClock,
        window: Duration? = .seconds(30 * 86_400),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.store = store
        self.clock = clock
        self.metrics = metrics
        money = MoneyScan(of: store, window: window)
    }

    /// Measures repeatedly until the task is canceled; a failed read is retried at the next
    /// interval.
    public func run(every interval: Duration = .seconds(15)) async {
        while !Task.isCancelled {
            do {
                try await sample()
            } catch {
                Counter(
                    label: "payment_workflow_samples_failed_total",
                    dimensions: [("code", error.code)],
                    factory: metrics
                ).increment()
            }
            await clock.sleep(until: clock.now() + interval)
        }
    }

    /// Measures once.
    public func sample() async throws(EventStoreError) {
        let now = clock.now()
        try await recordOverdue(at: now)
        if let shared = store as? any SharedStore { try await recordNodes(of: shared) }
        // A copy, since the actor's state must not change across the suspension; with one sample at
        // a time, the copy is the newest.
        var scan = money
        let sums = try await scan.sample(at: now)
        money = scan
        for (group, total) in sums { record(total, of: group) }
        gauge("payment_workflow_sums_behind", [], await store.catchUp())
        try await recordDuplicates()
        try await recordIndex()
        try await recordCheckpoint(at: now)
        if let free = (store as? any FileStore).flatMap({ FileCheck(store: $0.path).free }) {
            gauge("payment_workflow_store_free_bytes", [], Int64(clamping: free))
        }
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)], _ value: Int64) {
        Gauge(label: label, dimensions: dimensions, factory: metrics).record(value)
    }

    /// Records by how much the longest overdue session that no node is working on is late, and
    /// which sessions are not found by their due times, or not read.
    private func recordOverdue(at now: Instant) async throws(EventStoreError) {
        var late: Int64 = 0
        if let session = try await store.sessionsDue(by: now, limit: 1).first,
            let due = try await store.row(of: session)?.dueAt
        {
            late = max(0, (now.microseconds - due.microseconds) / 1_000_000)
        }
        gauge("payment_workflow_overdue_seconds", [], late)
        let forgotten = try await ForgottenSessions(in: store, at: now).sessions.count
        gauge("payment_workflow_sessions_without_due_time", [], Int64(forgotten))
        let resting = try await RestingPayments(in: store, at: now).sessions.count
        gauge("payment_workflow_payments_resting", [], Int64(resting))
        let ahead = try await AheadLogs(in: store, at: now).longest
        gauge("payment_workflow_clock_ahead_seconds", [], ahead.components.seconds)
    }

    private func recordNodes(of store: any SharedStore) async throws(EventStoreError) {
        let nodes = try await store.nodes()
        let silent = nodes.count { $0.isSilent }
        gauge("payment_workflow_nodes", [("state", "alive")], Int64(nodes.count - silent))
        gauge("payment_workflow_nodes", [("state", "silent")], Int64(silent))
        for isSilent in [false, true] {
            let leases = nodes.filter { $0.isSilent == isSilent }.reduce(0) { $0 + $1.leases }
            let state = isSilent ? "silent" : "alive"
            gauge("payment_workflow_leases", [("state", state)], Int64(leases))
        }
    }

    /// Records how many orders may have been paid more than once.
    ///
    /// Logs that cannot be read are left out; `verify` reports them.
    private func recordDuplicates() async throws(EventStoreError) {
        var found = DuplicatePayments(in: store)
        do throws(LogReadingError) {
            let orders = try await found.confirmed(money.duplicates) { _ in }
            gauge("payment_workflow_possible_duplicates", [], Int64(orders.count))
        } catch .store(let error) {
            throw error
        } catch {
            return
        }
    }

    /// Records how many records the search index has not read; nothing until somebody uses it, or
    /// for a role that may not read its progress.
    private func recordIndex() async throws(EventStoreError) {
        let known: SearchProgress?
        do throws(EventStoreError) {
            known = try await store.searchProgress()
        } catch .missingRight {
            return
        }
        guard let progress = known, let end = try await store.changes(after: nil, limit: 1)?.cursor
        else { return }
        let behind = max(0, end.distance(from: progress.cursor) ?? 0)
        gauge("payment_workflow_index_behind", [("index", "search")], behind)
    }

    /// Records the age of the newest checkpoint, 0 if it covers every record.
    ///
    /// There is no value without checkpoints, or for a database role that may not read them.
    private func recordCheckpoint(at now: Instant) async throws(EventStoreError) {
        let newest: StoredCheckpoint?
        do throws(EventStoreError) {
            newest = try await store.newestCheckpoint()
        } catch .missingRight {
            return
        }
        guard let newest, let end = try await store.changes(after: nil, limit: 1)?.cursor else {
            return
        }
        let isBehind = newest.positions.enumerated().contains { lane, position in
            end.position(inLane: lane).map { $0 > position } ?? false
        }
        let age = isBehind ? max(.zero, now - newest.signed.checkpoint.at) : .zero
        gauge("payment_workflow_checkpoint_age_seconds", [], age.components.seconds)
    }

    private func record(_ total: MoneyTotals.Total, of group: MoneyTotals.Group) {
        let dimensions = [
            ("host", group.host), ("currency", group.currency ?? "unknown"),
            ("state", group.standing.rawValue),
        ]
        gauge("payment_workflow_payments", dimensions, Int64(total.payments))
        gauge("payment_workflow_payments_without_amount", dimensions, Int64(total.withoutAmount))
        gauge("payment_workflow_payments_resolved", dimensions, Int64(total.resolvedByPerson))
        // A sum of amounts of which none is known would look like no money.
        if total.withoutAmount < total.payments { withAmount.insert(group) }
        guard withAmount.contains(group) else { return }
        gauge("payment_workflow_money", dimensions, total.amount?.minorUnits ?? .max)
    }
}

/// The money of a store's payments, updated with what was appended since the last sample.
private struct MoneyScan: Sendable {
    private let store: any PersistentStore
    private let window: Duration?
    private var totals = MoneyTotals()
    /// The log position up to which everything is counted.
    private var cursor: LogCursor?
    /// The groups reported last time: an emptied group is reported once as zero before it is
    /// dropped.
    private var reported: Set<MoneyTotals.Group> = []

    /// The maximum number of records per read.
    static let batch = 1024
    /// The maximum number of rows per read.
    static let rows = 1000
    /// The maximum number of rows without facts, older than the window, whose logs are read.
    static let staleRows = 500
    /// The maximum number of records of other sessions in one check for new records.
    static let changes = 4096

    init(of store: any PersistentStore, window: Duration?) {
        self.store = store
        self.window = window
    }

    /// The orders of the counted payments that may have been paid more than once.
    var duplicates: [MoneyTotals.Duplicates] { totals.duplicates }

    /// The current totals by group; a group that became empty since the last sample is reported
    /// once more, as zero.
    mutating func sample(
        at now: Instant
    ) async throws(EventStoreError) -> [(MoneyTotals.Group, MoneyTotals.Total)] {
        let start = window.map { now + (.zero - $0) }
        do throws(EventStoreError) {
            if cursor != nil { try await goOn() }
        } catch .cursorRefused {
            // The store was put back to an earlier state: everything is counted again.
            (totals, cursor) = (MoneyTotals(), nil)
        }
        if cursor == nil { try await begin(since: start) }
        if let start { totals.forget(confirmedBefore: start) }
        let sums = totals.totals
        let groups = Set(sums.map(\.group))
        let gone = reported.subtracting(groups).sorted()
        reported = groups
        return sums.map { ($0.group, $0.total) } + gone.map { ($0, MoneyTotals.Total()) }
    }

    /// Counts what exists already; what is appended meanwhile is read again afterwards.
    ///
    /// A payment that is not settled counts however old it is: money that stays unknown must not
    /// leave the gauges by itself.
    private mutating func begin(since start: Instant?) async throws(EventStoreError) {
        let end = try await store.changes(after: nil, limit: 1)?.cursor
        try await add(SessionQuery(since: start, origin: .own))
        if let start {
            for standing in [MoneyState.Standing.intended, .underWay, .unknown] {
                try await add(
                    SessionQuery(until: start, origin: .own).with(money: standing.rawValue),
                    withPayments: true
                )
            }
            // Rows without facts, until 'store reproject' has written them again.
            let stale = SessionQuery(
                hasFacts: false,
                until: start,
                origin: .own,
                limit: Self.staleRows
            )
            for row in try await store.sessions(matching: stale) { try await add(row) }
        }
        if !Task.isCancelled { cursor = end }
    }

    /// Adds all rows that match a query, page by page, and if requested the payments that they
    /// count with.
    private mutating func add(
        _ query: SessionQuery,
        withPayments: Bool = false
    ) async throws(EventStoreError) {
        var query = query
        query.limit = Self.rows
        while !Task.isCancelled {
            let rows = try await store.sessions(matching: query)
            for row in rows {
                if withPayments { try await addWithPayment(row) } else { try await add(row) }
            }
            guard rows.count == Self.rows else { return }
            query.before = rows.last?.session
        }
    }

    private mutating func goOn() async throws(EventStoreError) {
        while !Task.isCancelled, let known = cursor,
            let changes = try await store.changes(after: known, limit: Self.changes)
        {
            for session in changes.heads.keys.sorted() {
                if let row = try await store.row(of: session) { try await addWithPayment(row) }
            }
            cursor = changes.cursor
            if changes.isComplete { return }
        }
    }

    /// Adds a row, and the one of the payment that it counts with, which may have been forgotten
    /// since.
    private mutating func addWithPayment(_ row: SessionSummary) async throws(EventStoreError) {
        try await add(row)
        if let payment = row.facts?.countsWith, let other = try await store.row(of: payment) {
            try await add(other)
        }
    }

    /// Adds the facts of a row, or those of its log when the row has none; `verify`
    /// reports damaged logs.
    private mutating func add(_ row: SessionSummary) async throws(EventStoreError) {
        guard row.facts == nil else { return totals.add(row) }
        var (state, next) = (SessionState(session: row.session), SequenceNumber.first)
        while true {
            let records: [StoredRecord]
            do throws(EventStoreError) {
                records = try await store.read(row.session, from: next, limit: Self.batch)
            } catch .corrupt {
                return
            }
            for record in records {
                guard let event = try? RecordReader.event(in: record) else { return }
                state.apply(event.event, at: event.at)
            }
            guard records.count == Self.batch else { break }
            next += records.count
        }
        var row = row
        row.facts = state.facts(turn: nil)
        totals.add(row)
    }
}
