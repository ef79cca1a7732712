public import EventLog
internal import SwedbankPay

/// Session logs in a SQLite file that several processes may share.
///
/// Nothing is acknowledged before its transaction was committed with `synchronous=FULL`, the write-ahead log and
/// foreign keys on; what these settings were set to is read back when the file is opened. Appends that wait
/// at the same time are written in one transaction on a thread of the store, reads run on other threads with
/// connections of their own, and the callers' threads never wait for the disk.
///
/// Beside the file stand `-wal` and `-shm` (SQLite's), `-leases`, and `-identity`, by which a copy or an earlier state of the
/// file is told from the store that lives (``StoreLineageKeeper``); all are made for the owner alone (mode 0600).
/// The file must be on a local file system.
///
/// - Note: Isolation: any. With a loop, appends that are made in one turn of it share a transaction, and
///   their callers are resumed in one turn.
public final class SQLiteEventStore: DeliveryStore {
    let readers: SQLiteReaders
    let writer: SQLiteWriter
    private let leases: SQLiteLeases
    private let recordBytesLimit: Int
    /// The file's resolved path.
    let path: String
    /// The number that the file had when it was opened.
    let fileNumber: UInt64?
    /// What is known of whether it is the store that lives.
    let watch: LineageWatch

    /// The schema version that this build writes.
    public static var schemaVersion: Int { SQLiteSchema.currentVersion }

    /// Whether the file can only be read: by ``SQLiteOptions/access`` or by its permissions.
    public let isReadOnly: Bool

    /// Opens a file, and makes or upgrades it as far as the options allow.
    ///
    /// - Parameters:
    ///   - path: Of the database file.
    ///   - loop: The loop that most callers run on, if there is one; it must outlive the store.
    ///   - options: What may be done to the file, and bounds.
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the file isn't a store, ``EventStoreError/newerSchema(found:supported:)``,
    ///   ``EventStoreError/unavailable(reason:code:)`` with what to do, ``EventStoreError/busy``,
    ///   ``EventStoreError/full``.
    public init(
        path: String,
        loop: UVLoop? = nil,
        options: SQLiteOptions = SQLiteOptions()
    ) async throws(EventStoreError) {
        let opening = SQLiteOpening(path: path, options: options)
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
        // A store that was dropped without being closed still writes what waits, and frees its threads.
        writer.close {}
        readers.close {}
    }

    /// Appends records of one session, all or none, and returns when they are durable.
    ///
    /// - Throws: As the port says, and ``EventStoreError/corrupt(stream:sequence:reason:)`` when the records don't
    ///   follow the expected version or each other; then nothing was written.
    public func append(_ append: StreamAppend) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try append.check(recordBytesLimit: recordBytesLimit)
        // The kernel gives nobody else a lock that is held: nothing has to be compared in the database.
        guard !append.isUnderLease || holdsLease(on: append.stream) else {
            throw .leaseLost(stream: append.stream)
        }
        try await writer.append(append)
        if let mark = LogMark(after: append) { watch.note(mark) }
    }

    /// Takes the sole right to run a session's effects, until released, closed or this process ends.
    ///
    /// - Throws: Also ``EventStoreError/notAdopted(reason:)``: the file may not be the store that lives.
    public func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try await confirmLiving()
        return try leases.acquire(stream)
    }

    /// Whether the right is still ours: what the kernel has locked is what others would lock, and the file is in its place.
    public func holdsLease(on stream: SessionID) -> Bool { leases.isHeld(stream) && isInPlace }

    /// Gives back the right to run a session's effects.
    public func releaseLease(on stream: SessionID) async {
        leases.release(stream)
    }

    /// Writes what waits, moves the write-ahead log into the database as far as possible and closes the file.
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
