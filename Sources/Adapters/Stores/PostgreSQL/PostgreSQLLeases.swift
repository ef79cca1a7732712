internal import Workflow

/// The sole right to run a session's effects, for a time that is renewed while this node lives.
///
/// The server's clock alone says when a lease has run out. Each time that a lease changes hands its token grows.
///
/// - Note: Isolation: the loop.
actor PostgreSQLLeases {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let pool: PostgreSQLPool
    private let holder: Int64
    private let time: Duration
    /// The leases that are held, with their tokens.
    private(set) var held: [SessionID: Int64] = [:]
    private var renewing: Task<Void, Never>?

    init(_ pool: PostgreSQLPool, on loop: UVLoop, holder: Int64, time: Duration) {
        self.pool = pool
        self.loop = loop
        self.holder = holder
        self.time = time
    }

    /// The server's time in microseconds.
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    private static let take = PQStatement(
        "lease_take",
        """
        INSERT INTO leases AS l (session, holder, token, until)
        VALUES ($1::text::uuid, $2, 1, \(now) + $3)
        ON CONFLICT (session) DO UPDATE SET holder = excluded.holder, until = excluded.until,
            token = CASE WHEN l.holder = excluded.holder THEN l.token ELSE l.token + 1 END
            WHERE l.holder = excluded.holder OR l.until < \(now)
        RETURNING token
        """,
        .text, .integer, .integer
    )
    private static let renew = PQStatement(
        "lease_renew",
        "UPDATE leases SET until = \(now) + $2 WHERE holder = $1 AND until >= \(now) RETURNING session::text, token",
        .integer, .integer
    )
    /// The row stays, so that tokens only grow.
    private static let giveBack = PQStatement(
        "lease_give_back",
        "UPDATE leases SET until = 0 WHERE holder = $1 AND ($2 IS NULL OR session = $2::text::uuid)",
        .integer, .text
    )

    private var microseconds: Int64 { Int64(clamping: time.millisecondsRoundedUp) * 1000 }

    /// Takes a lease; again when it is held already.
    func acquire(_ session: SessionID) async throws(PQFailure) -> Bool {
        let command = PQCommand(
            Self.take,
            .text("\(session)"),
            .integer(holder),
            .integer(microseconds)
        )
        let rows = try await pool.writer().run([command]).first
        guard let token = rows?.integer(0, 0) else { return false }
        held[session] = token
        if renewing == nil { renewing = loop.spawn { await self.renew() } }
        return true
    }

    /// Renews all leases three times within their time.
    private func renew() async {
        while !held.isEmpty, !Task.isCancelled {
            try? await Task.sleep(for: time / 3)
            guard !Task.isCancelled else { break }
            let command = PQCommand(Self.renew, .integer(holder), .integer(microseconds))
            guard let rows = try? await pool.writer().run([command]).first else { continue }
            let kept = Set((0..<rows.count).compactMap { rows.text($0, 0).flatMap { SessionID($0) } })
            held = held.filter { kept.contains($0.key) }
        }
        renewing = nil
    }

    /// Gives a lease back; when that does not arrive, it runs out.
    func release(_ session: SessionID) async {
        guard held.removeValue(forKey: session) != nil else { return }
        let command = PQCommand(Self.giveBack, .integer(holder), .text("\(session)"))
        _ = try? await pool.writer().run([command])
    }

    /// Gives all leases back.
    func close() async {
        renewing?.cancel()
        guard !held.isEmpty else { return }
        held = [:]
        _ = try? await pool.writer().run([PQCommand(Self.giveBack, .integer(holder), .null)])
    }
}
