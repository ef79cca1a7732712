public import EventLog
public import UVTransport

/// Stores session logs in a SQLite file that several processes may share.
///
/// Nothing is acknowledged before its transaction was committed with `synchronous=FULL`, the
/// write-ahead log and foreign keys enabled; these settings are read back when the file is opened.
/// Appends that wait at the same time are written in one transaction on one of the store's threads,
/// reads run on other threads with their own connections, and the callers' threads never wait for
/// the disk.
///
/// Beside the file are `-wal` and `-shm` (SQLite's), `-leases`, and `-identity`, which
/// distinguishes the live store from a copy or an earlier state of the file
/// (``StoreLineageKeeper``); all are created for the owner only (mode 0600). The file must be on a
/// local file system.
///
/// - Note: Isolation: any. With a loop, appends made in one turn of it share a transaction, and
///   their callers are resumed in one turn.
public final class SQLiteEventStore: DeliveryStore {
    package let readers: SQLiteReaders
    let writer: SQLiteWriter
    private let leases: SQLiteLeases
    private let recordBytesLimit: Int
    /// The file's resolved path.
    package let path: String
    /// The inode number of the file when it was opened.
    let fileNumber: UInt64?
    /// Whether this is the live copy, as far as known.
    let watch: LineageWatch

    /// The access with which the file was opened.
    var access: StoreAccess { readers.opening.options.access }

    /// The schema version that this build writes.
    public static var schemaVersion: Int { SQLiteSchema.currentVersion }

    /// Whether the file can only be read, because of ``SQLiteOptions/access`` or its permissions.
    public let isReadOnly: Bool

    /// Opens a file, creating or upgrading it as far as the options allow.
    ///
    /// - Parameters:
    ///   - path: The path of the database file.
    ///   - readModel: What lists and sums need of the sessions: that with which the store was
    ///     created.
    ///   - loop: The loop that most callers run on, if there is one; it must outlive the store.
    ///   - options: The access and the limits.
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the file is not a store,
    ///   ``EventStoreError/newerSchema(found:supported:)``,
    ///   ``EventStoreError/unavailable(reason:code:)`` with what to do, ``EventStoreError/busy``,
    ///   ``EventStoreError/full``.
    public init(
        path: String,
        readModel: ReadModel,
        loop: UVLoop? = nil,
        options: SQLiteOptions = SQLiteOptions()
    ) async throws(EventStoreError) {
        let opening = SQLiteOpening(path: path, options: options, readModel: readModel)
        let writer = SQLiteWriter(loop: loop, options: options)
        let opened: (path: String, isReadOnly: Bool)
        do throws(EventStoreError) {
            opened = try await writer.open(opening)
        } catch {
            writer.close {}
            throw error
        }
        self.writer = writer
        isReadOnly = opened.isReadOnly
        readers = SQLiteReaders(opening)
        leases = SQLiteLeases(database: opened.path)
        recordBytesLimit = options.maximumRecordBytes
        self.path = opened.path
        fileNumber = FileFacts(path: opened.path)?.identity.number
        watch = LineageWatch(path: opened.path + LineageWatch.suffix)
    }

    deinit {
        // A store deallocated without being closed still writes what waits, and ends its threads.
        writer.close {}
        readers.close {}
    }

    /// Appends records of one session, all or none, and returns once they are durable.
    ///
    /// - Throws: As the port says, and ``EventStoreError/corrupt(stream:sequence:reason:)`` when
    ///   the records do not continue the expected version without gaps; then nothing was written.
    public func append(_ append: StreamAppend) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try append.check(recordBytesLimit: recordBytesLimit)
        // The kernel grants a held lock to no other process, so the database need not be queried.
        guard !append.isUnderLease || holdsLease(on: append.stream) else {
            throw .leaseLost(stream: append.stream)
        }
        try await writer.append(append)
        if let mark = LogMark(after: append) { watch.note(mark) }
    }

    /// Acquires the lease on a session's effects, which lasts until it is released, the store is
    /// closed or the process ends.
    ///
    /// - Throws: Also ``EventStoreError/notAdopted(reason:)``: the file may not be the live copy.
    public func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try await confirmLiving()
        return try leases.acquire(stream)
    }

    /// Acquires the lease for work that sends nothing, also in a file that is not the live copy.
    public func acquireQuietLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try leases.acquire(stream)
    }

    /// Whether the lease is still held: the locked file is the one that others would lock, and the
    /// database file is in place.
    public func holdsLease(on stream: SessionID) -> Bool { leases.isHeld(stream) && isInPlace }

    /// Releases the lease on a session's effects.
    public func releaseLease(on stream: SessionID) async {
        leases.release(stream)
    }

    /// Writes what waits, moves the write-ahead log into the database as far as possible, and
    /// closes the file.
    ///
    /// Calling it again waits for the same end.
    public func close() async {
        await withUnsafeContinuation { (caller: UnsafeContinuation<Void, Never>) in
            writer.close { caller.resume() }
        }
        await withUnsafeContinuation { (caller: UnsafeContinuation<Void, Never>) in
            readers.close { caller.resume() }
        }
        watch.flush()
        leases.close()
    }
}

extension SQLiteEventStore: FileStore {}
