public import EventLog
internal import SwedbankPay

extension SQLiteEventStore {
    /// Returns the matching rows of the projection, newest first (by identity, which begins with
    /// the time).
    public func sessions(
        matching query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        try await readers.read { connection in
            guard query.limit > 0 else { return [] }
            let conditions = SQLiteConditions(query)
            let rows = try connection.statement(
                """
                SELECT \(SQLiteRows.summaryColumns) FROM sessions\(conditions.clause)
                ORDER BY id DESC LIMIT ?
                """
            )
            defer { rows.reset() }
            var index: Int32 = 1
            for value in conditions.values {
                value.bind(to: rows, at: index)
                index += 1
            }
            rows.bind(Int64(query.limit), at: index)
            var summaries: [SessionSummary] = []
            while try rows.step() { summaries.append(try SQLiteRows.summary(in: rows)) }
            return summaries
        }
    }

    /// Returns the sessions with something due, the longest overdue first.
    public func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        try await readers.read { connection in
            guard limit > 0 else { return [] }
            let rows = try connection.statement(
                "SELECT id FROM sessions WHERE due_at <= ?1 ORDER BY due_at, key LIMIT ?2"
            )
            defer { rows.reset() }
            rows.bind(instant.microseconds, at: 1)
            rows.bind(Int64(limit), at: 2)
            var due: [SessionID] = []
            while try rows.step() { due.append(try SQLiteRows.session(in: rows)) }
            return due
        }
    }
}

/// The conditions of a query as SQL with parameters for its values, so that equal queries share a
/// prepared statement.
struct SQLiteConditions {
    enum Value {
        case integer(Int64)
        case text(String)
        case digest(Digest256)

        func bind(to statement: SQLiteStatement, at index: Int32) {
            switch self {
            case .integer(let value): statement.bind(value, at: index)
            case .text(let value): statement.bind(text: value, at: index)
            case .digest(let value):
                value.withBytes { statement.bind(copying: $0, at: index) }
            }
        }
    }

    private(set) var values: [Value] = []
    private var terms: [String] = []

    init(_ query: SessionQuery) {
        require("phase = ?", query.phase.map { .text($0) })
        require("outcome = ?", query.outcome.map { .text($0) })
        requireIndexed(query)
        require("instrument = ?", query.label.map { .text($0) })
        require("problem = ?", query.problem.map { .text($0) })
        require("money = ?", query.money.map { .text($0) })
        require("host = ?", query.host.map { .text($0) })
        require("turn = ?", query.turn.map { .text($0) })
        require("opened_at >= ?", query.since.map { .integer($0.microseconds) })
        require("opened_at < ?", query.until.map { .integer($0.microseconds) })
        require("reference = ?", query.reference.map { .text($0) })
        // The first of the two conditions can use the index.
        require("reference >= ?", query.referencePrefix.map { .text($0) })
        require("instr(reference, ?) = 1", query.referencePrefix.map { .text($0) })
        require("substr(id, -\(query.ending?.utf8.count ?? 0)) = ?", query.ending.map { .text($0) })
        require("address_fp = ?", query.addressFingerprint.map { .digest($0) })
        require("due_at <= ?", query.overdueSince.map { .integer($0.microseconds) })
        require("imported = ?", query.origin.map { .integer($0 == .imported ? 1 : 0) })
        if query.overdueSince != nil { terms.append("phase <> 'ended'") }
        require("id < ?", query.before.map { .text($0.description) })
    }

    var clause: String { terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ") }

    /// The conditions of the partial indexes, which SQLite uses only when the statement contains
    /// them.
    private mutating func requireIndexed(_ query: SessionQuery) {
        let isOpen = query.isOpen ?? query.phase.map { $0 != SessionSummary.ended }
        if let isOpen { terms.append(isOpen ? "phase <> 'ended'" : "phase = 'ended'") }
        if let outcome = query.outcome, outcome != "completed" {
            terms.append("outcome <> 'completed'")
        }
        if let hasProblem = query.hasProblem {
            terms.append(hasProblem ? "problem IS NOT NULL" : "problem IS NULL")
        }
        if let money = query.money, ["intended", "underWay", "unknown"].contains(money) {
            terms.append("money IN ('intended', 'underWay', 'unknown')")
        }
        if let turn = query.turn, ["merchant", "support"].contains(turn) {
            terms.append("turn IN ('merchant', 'support')")
        }
        let isCurrent = "\(SessionFacts.version)"
        if query.money != nil || query.host != nil || query.turn != nil {
            terms.append("facts_version = " + isCurrent)
        }
        if let hasFacts = query.hasFacts {
            terms.append("facts_version IS \(hasFacts ? "" : "NOT ")" + isCurrent)
        }
    }

    private mutating func require(_ term: String, _ value: Value?) {
        guard let value else { return }
        terms.append(term)
        values.append(value)
    }
}
