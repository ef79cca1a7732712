/// The rights that roles need, and no more.
public enum PostgreSQLGrants {
    /// What is granted on each table to an engine.
    ///
    /// Events are added; nobody but the owner of the table changes or removes them. Keys of sessions are destroyed by
    /// another role.
    static let ofEngine: [(rights: String, on: String)] = [
        ("SELECT", "payment_workflow_schema"),
        ("SELECT, INSERT", "events"),
        ("SELECT, INSERT, UPDATE", "sessions"),
        ("SELECT, INSERT", "addresses"),
        ("SELECT, INSERT", "session_keys"),
        ("SELECT, UPDATE", "log_end"),
        ("SELECT, INSERT, UPDATE, DELETE", "nodes"),
        ("SELECT, INSERT, UPDATE, DELETE", "leases"),
        ("SELECT, INSERT, UPDATE", "deliveries"),
        ("USAGE", "SEQUENCE lease_tokens"),
    ]

    /// What can be read without the keys.
    static let ofReaders: [(rights: String, on: String)] = [
        "payment_workflow_schema", "events", "sessions", "log_end", "nodes", "leases", "deliveries",
    ].map { ("SELECT", $0) }

    /// The statements that grant a role what it needs, for the owner of the tables to run.
    ///
    /// - Parameters:
    ///   - role: The role, as it is named.
    ///   - onlyReading: Whether it only reads, and without the sessions' keys.
    public static func statements(for role: String, onlyReading: Bool = false) -> [String] {
        let name = "\"" + role.replacing("\"", with: "\"\"") + "\""
        return (onlyReading ? ofReaders : ofEngine).map {
            "GRANT \($0.rights) ON \($0.on) TO \(name)"
        }
    }
}
