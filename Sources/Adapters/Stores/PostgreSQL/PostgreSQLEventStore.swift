public import EventLog
internal import SwedbankPay

/// Session logs in a PostgreSQL database that many nodes share.
///
/// Nothing is acknowledged before the server has committed it with `synchronous_commit` on. Appends that are made at the same
/// time share one statement and one commit; nothing blocks the loop, and there are no threads beside it.
///
/// - Note: Isolation: any.
public final class PostgreSQLEventStore: DeliveryStore {
    let pool: PostgreSQLPool
    let writer: PostgreSQLWriter
    let leases: PostgreSQLLeases
    /// What is known of whether it is the store that lives.
    let watch: LineageWatch
    private let loop: UVLoop
    private let options: PostgreSQLOptions
    private let closing: LoopLock<Bool>

    /// Whether the store is only read.
    public var isReadOnly: Bool { options.access == .readOnly }

    /// A short name of the database that a connection string leads to: the same whoever connects, with whatever options.
    ///
    /// - Returns: Eight hexadecimal digits of a hash of its hosts, ports and name; nothing when it can't be read.
    public static func shortName(url: String) -> String? {
        guard let target = try? PQTarget(url) else { return nil }
        return String(HashChain.hash(.zero, Array(target.place.utf8)).hexadecimal.prefix(8))
    }

    /// What keeps a text from being a connection string of libpq's; whether anybody answers there is another matter.
    ///
    /// - Returns: Words in which nothing of the text stands but names of options, since it may hold a password; nothing when
    ///   it can be read.
    public static func fault(inURL url: String) -> String? {
        do throws(PQFailure) {
            _ = try PQTarget(url)
            return nil
        } catch {
            return error.message
        }
    }

    /// How a connection to another machine would be protected (`sslmode`); nil where all hosts are this machine.
    ///
    /// - Returns: The least of all hosts that the text names; nil, too, when it can't be read.
    package static func remoteProtection(
        inURL url: String
    ) -> (mode: String, isVerified: Bool, isRefused: Bool)? {
        guard let target = try? PQTarget(url) else { return nil }
        let options = PostgreSQLOptions()
        let remote = target.hosts.compactMap { host in
            PQEncryption.outlook(of: target.settings(of: host, at: nil, options: options))
        }.filter(\.isRemote)
        guard let least = remote.first(where: { !$0.isVerified }) ?? remote.first else {
            return nil
        }
        return (least.mode, least.isVerified, !least.isEncrypted && least.hasPassword)
    }

    /// The schema version that this build writes.
    public static var schemaVersion: Int { PostgreSQLSchema.currentVersion }

    /// The schema version of a database, which is not changed; nothing when there is no store in it.
    public static func schemaVersion(
        at url: String,
        on loop: UVLoop
    ) async throws(EventStoreError) -> Int? {
        do {
            let connection = try await PQConnection.open(
                try PQTarget(url),
                on: loop,
                writes: false,
                options: PostgreSQLOptions(access: .readOnly)
            )
            let version: Result<Int?, EventStoreError>
            do throws(EventStoreError) {
                version = .success(try await PostgreSQLSchema.version(on: connection))
            } catch {
                version = .failure(error)
            }
            await connection.close()
            return try version.get()
        } catch let error as EventStoreError {
            throw error
        } catch let failure as PQFailure {
            throw failure.storeError
        } catch {
            throw .unavailable(reason: "\(error)", code: nil)
        }
    }

    /// Connects to a database, and makes or upgrades the tables as far as the options allow.
    ///
    /// - Parameters:
    ///   - url: A connection string of libpq: `postgres://…` or keywords with values. Several hosts are tried in turn.
    ///   - loop: The loop that watches the connections; it must outlive the store.
    ///   - options: What may be done, and bounds.
    /// - Throws: ``EventStoreError/unavailable(reason:code:)`` with what the server said, ``EventStoreError/foreign(reason:)``,
    ///   ``EventStoreError/newerSchema(found:supported:)``. The connection string is in none of them.
    public init(
        url: String,
        loop: UVLoop,
        options: PostgreSQLOptions = PostgreSQLOptions()
    ) async throws(EventStoreError) {
        let target: PQTarget
        do throws(PQFailure) { target = try PQTarget(url) } catch { throw error.storeError }
        let watch = LineageWatch(path: options.memory)
        let pool = PostgreSQLPool(target, on: loop, options: options, watch: watch)
        do throws(EventStoreError) {
            let connection: PQConnection
            do throws(PQFailure) {
                connection = try await pool.writer()
            } catch {
                throw error.storeError
            }
            try await PostgreSQLSchema.prepare(connection, options.access)
        } catch {
            await pool.close()
            throw error
        }
        self.pool = pool
        self.watch = watch
        self.loop = loop
        self.options = options
        closing = LoopLock(false)
        writer = PostgreSQLWriter(pool, on: loop, options: options)
        leases = PostgreSQLLeases(pool, on: loop, name: options.node, time: options.leaseTime)
    }

    /// Appends records of one session, all or none, and returns when they are durable.
    ///
    /// - Throws: As the port says, and ``EventStoreError/corrupt(stream:sequence:reason:)`` when the records don't
    ///   follow the expected version or each other; then nothing was written.
    /// - Note: Certainty: after ``EventStoreError/unavailable(reason:code:)`` the records may have been written.
    public func append(_ append: StreamAppend) async throws(EventStoreError) {
        try checkOpen()
        guard !isReadOnly else { throw .readOnly }
        try append.check(recordBytesLimit: options.maximumRecordBytes)
        guard append.isUnderLease else {
            return try await writer.append(FencedAppend(append: append))
        }
        if let doubt = watch.doubt { throw doubt.error }
        guard let token = leases.token(of: append.stream) else {
            throw .leaseLost(stream: append.stream)
        }
        try await writer.append(FencedAppend(append: append, token: token))
        if let mark = LogMark(after: append) { watch.note(mark) }
    }

    func checkOpen() throws(EventStoreError) {
        if closing.withLock({ $0 }) { throw .closed }
    }

    /// Runs one statement on a connection that reads.
    func rows(_ commands: PQCommand...) async throws(EventStoreError) -> [PQRows] {
        try checkOpen()
        do throws(PQFailure) {
            return try await pool.reader().run(commands)
        } catch {
            throw error.storeError
        }
    }

    /// Takes the sole right to run a session's effects, until released or until it runs out because this node is gone.
    ///
    /// - Throws: Also ``EventStoreError/notAdopted(reason:)``: the database may not be the store that lives.
    public func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try await confirmLiving()
        do throws(PQFailure) {
            return try await leases.acquire(stream)
        } catch {
            throw error.storeError
        }
    }

    /// Whether the right to run a session's effects is held, and the server can't have given it to another node yet.
    public func holdsLease(on stream: SessionID) -> Bool {
        watch.doubt == nil && leases.token(of: stream) != nil
    }

    /// Gives back the right to run a session's effects.
    public func releaseLease(on stream: SessionID) async {
        guard !closing.withLock({ $0 }) else { return }
        await leases.release(stream)
    }

    /// Gives back the right to run the effects of many sessions, in one statement.
    public func releaseLeases(on streams: [SessionID]) async {
        guard !closing.withLock({ $0 }) else { return }
        await leases.release(streams)
    }

    /// How many of the sessions that are held here other nodes should have, so that each has its share of those that are
    /// held or due.
    public func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int {
        try checkOpen()
        guard !isReadOnly else { return 0 }
        do throws(PQFailure) {
            return try await leases.surplus(dueBy: instant)
        } catch {
            throw error.storeError
        }
    }

    /// Gives sessions to the nodes that have the fewest.
    public func handOverLeases(on streams: [SessionID]) async {
        guard !closing.withLock({ $0 }) else { return }
        await leases.handOver(streams)
    }

    /// Writes what waits, gives the leases back and closes the connections.
    public func close() async {
        let isFirst = closing.withLock { isClosing in
            defer { isClosing = true }
            return !isClosing
        }
        await writer.close()
        watch.flush()
        if isFirst { await leases.close() }
        await pool.close()
    }
}
