/// How a SQLite store is opened, and its bounds.
public struct SQLiteOptions: Hashable, Sendable {
    /// What may be done to the file.
    public var access: StoreAccess
    /// Whether a file that is made is marked as a scratch store, for ever: it is for what is tried out, and whoever drives
    /// sessions in it talks to this machine alone (``SQLiteEventStore/isScratch()``).
    public var isScratch = false
    /// How long to wait for another process that writes, before ``EventStoreError/busy``.
    public var busyTimeout: Duration
    /// How many appends may wait for the writer; one more fails with ``EventStoreError/overloaded(name:)``.
    public var maximumWaitingAppends: Int
    /// How many appends share one transaction at the most.
    public var maximumAppendsPerTransaction: Int
    /// How long a record or its seals may be, in bytes; a longer one fails with ``EventStoreError/limit(name:)``.
    public var maximumRecordBytes: Int
    /// How many reads may wait for a reader; one more fails with ``EventStoreError/overloaded(name:)``.
    public var maximumWaitingReads: Int
    /// How many reads run at the same time, each on a thread and a connection of its own.
    public var readers: Int

    /// Options that fit a service and a command alike.
    public init(
        access: StoreAccess = .createIfMissing,
        busyTimeout: Duration = .seconds(5),
        maximumWaitingAppends: Int = 16_384,
        maximumAppendsPerTransaction: Int = 1024,
        maximumRecordBytes: Int = 16 * 1024 * 1024,
        maximumWaitingReads: Int = 16_384,
        readers: Int = 2
    ) {
        self.access = access
        self.busyTimeout = busyTimeout
        self.maximumWaitingAppends = maximumWaitingAppends
        self.maximumAppendsPerTransaction = max(1, maximumAppendsPerTransaction)
        self.maximumRecordBytes = maximumRecordBytes
        self.maximumWaitingReads = maximumWaitingReads
        self.readers = max(1, readers)
    }
}
