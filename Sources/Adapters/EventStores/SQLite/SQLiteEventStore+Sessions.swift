public import EventLog

extension SQLiteEventStore {
    /// Returns the matching rows, newest first (by identity, which begins with the time).
    public func sessions(
        matching query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        let lag = query.isOfEngines ? 0 : await catchUp()
        return try await readers.read { connection in
            let table =
                query.isOfEngines
                ? "sessions" : SQLiteLists.table(behindBy: lag, connection.columns)
            guard query.limit > 0 else { return [] }
            if query.referencePrefix != nil {
                // Newest first, so a prefix that many sessions have is answered by the newest ones;
                // otherwise the index of references is short enough to be read and sorted.
                let newest = try Self.rows(
                    query,
                    in: table,
                    among: Self.newestTried,
                    on: connection
                )
                if newest.count >= query.limit { return newest }
            }
            let found = try Self.rows(query, in: table, on: connection)
            guard query.since != nil || query.until != nil else { return found }
            let astray = try Self.rows(query, in: table, isAstray: true, on: connection)
            guard !astray.isEmpty else { return found }
            let known = Set(found.map(\.session))
            let all = found + astray.filter { !known.contains($0.session) }
            return Array(all.sorted { $0.session > $1.session }.prefix(query.limit))
        }
    }

    /// How many of the newest rows are tried first for a prefix.
    private static let newestTried = 5_000

    /// Returns the matching rows, newest first.
    ///
    /// - Parameters:
    ///   - query: The conditions.
    ///   - table: Where the rows are.
    ///   - isAstray: Whether to return only sessions whose identifier does not begin with the time
    ///     at which they were opened; otherwise these may be missing.
    ///   - newest: The number of newest rows to read; `nil` for all.
    ///   - connection: The connection.
    /// - Returns: The rows.
    /// - Throws: ``SQLiteFailure``.
    private static func rows(
        _ query: SessionQuery,
        in table: String,
        isAstray: Bool = false,
        among newest: Int? = nil,
        on connection: SQLiteConnection
    ) throws -> [SessionSummary] {
        let columns = connection.columns
        let conditions = SQLiteConditions(query, of: columns, isAstray: isAstray)
        let rows = newest.map { "(SELECT * FROM \(table) ORDER BY id DESC LIMIT \($0))" } ?? table
        // For few rows that another index finds, the index of the identifiers is not used.
        let isFew =
            query.referencePrefix != nil || query.overdueSince != nil
            || query.undueUntil != nil || isAstray
            || query.ending.flatMap { IdentityEnding.indexed(of: $0) } != nil
        let order = isFew ? "+id" : "id"
        let found = try connection.statement(
            """
            SELECT \(query.isOfEngines ? columns.readWritten : columns.readListed)
            FROM \(rows)\(conditions.clause)
            ORDER BY \(order) DESC LIMIT ?
            """
        )
        defer { found.reset() }
        var index: Int32 = 1
        for value in conditions.values {
            value.bind(to: found, at: index)
            index += 1
        }
        found.bind(Int64(query.limit), at: index)
        var summaries: [SessionSummary] = []
        while try found.step() {
            summaries.append(try SQLiteRows.summary(in: found, of: columns.model))
        }
        return summaries
    }

    /// Returns the row of a session, or `nil` when there is none.
    public func row(of session: SessionID) async throws(EventStoreError) -> SessionSummary? {
        try await readers.read { try Self.row(of: session, on: $0) }
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
    enum Value: Hashable {
        case integer(Int64)
        case text(String)
        case digest(Digest256)

        init(_ value: ReadModel.Value) {
            switch value {
            case .text(let text): self = .text(text)
            case .integer(let number): self = .integer(number)
            }
        }

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
    private let columns: SessionColumns

    /// Conditions for a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - columns: The columns of the rows.
    ///   - isAstray: Whether only sessions are wanted whose identity does not begin with the time
    ///     of their opening; otherwise the identity is bounded by the query's time, so that such
    ///     sessions may be missing.
    ///   - isBounded: Whether the identities are bounded at all; otherwise the index of the times
    ///     may be used.
    init(
        _ query: SessionQuery,
        of columns: SessionColumns,
        isAstray: Bool = false,
        isBounded: Bool = true
    ) {
        self.columns = columns
        require("phase = ?", query.phase.map { .text($0) })
        require("outcome = ?", query.outcome.map { .text($0) })
        requireIndexed(query)
        require("label = ?", query.label.map { .text($0) })
        require("problem = ?", query.problem.map { .text($0) })
        for (column, value) in columns.facts(of: query) {
            // An index of a broad column is of no use where another value is given.
            let hasOther = columns.isBroad(column) && !isBroad(query)
            require(hasOther ? "+\(column) = ?" : "\(column) = ?", Value(value))
        }
        if isBounded {
            requireTime(query, isAstray: isAstray)
        } else {
            require("opened_at >= ?", query.since.map { .integer($0.microseconds) })
            require("opened_at < ?", query.until.map { .integer($0.microseconds) })
        }
        require("reference = ?", query.reference.map { .text($0) })
        requirePrefix(query.referencePrefix)
        if let ending = query.ending {
            let indexed = IdentityEnding.indexed(of: ending)
            require("\(SQLDialect.sqlite.ending) = ?", indexed.map { .text($0) })
            require("substr(id, -\(ending.utf8.count)) = ?", .text(ending))
        }
        require("address_fp = ?", query.addressFingerprint.map { .digest($0) })
        require("due_at <= ?", query.overdueSince.map { .integer($0.microseconds) })
        require(
            "ifnull(due_at > ?, 1) AND phase <> 'ended' AND (imported = 0 OR head_mac IS NOT NULL)",
            query.undueUntil.map { .integer($0.microseconds) }
        )
        require("last_at > ?", query.lastAfter.map { .integer($0.microseconds) })
        if let origin = query.origin {
            terms.append(origin == .imported ? "imported = 1" : "imported = 0")
        }
        if query.overdueSince != nil { terms.append("phase <> 'ended'") }
        require("id < ?", query.before.map { .text($0.description) })
    }

    /// Whether no condition besides one on a broad column and the time leaves few rows.
    private func isBroad(_ query: SessionQuery) -> Bool {
        terms.allSatisfy { $0 == columns.hasFacts } && query.label == nil && query.facts.count == 1
    }

    /// The conditions on the time of opening, with the bounds that identities have therefore.
    private mutating func requireTime(_ query: SessionQuery, isAstray: Bool) {
        // Without the index of the times, since the rows are wanted in the order of identities.
        require("+opened_at >= ?", query.since.map { .integer($0.microseconds) })
        require("+opened_at < ?", query.until.map { .integer($0.microseconds) })
        if isAstray {
            terms.append(SQLDialect.sqlite.isAstray)
        } else {
            let bounds = IdentityBounds(since: query.since, until: query.until)
            require("id >= ?", bounds.first.map { .text($0.description) })
            require("id < ?", bounds.end.map { .text($0.description) })
        }
    }

    private mutating func requirePrefix(_ prefix: String?) {
        guard let prefix else { return }
        // The first two of the conditions can use the index.
        require("reference >= ?", .text(prefix))
        require("reference < ?", .text(prefix + "\u{10FFFF}"))
        require("instr(reference, ?) = 1", .text(prefix))
    }

    var clause: String { terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ") }

    /// The conditions of the partial indexes, which SQLite uses only when the statement contains
    /// them.
    private mutating func requireIndexed(_ query: SessionQuery) {
        let isOpen = query.isOpen ?? query.phase.map { $0 != SessionSummary.ended }
        if let isOpen { terms.append(isOpen ? "phase <> 'ended'" : "phase = 'ended'") }
        if let outcome = query.outcome { terms += columns.partial("outcome", .text(outcome)) }
        if let hasProblem = query.hasProblem {
            terms.append(hasProblem ? "problem IS NOT NULL" : "problem IS NULL")
        }
        for (column, value) in columns.facts(of: query) { terms += columns.partial(column, value) }
        if query.isByFacts { terms.append(columns.hasFacts) }
        if let hasFacts = query.hasFacts {
            terms.append(hasFacts ? columns.hasFacts : columns.lacksFacts)
        }
    }

    private mutating func require(_ term: String, _ value: Value?) {
        guard let value else { return }
        terms.append(term)
        values.append(value)
    }
}
