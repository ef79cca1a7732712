internal import EventLog

/// The minimal rights that roles need.
public enum PostgreSQLGrants {
    /// The rights of an engine on each table.
    ///
    /// Events are only added; only the owner of the table can change or delete them. Keys of
    /// sessions are destroyed by another role.
    static let ofEngine: [(rights: String, on: String)] = [
        ("SELECT", "payment_workflow_schema"),
        ("SELECT, UPDATE", "store_identity"),
        ("SELECT, INSERT", "events"),
        ("SELECT, INSERT, UPDATE", "sessions"),
        ("SELECT, INSERT, UPDATE, DELETE", "listed_sessions"),
        ("SELECT, UPDATE", "listed_progress"),
        ("SELECT, INSERT", "addresses"),
        ("SELECT, INSERT", "session_keys"),
        ("SELECT, UPDATE", "log_end"),
        ("SELECT, INSERT, UPDATE, DELETE", "nodes"),
        ("SELECT, INSERT, UPDATE, DELETE", "leases"),
        ("SELECT, INSERT, UPDATE", "deliveries"),
        ("USAGE", "SEQUENCE lease_tokens"),
        ("SELECT", "checkpoints"),
        ("SELECT", "checkpoint_leaves"),
        ("SELECT, INSERT, UPDATE, DELETE", "search_terms"),
        ("SELECT, INSERT, UPDATE", "search_progress"),
        // DELETE to add up a day again.
        ("SELECT, INSERT, UPDATE, DELETE", "listed_sums"),
        ("SELECT", "record_dictionaries"),
    ]

    /// The tables that can be read without access to the keys.
    static let ofReaders: [(rights: String, on: String)] = [
        "payment_workflow_schema", "store_identity", "events", "sessions", "listed_sessions",
        "listed_progress", "listed_sums", "log_end", "nodes", "leases", "deliveries", "checkpoints",
        "checkpoint_leaves", "search_terms", "search_progress",
        "record_dictionaries",
    ].map { ("SELECT", $0) }

    /// The additional rights of a duty.
    private static func more(for duty: StoreDuty) -> [(rights: String, on: String)] {
        switch duty {
        case .engine, .reading: []
        case .checkpoints: [("INSERT", "checkpoints"), ("INSERT", "checkpoint_leaves")]
        case .erasing: [("UPDATE, DELETE", "session_keys"), ("UPDATE, DELETE", "addresses")]
        }
    }

    /// Returns the statements that grant a role its rights, to be run by the owner of the tables.
    ///
    /// - Parameters:
    ///   - role: The name of the role.
    ///   - duty: The role's duty.
    ///   - schema: The schema of the tables, whose owner runs the first statement; `nil` for one
    ///     that everyone may use, such as `public`. The role must have it in its search path:
    ///     `options=-csearch_path%3DNAME` in its connection string.
    /// - Returns: The statements.
    public static func statements(
        for role: String,
        duty: StoreDuty,
        schema: String? = nil
    ) -> [String] {
        let name = quoted(role)
        let writes = duty == .engine || duty == .erasing
        let entry = schema.map { ["GRANT USAGE ON SCHEMA \(quoted($0)) TO \(name)"] }
        let tables = ((writes ? ofEngine : ofReaders) + more(for: duty)).map {
            "GRANT \($0.rights) ON \(placed($0.on, in: schema)) TO \(name)"
        }
        return (entry ?? []) + tables
    }

    /// Returns the statements that grant a role the rights of an engine or a reader.
    ///
    /// - Parameters:
    ///   - role: The name of the role.
    ///   - onlyReading: Whether the role only reads, without the sessions' keys.
    /// - Returns: The statements.
    public static func statements(for role: String, onlyReading: Bool = false) -> [String] {
        statements(for: role, duty: onlyReading ? .reading : .engine)
    }

    /// Returns a name as an identifier of SQL.
    static func quoted(_ name: String) -> String {
        "\"" + name.rewriting("\"", as: "\"\"") + "\""
    }

    /// The qualified name of a table, or of a sequence preceded by that keyword.
    private static func placed(_ object: String, in schema: String?) -> String {
        guard let schema else { return object }
        var words = object.pieces(between: " ").map(String.init)
        words.append(quoted(schema) + "." + words.removeLast())
        return words.joined(separator: " ")
    }
}
