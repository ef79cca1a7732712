internal import EventLog
internal import SwedbankPay

extension PostgreSQLLeases {
    /// How many of the sessions held here other nodes should have; asking says that this node takes part.
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

    /// Gives leases to the nodes that had the fewest when it was last asked for.
    ///
    /// A lease goes from row to row with a token of its own, so that nobody else gets it in between. What does not arrive is
    /// still this node's by name and found again among what is due.
    func handOver(_ sessions: [SessionID]) async {
        let held = take(sessions)
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
        _ = try? await pool.writer().run(commands)
    }
}

/// How many sessions each node holds that takes part, and how many nobody holds.
struct LeaseShares: Sendable {
    /// The nodes that live.
    var held: [(node: Int64, count: Int)] = []
    /// Sessions with something due that anybody may take.
    var waiting = 0

    /// The part of its share by which a node may be above it, as a divisor: less is not worth moving.
    static let tolerance = 10

    /// What each would have.
    private var share: Int {
        let all = held.reduce(waiting) { $0 + $1.count }
        return (all + held.count - 1) / max(1, held.count)
    }

    /// How many a node has that others should have.
    func surplus(of node: Int64) -> Int {
        guard held.count > 1, let mine = held.first(where: { $0.node == node })?.count else {
            return 0
        }
        let surplus = mine - share
        return surplus > share / Self.tolerance ? surplus : 0
    }

    /// Who gets how many sessions of a node: always one to whoever has the fewest, and to nobody above its share.
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

/// The statements by which nodes share sessions.
enum PostgreSQLSharingStatements {
    /// How many sessions that nobody holds are counted at the most.
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
        UPDATE leases l SET node = given.recipient, token = nextval('lease_tokens')
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (session, token, recipient)
        WHERE l.session = given.session::uuid AND l.token = given.token AND l.node = $4
        """,
        .texts,
        .integers,
        .integers,
        .integer
    )
}
