/// The rights that roles need, and no more.
public enum PostgreSQLGrants {
    /// What a role is for.
    public enum Duty: String, Hashable, Sendable, CaseIterable {
        /// Runs an engine: adds events, sessions and keys.
        case engine
        /// Reads everything but the keys.
        case reading
        /// Reads everything but the keys, and makes checkpoints.
        case checkpoints
        /// What an engine may, and replaces and destroys the keys of sessions.
        case erasing
    }

    /// What is granted on each table to an engine.
    ///
    /// Events are added; nobody but the owner of the table changes or removes them. Keys of sessions are destroyed by
    /// another role.
    static let ofEngine: [(rights: String, on: String)] = [
        ("SELECT", "payment_workflow_schema"),
        ("SELECT, UPDATE", "store_identity"),
        ("SELECT, INSERT", "events"),
        ("SELECT, INSERT, UPDATE", "sessions"),
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
    ]

    /// What can be read without the keys.
    static let ofReaders: [(rights: String, on: String)] = [
        "payment_workflow_schema", "store_identity", "events", "sessions", "log_end", "nodes",
        "leases",
        "deliveries", "checkpoints", "checkpoint_leaves", "search_terms", "search_progress",
    ].map { ("SELECT", $0) }

    /// What is granted beside that.
    private static func more(for duty: Duty) -> [(rights: String, on: String)] {
        switch duty {
        case .engine, .reading: []
        case .checkpoints: [("INSERT", "checkpoints"), ("INSERT", "checkpoint_leaves")]
        case .erasing: [("UPDATE, DELETE", "session_keys"), ("UPDATE, DELETE", "addresses")]
        }
    }

    /// The statements that grant a role what it needs, for the owner of the tables to run.
    ///
    /// - Parameters:
    ///   - role: The role, as it is named.
    ///   - duty: What it is for.
    ///   - schema: The schema that the tables are in, whose owner runs the first statement; nothing for one that everybody
    ///     may enter, as `public`. The role has to look into it: `options=-csearch_path%3DNAME` in its connection string.
    public static func statements(
        for role: String,
        duty: Duty,
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

    /// The statements that grant a role what an engine or a reader needs.
    ///
    /// - Parameters:
    ///   - role: The role, as it is named.
    ///   - onlyReading: Whether it only reads, and without the sessions' keys.
    public static func statements(for role: String, onlyReading: Bool = false) -> [String] {
        statements(for: role, duty: onlyReading ? .reading : .engine)
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// The name of a table, or of a sequence with that word before it, in a schema.
    private static func placed(_ object: String, in schema: String?) -> String {
        guard let schema else { return object }
        var words = object.split(separator: " ").map(String.init)
        words.append(quoted(schema) + "." + words.removeLast())
        return words.joined(separator: " ")
    }
}
