public import EventLog
public import UVTransport

/// Stores session logs in a PostgreSQL database that many nodes share.
///
/// Nothing but leases is acknowledged before the server has committed it with `synchronous_commit`
/// on. Appends made at the same time share statements and commits; nothing blocks the loop, and no
/// further threads are used.
///
/// - Note: Isolation: any.
public final class PostgreSQLEventStore: DeliveryStore {
    let pool: PostgreSQLPool
    let writer: PostgreSQLWriter
    let leases: PostgreSQLLeases
    /// The lanes of the store.
    let lanes: PostgreSQLLanes
    /// The number of lanes of the store.
    package var laneCount: Int { lanes.count }
    /// Whether this is the live copy, as far as known.
    let watch: LineageWatch
    /// The dictionaries of compressed records.
    let dictionaries = PostgreSQLDictionaries()
    /// The statements on sessions' rows, for lists and sums.
    let lists: PostgreSQLLists
    let loop: UVLoop
    let options: PostgreSQLOptions
    let target: PQTarget
    private let closing: ThreadLock<Bool>

    /// Whether the store is only read.
    public var isReadOnly: Bool { !options.access.appends }

    /// Returns a short name of a connection string's database, independent of the user and the
    /// options.
    ///
    /// - Returns: Eight hexadecimal digits of a hash of its hosts, ports and name; `nil` when the
    ///   string cannot be parsed.
    public static func shortName(url: String) -> String? {
        guard let target = try? PQTarget(url) else { return nil }
        return String(HashChain.hash(.zero, Array(target.place.utf8)).hexadecimal.prefix(8))
    }

    /// Returns why a text is not a valid libpq connection string; whether a server can be reached
    /// is not checked.
    ///
    /// - Returns: A message that quotes only names of options, since the text may hold a password;
    ///   `nil` when the text is valid.
    public static func fault(inURL url: String) -> String? {
        do throws(PQFailure) {
            _ = try PQTarget(url)
            return nil
        } catch {
            return error.message
        }
    }

    /// Returns how a connection to another machine would be protected (`sslmode`); `nil` when all
    /// hosts are this machine.
    ///
    /// - Returns: The weakest protection of all hosts in the text; also `nil` when the text cannot
    ///   be parsed.
    static func remoteProtection(
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

    /// Returns the schema version of a database without changing it; `nil` when it contains no
    /// store.
    public static func schemaVersion(
        at url: String,
        on loop: UVLoop
    ) async throws(EventStoreError) -> Int? {
        try await reading(url, on: loop, within: nil, PostgreSQLSchema.version(on:))
    }

    /// Reads something about a database over a connection of its own.
    static func reading(
        _ url: String,
        on loop: UVLoop,
        within patience: Duration?,
        _ read: (PQConnection) async throws(EventStoreError) -> Int?
    ) async throws(EventStoreError) -> Int? {
        var options = PostgreSQLOptions(access: .readOnly)
        options.patience = patience
        do {
            let connection = try await PQConnection.open(
                try PQTarget(url),
                on: loop,
                writes: false,
                options: options
            )
            let number: Result<Int?, EventStoreError>
            do throws(EventStoreError) {
                number = .success(try await read(connection))
            } catch {
                number = .failure(error)
            }
            await connection.close()
            return try number.get()
        } catch let error as EventStoreError {
            throw error
        } catch let failure as PQFailure {
            throw failure.storeError
        } catch {
            throw .unavailable(reason: "\(error)", code: nil)
        }
    }

    /// Connects to a database, and creates or upgrades the tables as far as the options allow.
    ///
    /// - Parameters:
    ///   - url: A libpq connection string: `postgres://…` or keywords with values. Several hosts
    ///     are tried in turn.
    ///   - readModel: What lists and sums need of the sessions: that with which the store was
    ///     created.
    ///   - loop: The loop that watches the connections; it must outlive the store.
    ///   - options: The access and the limits.
    /// - Throws: ``EventStoreError/unavailable(reason:code:)`` with the server's message,
    ///   ``EventStoreError/foreign(reason:)``, ``EventStoreError/newerSchema(found:supported:)``.
    ///   None of them contains the connection string.
    public init(
        url: String,
        readModel: ReadModel,
        loop: UVLoop,
        options: PostgreSQLOptions = PostgreSQLOptions()
    ) async throws(EventStoreError) {
        let target: PQTarget
        do throws(PQFailure) { target = try PQTarget(url) } catch { throw error.storeError }
        let watch = LineageWatch(path: options.identityFile)
        let pool = PostgreSQLPool(target, on: loop, options: options, watch: watch)
        let lanes: PostgreSQLLanes
        let lists = PostgreSQLLists(readModel)
        do throws(EventStoreError) {
            let connection: PQConnection
            do throws(PQFailure) {
                connection = try await pool.writer()
            } catch {
                throw error.storeError
            }
            try await PostgreSQLSchema.prepare(connection, lists, options)
            lanes = try await PostgreSQLSchema.lanes(on: connection, of: lists)
        } catch {
            await pool.close()
            throw error
        }
        self.pool = pool
        self.target = target
        self.watch = watch
        self.loop = loop
        self.options = options
        closing = ThreadLock(false)
        self.lanes = lanes
        self.lists = lists
        writer = PostgreSQLWriter(
            pool,
            on: loop,
            lanes: lanes,
            readModel: readModel,
            watch: watch,
            options: options
        )
        leases = PostgreSQLLeases(pool, on: loop, name: options.node, time: options.leaseTime)
    }

    /// Appends records of one session, all or none, and returns once they are durable.
    ///
    /// - Throws: As the port says, and ``EventStoreError/corrupt(stream:sequence:reason:)`` when
    ///   the records do not continue the expected version without gaps; then nothing was written.
    /// - Note: Certainty: after ``EventStoreError/unavailable(reason:code:)`` the records may have
    ///   been written.
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
    }

    func checkOpen() throws(EventStoreError) {
        if closing.withLock({ $0 }) { throw .closed }
    }

    /// Runs statements on a reading connection.
    func rows(_ commands: PQCommand...) async throws(EventStoreError) -> [PQRows] {
        try checkOpen()
        do throws(PQFailure) {
            return try await pool.reader().run(commands)
        } catch {
            throw error.storeError
        }
    }

    /// Acquires the lease on a session's effects, which lasts until it is released, or expires
    /// because this node is gone.
    ///
    /// - Throws: Also ``EventStoreError/notAdopted(reason:)``: the database may not be the live
    ///   copy.
    public func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try await confirmLiving()
        return try await acquireQuietLease(on: stream)
    }

    /// Acquires the lease for work that sends nothing, also in a database that is not the live one.
    public func acquireQuietLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        do throws(PQFailure) {
            return try await leases.acquire(stream)
        } catch {
            throw error.storeError
        }
    }

    /// Whether the lease is held and the server cannot have granted it to another node yet.
    public func holdsLease(on stream: SessionID) -> Bool {
        watch.doubt == nil && leases.token(of: stream) != nil
    }

    /// Releases the lease on a session's effects.
    public func releaseLease(on stream: SessionID) async {
        guard !closing.withLock({ $0 }) else { return }
        await leases.release(stream)
    }

    /// Releases the leases on the effects of many sessions, in one statement.
    public func releaseLeases(on streams: [SessionID]) async {
        guard !closing.withLock({ $0 }) else { return }
        await leases.release(streams)
    }

    /// Returns how many of the sessions held here should move to other nodes, so that each node has
    /// its share of the sessions that are held or due.
    public func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int {
        try checkOpen()
        guard !isReadOnly else { return 0 }
        do throws(PQFailure) {
            return try await leases.surplus(dueBy: instant)
        } catch {
            throw error.storeError
        }
    }

    /// Hands sessions over to the nodes that have the fewest.
    public func handOverLeases(on streams: [SessionID]) async {
        guard !closing.withLock({ $0 }) else { return }
        await leases.handOver(streams)
    }

    /// Writes what waits, brings lists up to date with what this node has appended, releases the
    /// leases and closes the connections.
    public func close() async {
        let following = await hasToFollow ? await catchUpBriefly() : nil
        let isFirst = closing.withLock { isClosing in
            defer { isClosing = true }
            return !isClosing
        }
        await writer.close()
        watch.flush()
        if isFirst { await leases.close() }
        await pool.close()
        await following?.value
    }

    /// Whether this node has appended, and is not closing yet.
    private var hasToFollow: Bool {
        get async { await writer.hasWritten && !closing.withLock { $0 } }
    }
}
