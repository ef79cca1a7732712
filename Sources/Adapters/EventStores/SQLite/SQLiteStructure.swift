internal import EventLog
internal import UVTransport

/// Checks that the tables and triggers of a file are those that this build creates, and that the
/// file has no other triggers or views.
///
/// Anyone who may write the file can plant a trigger that silently discards what is appended. So
/// nothing is appended to a file that has a foreign trigger or view, or in which one of our tables
/// or indexes differs. Additional tables and indexes do no harm and are ignored.
struct SQLiteStructure: Sendable {
    /// The maximum number of faults to report.
    static let maximumFaults = 10

    /// A table, index, trigger or view in a file's schema.
    private struct Entry: Hashable, Sendable {
        var kind: String
        var table: String
        /// The statement that created it, with single spaces; `nil` for what SQLite creates itself.
        var statement: String?
    }

    /// The entries that a file must have.
    private let required: [String: Entry]
    /// Further entries that it may have: those of a store whose sessions were moved.
    private let allowed: [String: Entry]

    /// The structures that this build creates, by what lists and sums need.
    private static let known = ThreadLock<[ReadModel: SQLiteStructure]>([:])

    /// The structure that this build creates, read from a database in memory.
    private static func own(_ model: ReadModel) throws(SQLiteFailure) -> SQLiteStructure {
        if let known = known.withLock({ $0[model] }) { return known }
        let own = try SQLiteStructure(model)
        known.withLock { $0[model] = own }
        return own
    }

    private init(_ model: ReadModel) throws(SQLiteFailure) {
        let memory = try SQLiteConnection.inMemory(model)
        try SQLiteSchema.migrate(memory, by: SQLiteSchema.migrations(memory.sums))
        required = try Self.entries(of: memory)
        try memory.execute(SQLiteSchema.closing)
        allowed = try Self.entries(of: memory)
    }

    /// Descriptions of the faults; empty for an intact file of the current schema version.
    static func faults(in connection: SQLiteConnection) throws(SQLiteFailure) -> [String] {
        try own(connection.columns.model).faults(in: entries(of: connection))
    }

    /// Throws when the structure of a file has a fault.
    static func check(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        let faults = try faults(in: connection)
        guard faults.isEmpty else {
            throw SQLiteFailure(alteration: faults.joined(separator: "; "))
        }
    }

    private func faults(in found: [String: Entry]) -> [String] {
        var faults: [String] = []
        for (name, entry) in found.sorted(by: { $0.key < $1.key }) {
            if let known = allowed[name] {
                if known != entry { faults.append("the \(known.kind) \(name) was altered") }
            } else if ["trigger", "view"].contains(entry.kind) {
                faults.append("this program did not create the \(entry.kind) \(Self.shown(name))")
            }
        }
        for (name, entry) in required.sorted(by: { $0.key < $1.key }) where found[name] == nil {
            faults.append("the \(entry.kind) \(name) is missing")
        }
        return Array(faults.prefix(Self.maximumFaults))
    }

    private static func entries(
        of connection: SQLiteConnection
    ) throws(SQLiteFailure) -> [String: Entry] {
        let rows = try SQLiteStatement(
            "SELECT name, type, tbl_name, sql FROM sqlite_schema",
            on: connection.database
        )
        var entries: [String: Entry] = [:]
        while try rows.step() {
            guard let name = rows.text(0) else { continue }
            let words = rows.text(3)?.split(whereSeparator: \.isWhitespace)
            entries[name] = Entry(
                kind: rows.text(1) ?? "",
                table: rows.text(2) ?? "",
                statement: words?.joined(separator: " ")
            )
        }
        return entries
    }

    /// A name in a form that can be shown: it is text from outside.
    private static func shown(_ name: String) -> String {
        let isPlain =
            name.utf8.count <= 64
            && name.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
                default: false
                }
            }
        return isPlain ? name : "whose name cannot be shown"
    }
}
