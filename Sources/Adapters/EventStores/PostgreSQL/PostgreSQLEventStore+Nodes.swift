public import EventLog

/// An engine that shares a store.
public struct StoreNode: Hashable, Sendable {
    /// The node's number, a new one each time it registers.
    public var number: Int64
    /// The node's configured name.
    public var name: String
    /// When the node registered, by the server's clock.
    public var startedAt: Instant
    /// When the node's leases expire unless they are renewed, by the server's clock.
    public var until: Instant
    /// Whether that time has passed: other nodes may take over its sessions.
    public var isSilent: Bool
    /// The number of sessions that the node holds.
    public var leases: Int
}

extension PostgreSQLEventStore: SharedStore {
    private static let nodes = PQStatement(
        "nodes",
        """
        SELECT n.id, n.name, n.started_at, n.until, n.until < \(PostgreSQLLeaseStatements.now),
            (SELECT count(*) FROM leases l WHERE l.node = n.id)
        FROM nodes n ORDER BY n.started_at, n.id
        """
    )

    private static let time = PQStatement(
        "server_time",
        "SELECT \(PostgreSQLLeaseStatements.now)"
    )

    /// The time by the server's clock.
    public func serverTime() async throws(EventStoreError) -> Instant {
        let found = try await rows(PQCommand(Self.time))[0]
        return Instant(microseconds: found.integer(0, 0) ?? 0)
    }

    /// Returns the engines that share the store and hold sessions, or held some recently, the
    /// oldest first.
    public func nodes() async throws(EventStoreError) -> [StoreNode] {
        let found = try await rows(PQCommand(Self.nodes))[0]
        return (0..<found.count).map { row in
            StoreNode(
                number: found.integer(row, 0) ?? 0,
                name: found.text(row, 1) ?? "",
                startedAt: Instant(microseconds: found.integer(row, 2) ?? 0),
                until: Instant(microseconds: found.integer(row, 3) ?? 0),
                isSilent: found.integer(row, 4) == 1,
                leases: Int(found.integer(row, 5) ?? 0)
            )
        }
    }
}
