internal import EventLog

extension PostgreSQLLeases {
    /// Returns how many of the sessions held here should move to other nodes; the first call
    /// registers this node for sharing.
    func surplus(dueBy instant: Instant) async throws(PQFailure) -> Int {
        let node = try await register()
        if sharing != node {
            _ = try await pool.writer().run([
                PQCommand(PostgreSQLSharingStatements.takePart, .integer(node))
            ])
            sharing = node
        }
        let rows = try await pool.reader().run([
            PQCommand(PostgreSQLSharingStatements.held),
            PQCommand(PostgreSQLSharingStatements.waiting, .integer(instant.microseconds)),
        ])
        guard rows.count == 2 else { return 0 }
        let held = (0..<rows[0].count).map { row in
            (node: rows[0].integer(row, 0) ?? 0, count: Int(rows[0].integer(row, 1) ?? 0))
        }
        shares = LeaseShares(held: held, waiting: Int(rows[1].integer(0, 0) ?? 0))
        return shares.surplus(of: node)
    }

    /// Hands leases over to the nodes that had the fewest according to the last call of
    /// ``surplus(dueBy:)``.
    ///
    /// A lease moves from one row to another with a new token, so that no other node can acquire it
    /// in between. A lease that the recipient does not take up still belongs to this node and is
    /// found again among the sessions that are due.
    func handOver(_ sessions: [SessionID]) async {
        let held = removeLeases(of: sessions)
        guard let node, !held.isEmpty else { return }
        let recipients = shares.recipients(of: held.count, from: node)
        let (given, left) = (held.prefix(recipients.count), held.dropFirst(recipients.count))
        var commands: [PQCommand] = []
        if !given.isEmpty {
            commands.append(
                PQCommand(
                    PostgreSQLSharingStatements.handOver,
                    .texts(given.map { "\($0.session)" }),
                    .integers(given.map(\.token)),
                    .integers(recipients),
                    .integer(node)
                )
            )
        }
        if !left.isEmpty {
            commands.append(
                PQCommand(
                    PostgreSQLLeaseStatements.giveManyBack,
                    .texts(left.map { "\($0.session)" }),
                    .integers(left.map(\.token)),
                    .integer(node)
                )
            )
        }
        // What does not arrive leaves the leases with this node, which finds the sessions when due.
        _ = try? await pool.writer().run(commands)
    }
}

/// The number of sessions of each sharing node, and of those without a node.
struct LeaseShares: Sendable {
    /// The living nodes.
    var held: [(node: Int64, count: Int)] = []
    /// The number of due sessions that any node may take.
    var waiting = 0

    /// The divisor of a node's share by which it may exceed it: a smaller surplus is not worth
    /// moving.
    static let tolerance = 10

    /// The share of each node.
    private var share: Int {
        let all = held.reduce(waiting) { $0 + $1.count }
        return (all + held.count - 1) / max(1, held.count)
    }

    /// The number of sessions that a node should give to others.
    func surplus(of node: Int64) -> Int {
        guard held.count > 1, let mine = held.first(where: { $0.node == node })?.count else {
            return 0
        }
        let surplus = mine - share
        return surplus > share / Self.tolerance ? surplus : 0
    }

    /// The recipients of a node's sessions: each goes to the node with the fewest, and none to a
    /// node at its share.
    func recipients(of count: Int, from node: Int64) -> [Int64] {
        var others = held.filter { $0.node != node }
        let share = share
        return (0..<count).compactMap { _ in
            guard let place = others.indices.min(by: { others[$0].count < others[$1].count }),
                others[place].count < share
            else { return nil }
            others[place].count += 1
            return others[place].node
        }
    }
}

/// The statements for sharing sessions among nodes.
enum PostgreSQLSharingStatements {
    /// The maximum number of unheld sessions to count.
    static let waitingLimit = 4096

    static let takePart = PQStatement(
        "node_take_part",
        "UPDATE nodes SET takes = 1 WHERE id = $1",
        .integer
    )
    static let held = PQStatement(
        "leases_held",
        """
        SELECT n.id, (SELECT count(*) FROM leases l WHERE l.node = n.id) FROM nodes n
        WHERE n.takes = 1 AND n.until >= \(PostgreSQLLeaseStatements.now) ORDER BY n.id
        """
    )
    static let waiting = PQStatement(
        "sessions_waiting",
        """
        SELECT count(*) FROM (
            SELECT 1 FROM sessions s WHERE due_at <= $1 AND NOT EXISTS (
                SELECT 1 FROM leases l JOIN nodes n ON n.id = l.node
                WHERE l.session = s.id AND n.until >= \(PostgreSQLLeaseStatements.now))
            ORDER BY due_at, id LIMIT \(waitingLimit)) AS waiting
        """,
        .integer
    )
    static let handOver = PQStatement(
        "leases_hand_over",
        """
        UPDATE leases l SET node = given.recipient, token = 1 + floor(random() * 9e15)::bigint
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (session, token, recipient)
        WHERE l.session = given.session::uuid AND l.token = given.token AND l.node = $4
        """,
        .texts,
        .integers,
        .integers,
        .integer
    )
}
