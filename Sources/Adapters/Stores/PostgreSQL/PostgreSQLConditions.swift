internal import EventLog

/// The conditions of a query as SQL with parameters for its values.
///
/// Each combination is a separate statement, since the server uses a partial index only for
/// conditions in the statement's text.
struct PostgreSQLConditions {
    private(set) var values: [PQValue] = []
    private var types: [PQValue.TypeID] = []
    private var terms: [String] = []

    init(_ query: SessionQuery) {
        require("phase = $", .text, query.phase.map { .text($0) })
        require("outcome = $", .text, query.outcome.map { .text($0) })
        requireIndexed(query)
        require("instrument = $", .text, query.label.map { .text($0) })
        require("problem = $", .text, query.problem.map { .text($0) })
        require("money = $", .text, query.money.map { .text($0) })
        require("host = $", .text, query.host.map { .text($0) })
        require("turn = $", .text, query.turn.map { .text($0) })
        require("opened_at >= $", .integer, query.since.map { .integer($0.microseconds) })
        require("opened_at < $", .integer, query.until.map { .integer($0.microseconds) })
        require("reference = $", .text, query.reference.map { .text($0) })
        require("starts_with(reference, $)", .text, query.referencePrefix.map { .text($0) })
        require("right(id::text, length($)) = $", .text, query.ending.map { .text($0) })
        require("address_fp = $", .bytes, query.addressFingerprint.map { .bytes($0.bytes) })
        require("due_at <= $", .integer, query.overdueSince.map { .integer($0.microseconds) })
        require("imported = $", .integer, query.origin.map { .integer($0 == .imported ? 1 : 0) })
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
        let sql = "\(beginning)\(condition) \(end)\(limit)"
        // The server truncates long names: a hash of the text, the same in every process, is short.
        let number = sql.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let statement = PQStatement(
            "\(name)_\(String(number, radix: 36))",
            sql,
            types + (last == nil ? [] : [.integer])
        )
        var command = PQCommand(statement)
        command.values = values + (last.map { [$0] } ?? [])
        return command
    }

    /// The conditions of the partial indexes, which the server uses only when the statement
    /// contains them.
    private mutating func requireIndexed(_ query: SessionQuery) {
        let isOpen = query.isOpen ?? query.phase.map { $0 != SessionSummary.ended }
        if let isOpen { add(isOpen ? "phase <> 'ended'" : "phase = 'ended'") }
        if let outcome = query.outcome, outcome != "completed" { add("outcome <> 'completed'") }
        if let hasProblem = query.hasProblem {
            add(hasProblem ? "problem IS NOT NULL" : "problem IS NULL")
        }
        if let money = query.money, ["intended", "underWay", "unknown"].contains(money) {
            add("money IN ('intended', 'underWay', 'unknown')")
        }
        if let turn = query.turn, ["merchant", "support"].contains(turn) {
            add("turn IN ('merchant', 'support')")
        }
        if query.money != nil || query.host != nil || query.turn != nil {
            add("facts_version = \(SessionFacts.version)")
        }
        if let hasFacts = query.hasFacts {
            let isCurrent = "DISTINCT FROM \(SessionFacts.version)"
            add(hasFacts ? "facts_version IS NOT " + isCurrent : "facts_version IS " + isCurrent)
        }
    }

    private mutating func add(_ term: String) { terms.append(term) }

    private mutating func require(_ term: String, _ type: PQValue.TypeID, _ value: PQValue?) {
        guard let value else { return }
        values.append(value)
        types.append(type)
        terms.append(term.replacing("$", with: "$\(values.count)"))
    }
}
