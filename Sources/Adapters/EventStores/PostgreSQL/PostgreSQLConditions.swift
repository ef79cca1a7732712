internal import EventLog

/// The conditions of a query as SQL with parameters for its values.
///
/// Each combination is a separate statement, since the server uses a partial index only for
/// conditions in the statement's text.
struct PostgreSQLConditions {
    private(set) var values: [PQValue] = []
    private var types: [PQValue.TypeID] = []
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
    ///   - isBounded: Whether the identities are bounded at all.
    init(
        _ query: SessionQuery,
        of columns: SessionColumns,
        isAstray: Bool = false,
        isBounded: Bool = true
    ) {
        self.columns = columns
        require("phase = $", .text, query.phase.map { .text($0) })
        require("outcome = $", .text, query.outcome.map { .text($0) })
        requireIndexed(query)
        require("label = $", .text, query.label.map { .text($0) })
        require("problem = $", .text, query.problem.map { .text($0) })
        for (column, value) in columns.facts(of: query) {
            switch value {
            case .text(let text): require("\(column) = $", .text, .text(text))
            case .integer(let number): require("\(column) = $", .integer, .integer(number))
            }
        }
        require("opened_at >= $", .integer, query.since.map { .integer($0.microseconds) })
        require("opened_at < $", .integer, query.until.map { .integer($0.microseconds) })
        if isAstray { add(SQLDialect.postgreSQL.isAstray) }
        if isBounded, !isAstray {
            let bounds = IdentityBounds(since: query.since, until: query.until)
            require("id >= $::text::uuid", .text, bounds.first.map { .text($0.description) })
            require("id < $::text::uuid", .text, bounds.end.map { .text($0.description) })
        }
        let reference = "reference COLLATE \"C\""
        require("\(reference) = $", .text, query.reference.map { .text($0) })
        if let prefix = query.referencePrefix {
            // The first two of the conditions can use the index.
            require("\(reference) >= $", .text, .text(prefix))
            require("\(reference) < $", .text, .text(prefix + "\u{10FFFF}"))
            require("starts_with(reference, $)", .text, .text(prefix))
        }
        if let ending = query.ending {
            let indexed = IdentityEnding.indexed(of: ending)
            require("\(SQLDialect.postgreSQL.ending) = $", .text, indexed.map { .text($0) })
            require("right(id::text, length($)) = $", .text, .text(ending))
        }
        require("address_fp = $", .bytes, query.addressFingerprint.map { .bytes($0.bytes) })
        require("due_at <= $", .integer, query.overdueSince.map { .integer($0.microseconds) })
        require(
            """
            coalesce(due_at > $, true) AND phase <> 'ended'
                AND (imported = 0 OR head_mac IS NOT NULL)
            """,
            .integer,
            query.undueUntil.map { .integer($0.microseconds) }
        )
        require("last_at > $", .integer, query.lastAfter.map { .integer($0.microseconds) })
        if let origin = query.origin { add(origin == .imported ? "imported = 1" : "imported = 0") }
        if query.overdueSince != nil { add("phase <> 'ended'") }
        require("id < $::text::uuid", .text, query.before.map { .text($0.description) })
    }

    /// Returns the statement with its values.
    ///
    /// - Parameters:
    ///   - name: The name of statements of this kind.
    ///   - beginning: The text before the conditions.
    ///   - end: The text after them, apart from a last parameter.
    ///   - last: The last parameter, a number; `nil` for none.
    /// - Returns: The statement.
    func command(
        _ name: String,
        _ beginning: String,
        _ end: String,
        _ last: PQValue?
    ) -> PQCommand {
        let condition = terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
        let limit = last == nil ? "" : " $\(values.count + 1)"
        return PQCommand(
            kind: name,
            "\(beginning)\(condition) \(end)\(limit)",
            Array(zip(types, values)) + (last.map { [(.integer, $0)] } ?? [])
        )
    }

    /// The conditions of the partial indexes, which the server uses only when the statement
    /// contains them.
    private mutating func requireIndexed(_ query: SessionQuery) {
        let isOpen = query.isOpen ?? query.phase.map { $0 != SessionSummary.ended }
        if let isOpen { add(isOpen ? "phase <> 'ended'" : "phase = 'ended'") }
        if let outcome = query.outcome { terms += columns.partial("outcome", .text(outcome)) }
        if let hasProblem = query.hasProblem {
            add(hasProblem ? "problem IS NOT NULL" : "problem IS NULL")
        }
        for (column, value) in columns.facts(of: query) { terms += columns.partial(column, value) }
        if query.isByFacts { add(columns.hasFacts) }
        if let hasFacts = query.hasFacts {
            add(hasFacts ? columns.hasFacts : columns.lacksFacts)
        }
    }

    private mutating func add(_ term: String) { terms.append(term) }

    private mutating func require(_ term: String, _ type: PQValue.TypeID, _ value: PQValue?) {
        guard let value else { return }
        values.append(value)
        types.append(type)
        terms.append(term.rewriting("$", as: "$\(values.count)"))
    }
}

extension PQCommand {
    /// A statement whose text is put together, with the types of its parameters and their values.
    ///
    /// It is planned each time: which index is best depends on the values, and on how few rows are
    /// wanted.
    ///
    /// - Parameters:
    ///   - kind: The name of statements of this kind.
    ///   - sql: The text.
    ///   - values: The parameters.
    init(kind: String, _ sql: String, _ values: [(PQValue.TypeID, PQValue)]) {
        // The server truncates long names: a hash of the text, the same in every process, is short.
        let number = sql.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let name = "\(kind)_\(String(number, radix: 36))"
        self.init(PQStatement(name, sql, values.map { $0.0 }).plannedEachTime)
        self.values = values.map { $0.1 }
    }
}
