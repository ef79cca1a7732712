internal import EventLog

/// Writes the rows of `listed_sessions`.
///
/// SQLite updates an index entry whenever the statement names its column, even when the value stays
/// the same: a statement names only the columns that change, and there is one for each set of them.
///
/// - Note: Isolation: the writer's thread.
final class SQLiteListedRows {
    private typealias Value = SQLiteConditions.Value

    /// The maximum number of kept statements; beyond it, all are dropped.
    private static let maximumStatements = 256

    private let connection: SQLiteConnection
    private let columns: SessionColumns
    private let find: SQLiteStatement
    private let insert: SQLiteStatement
    /// The statements, by the columns that they change, as bits.
    private var updates: [UInt64: SQLiteStatement] = [:]

    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        columns = connection.columns
        precondition(columns.listed.count <= UInt64.bitWidth)
        find = try connection.statement(
            "SELECT \(columns.readListed) FROM listed_sessions WHERE key = ?1"
        )
        let names = columns.listed
        let parameters = (2..<names.count + 2).map { "?\($0)" }.joined(separator: ", ")
        insert = try connection.statement(
            """
            INSERT OR REPLACE INTO listed_sessions (key, \(names.joined(separator: ", ")))
            VALUES (?1, \(parameters))
            """
        )
    }

    /// Makes the row with an integer key equal to a session's.
    func write(_ row: SessionSummary, key: Int64) throws(SQLiteFailure) {
        let values = values(of: row)
        guard let known = try self.row(with: key) else {
            return try write(values, by: insert, key: key)
        }
        guard known != row else { return }
        let before = self.values(of: known)
        var changes: UInt64 = 0
        for (index, value) in values.enumerated() where value != before[index] {
            changes |= 1 << index
        }
        guard changes != 0 else { return }
        try write(values, only: changes, by: update(changes), key: key)
    }

    /// The row as it is; `nil` when there is none, or none that can be read.
    private func row(with key: Int64) throws(SQLiteFailure) -> SessionSummary? {
        find.bind(key, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return try? SQLiteRows.summary(in: find, of: columns.model)
    }

    private func update(_ changes: UInt64) throws(SQLiteFailure) -> SQLiteStatement {
        if let known = updates[changes] { return known }
        let assignments = columns.listed.enumerated().filter { changes >> $0.offset & 1 == 1 }
            .map { "\($0.element) = ?\($0.offset + 2)" }
        let statement = try SQLiteStatement(
            "UPDATE listed_sessions SET \(assignments.joined(separator: ", ")) WHERE key = ?1",
            on: connection.database
        )
        if updates.count >= Self.maximumStatements { updates = [:] }
        updates[changes] = statement
        return statement
    }

    private func write(
        _ values: [Value?],
        only changes: UInt64 = .max,
        by statement: SQLiteStatement,
        key: Int64
    ) throws(SQLiteFailure) {
        statement.bind(key, at: 1)
        for (index, value) in values.enumerated() where changes >> index & 1 == 1 {
            let place = Int32(index) + 2
            if let value {
                value.bind(to: statement, at: place)
            } else {
                statement.bindNull(at: place)
            }
        }
        try statement.writeOne()
    }

    /// The values of the columns, in their order.
    private func values(of row: SessionSummary) -> [Value?] {
        func text(_ text: String?) -> Value? { text.map { .text($0) } }
        let common: [Value?] = [
            text(row.session.description), text(row.phase), text(row.outcome),
            .integer(row.isSettled ? 1 : 0), .integer(row.lastSequence.rawValue),
            .integer(row.openedAt.microseconds), .integer(row.lastAt.microseconds),
            text(row.reference), text(row.label), text(row.problem),
            row.dueAt.map { .integer($0.microseconds) },
            row.addressFingerprint.map { .digest($0) }, row.headMAC.map { .digest($0) },
            .integer(row.origin == .imported ? 1 : 0),
        ]
        let facts: [Value?] = columns.model.columns.indices.map { index in
            guard let values = row.facts?.values, index < values.count else { return nil }
            return switch values[index] {
            case .text(let text)?: .text(text)
            case .integer(let number)?: .integer(number)
            case nil: nil
            }
        }
        return common + [row.facts.map { _ in .integer(columns.model.version) }] + facts
    }
}
