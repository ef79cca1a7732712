internal import CSQLite
internal import SwedbankPay

/// Whether the tables of a file are those that this build makes, with nothing that acts by itself hanging on them.
///
/// Whoever may write the file can plant a trigger that drops what is appended, without an error. So nothing is appended to
/// a file that has a trigger or a view of somebody else's, or in which a table or an index of ours is another one.
/// Further tables and indexes do no harm: they are let be.
struct SQLiteStructure: Sendable {
    /// How many faults are told.
    static let maximumFaults = 10

    /// What stands in a file's schema for a table, an index, a trigger or a view.
    private struct Entry: Hashable, Sendable {
        var kind: String
        var table: String
        /// The statement that made it, with single spaces; nil for what SQLite makes itself.
        var statement: String?
    }

    /// What a file must have.
    private let required: [String: Entry]
    /// What it may have beside that: what a store has whose sessions were moved.
    private let allowed: [String: Entry]

    /// The structure that this build gives a file, read from one in memory.
    static let own: Result<SQLiteStructure, SQLiteFailure> = {
        do throws(SQLiteFailure) { return .success(try SQLiteStructure()) } catch {
            return .failure(error)
        }
    }()

    private init() throws(SQLiteFailure) {
        let memory = try SQLiteConnection.inMemory()
        try SQLiteSchema.migrate(memory)
        required = try Self.entries(of: memory)
        try memory.execute(SQLiteSchema.closing)
        allowed = try Self.entries(of: memory)
    }

    /// What is not as it has to be, in words; none for a sound file of the current schema version.
    static func faults(in connection: SQLiteConnection) throws(SQLiteFailure) -> [String] {
        try own.get().faults(in: entries(of: connection))
    }

    /// Refuses a file in which something is not as it has to be.
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
                faults.append("there is a \(entry.kind) \(Self.shown(name)) of somebody else")
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

    /// A name as it can be shown: it is somebody else's text.
    private static func shown(_ name: String) -> String {
        let isPlain =
            name.utf8.count <= 64
            && name.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
                default: false
                }
            }
        return isPlain ? name : "with a strange name"
    }
}
