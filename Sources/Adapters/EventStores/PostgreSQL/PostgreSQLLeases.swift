internal import CoreMetrics
internal import EventLog
internal import UVTransport

/// Leases on sessions' effects, which last as long as this node renews its row on the server.
///
/// A node has one row that expires by the server's clock and is renewed three times within that
/// period: however many sessions are held, that is one small write. A lease is valid as long as its
/// node's row is. An expired row is deleted by any node that needs one of its sessions; a node
/// whose row was deleted holds no leases any more, and registers again under another number. Each
/// lease has a random token, which accompanies appends.
///
/// Commits of leases do not wait for the disk or for standbys. A crash of the server may lose the
/// newest ones, and no request that changes a payment relies on a lost one: its start is appended
/// first, which flushes everything that was committed before, and is refused without its lease.
///
/// - Note: Isolation: the loop; ``token(of:)`` any thread.
actor PostgreSQLLeases {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The leases that are held, as far as this node knows.
    struct Table {
        var tokens: [SessionID: Int64] = [:]
        /// After this time, by a clock that also runs while the process is stopped, the server may
        /// have expired this node.
        var end: ContinuousClock.Instant?
    }

    let pool: PostgreSQLPool
    private let name: String
    private let time: Duration
    let table = ThreadLock(Table())
    /// The number of this node's row; a new one each time the row was lost.
    private(set) var node: Int64?
    /// Rows that this node had or may have had before: they are obsolete, and are deleted once they
    /// have expired.
    private var former: Set<Int64> = []
    private var registering: Task<Result<Int64, PQFailure>, Never>?
    private var renewing: Task<Void, Never>?
    private var isClosed = false
    /// The number under which this node is registered for sharing sessions; `nil` before that.
    var sharing: Int64?
    /// The number of sessions of each node when it was last read.
    var shares = LeaseShares()

    init(_ pool: PostgreSQLPool, on loop: UVLoop, name: String, time: Duration) {
        self.pool = pool
        self.loop = loop
        self.name = name
        self.time = time
    }

    /// The token of a lease that is certainly held; `nil` when it may have expired.
    nonisolated func token(of session: SessionID) -> Int64? {
        table.withLock { table in
            guard let end = table.end, ContinuousClock.now < end else { return nil }
            return table.tokens[session]
        }
    }

    /// This node's number, so that its own leases can be ignored.
    var number: Int64? { node }

    private var microseconds: Int64 { Int64(clamping: time.millisecondsRoundedUp) * 1000 }

    /// Acquires a lease; succeeds when it is held already.
    func acquire(_ session: SessionID) async throws(PQFailure) -> Bool {
        if token(of: session) != nil { return true }
        let node = try await register()
        let rows = try await pool.writer().run([
            PQCommand(PostgreSQLLeaseStatements.bury, .text("\(session)")),
            PQCommand(
                PostgreSQLLeaseStatements.take,
                .text("\(session)"),
                .integer(node),
                // Not from a sequence, whose newest values a crash may lose and assign again.
                .integer(Int64.random(in: 1 ... .max))
            ),
        ])
        guard let token = rows.last?.integer(0, 0) else { return false }
        guard self.node == node, !isClosed else {
            // The row was lost or released while the lease was being acquired.
            await giveBack(session, node, token)
            return false
        }
        table.withLock { $0.tokens[session] = token }
        if let before = rows.last?.integer(0, 1), before != node {
            Counter(label: "payment_workflow_takeovers_total").increment()
        }
        return true
    }

    /// Creates this node's row, unless there is a valid one.
    func register() async throws(PQFailure) -> Int64 {
        if let node, let end = table.withLock({ $0.end }), ContinuousClock.now < end { return node }
        let task = registering ?? loop.spawn { await self.begin() }
        registering = task
        return try await task.value.get()
    }

    private func begin() async -> Result<Int64, PQFailure> {
        defer { registering = nil }
        // The time ran out before a renewal found this out, as when no renewal arrives.
        if node != nil { lostRenewals.increment() }
        lose()
        let number = Int64.random(in: 1 ... .max)
        // Until the server's response arrives: it may be lost although the row exists.
        former.insert(number)
        let start = ContinuousClock.now
        let command = PQCommand(
            PostgreSQLLeaseStatements.begin,
            .integer(number),
            .text(name),
            .integer(microseconds)
        )
        do throws(PQFailure) {
            _ = try await pool.writer().run([command])
        } catch {
            return .failure(error)
        }
        guard !isClosed else {
            return .failure(PQFailure(.notConnected, "the store was closed"))
        }
        node = number
        former.remove(number)
        table.withLock { $0.end = start + time }
        if renewing == nil { renewing = loop.spawn { await self.renew() } }
        return .success(number)
    }

    /// Counts how often this node found its own leases expired.
    private var lostRenewals: Counter { Counter(label: "payment_workflow_renewals_lost_total") }

    /// Drops all leases: the server has granted them to others, or may have.
    private func lose() {
        if let node { former.insert(node) }
        node = nil
        table.withLock { $0 = Table() }
    }

    /// Renews the node's row three times within its period.
    private func renew() async {
        // An alert compares values: without a first 0, it would miss the first loss.
        lostRenewals.increment(by: 0)
        while !isClosed, !Task.isCancelled {
            guard (try? await loop.sleep(for: time / 3)) != nil, !isClosed, !Task.isCancelled
            else { break }
            guard let node else { continue }
            let start = ContinuousClock.now
            let command = PQCommand(
                PostgreSQLLeaseStatements.renew,
                .integer(node),
                .integer(microseconds)
            )
            // While the server cannot be reached, the remaining time keeps running out, which is
            // counted when it has.
            guard let rows = try? await pool.writer().run([command]).first, self.node == node
            else { continue }
            if rows.count == 0 {
                lostRenewals.increment()
                lose()
            } else {
                table.withLock { $0.end = start + time }
                await removeFormer()
            }
        }
        renewing = nil
    }

    /// Deletes the node's earlier rows once they have expired.
    private func removeFormer() async {
        guard !former.isEmpty else { return }
        let numbers = Array(former)
        // What remains is deleted after the next renewal.
        let rows = try? await pool.writer().run([
            PQCommand(PostgreSQLLeaseStatements.forget, .integers(numbers)),
            PQCommand(PostgreSQLLeaseStatements.known, .integers(numbers)),
        ])
        guard let known = rows?.last else { return }
        let left = Set((0..<known.count).compactMap { known.integer($0, 0) })
        former.subtract(numbers.filter { !left.contains($0) })
    }

    /// Releases a lease, even one that was handed to this node and never used; if the release does
    /// not arrive, the lease expires with the node's row.
    func release(_ session: SessionID) async {
        guard let node else { return }
        await giveBack(session, node, removeLeases(of: [session]).first?.token)
    }

    /// Releases many leases at once.
    func release(_ sessions: [SessionID]) async {
        let held = removeLeases(of: sessions)
        guard let node, !held.isEmpty else { return }
        let command = PQCommand(
            PostgreSQLLeaseStatements.giveManyBack,
            .texts(held.map { "\($0.session)" }),
            .integers(held.map(\.token)),
            .integer(node)
        )
        // What does not arrive leaves the leases with this node, which finds the sessions when due.
        _ = try? await pool.writer().run([command])
    }

    /// Removes leases from the table, after which no append relies on them.
    func removeLeases(of sessions: [SessionID]) -> [(session: SessionID, token: Int64)] {
        table.withLock { table in
            sessions.compactMap { session in
                table.tokens.removeValue(forKey: session).map { (session, $0) }
            }
        }
    }

    private func giveBack(_ session: SessionID, _ node: Int64, _ token: Int64?) async {
        let command = PQCommand(
            PostgreSQLLeaseStatements.giveBack,
            .text("\(session)"),
            .integer(node),
            .optional(token)
        )
        // What does not arrive leaves the lease with this node, which finds the session when due.
        _ = try? await pool.writer().run([command])
    }

    /// Releases everything.
    func close() async {
        isClosed = true
        renewing?.cancel()
        _ = await registering?.value
        lose()
        guard !former.isEmpty else { return }
        // What does not arrive expires: nothing renews these rows any more.
        _ = try? await pool.writer().run([
            PQCommand(PostgreSQLLeaseStatements.giveAllBack, .integers(Array(former))),
            PQCommand(PostgreSQLLeaseStatements.end, .integers(Array(former))),
        ])
    }
}

/// The statements of leases.
enum PostgreSQLLeaseStatements {
    /// The server's time in microseconds.
    static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    static let begin = PQStatement(
        "node_begin",
        """
        INSERT INTO nodes (id, name, started_at, until)
        VALUES ($1, $2, \(now), \(now) + $3)
        """,
        .integer,
        .text,
        .integer
    )
    /// An expired row cannot be renewed: another node may have acted on the expiry already.
    static let renew = PQStatement(
        "node_renew",
        "UPDATE nodes SET until = \(now) + $2 WHERE id = $1 AND until >= \(now) RETURNING id",
        .integer,
        .integer
    )
    static let end = PQStatement("nodes_end", "DELETE FROM nodes WHERE id = ANY ($1)", .integers)
    /// Deletes obsolete rows that have expired.
    static let forget = PQStatement(
        "nodes_forget",
        "DELETE FROM nodes WHERE id = ANY ($1) AND until < \(now)",
        .integers
    )
    static let known = PQStatement(
        "nodes_known",
        "SELECT id FROM nodes WHERE id = ANY ($1)",
        .integers
    )

    /// Deletes the node that holds a session, if it has expired.
    ///
    /// The statement waits for a renewal under way and then checks again, so that a node renewed in
    /// time is never deleted. From here on the node cannot be renewed.
    static let bury = PQStatement(
        "node_bury",
        """
        DELETE FROM nodes WHERE until < \(now)
            AND id = (SELECT node FROM leases WHERE session = $1::text::uuid)
        """,
        .text
    )
    /// Lets the transaction end without waiting for the disk, on a server that has the setting.
    private static let unflushed = """
        (SELECT CASE WHEN current_setting('synchronous_commit', true) IS NOT NULL
            THEN set_config('synchronous_commit', 'off', true) END)
        """

    static let take = PQStatement(
        "lease_take",
        """
        WITH before AS (SELECT node FROM leases WHERE session = $1::text::uuid)
        INSERT INTO leases AS l (session, node, token)
        SELECT $1::text::uuid, $2, $3 FROM \(unflushed) AS unflushed
        ON CONFLICT (session) DO UPDATE SET node = excluded.node, token = excluded.token
            WHERE l.node = excluded.node OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = l.node)
        RETURNING token, (SELECT node FROM before)
        """,
        .text,
        .integer,
        .integer
    )
    static let giveBack = PQStatement(
        "lease_give_back",
        """
        DELETE FROM leases USING \(unflushed) AS unflushed
        WHERE session = $1::text::uuid AND node = $2 AND ($3 IS NULL OR token = $3)
        """,
        .text,
        .integer,
        .integer
    )
    static let giveManyBack = PQStatement(
        "leases_give_back",
        """
        DELETE FROM leases l USING unnest($1::text[], $2::bigint[]) AS given (session, token),
            \(unflushed) AS unflushed
        WHERE l.session = given.session::uuid AND l.token = given.token AND l.node = $3
        """,
        .texts,
        .integers,
        .integer
    )
    static let giveAllBack = PQStatement(
        "lease_give_all_back",
        "DELETE FROM leases WHERE node = ANY ($1)",
        .integers
    )
}
