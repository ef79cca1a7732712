/// How a SQLite store is opened, and its limits.
public struct SQLiteOptions: Hashable, Sendable {
    /// The access to the file.
    public var access: StoreAccess
    /// Whether a new file is permanently marked as a scratch store for experiments: sessions driven
    /// in it may communicate with this machine only (``SQLiteEventStore/isScratch()``).
    public var isScratch = false
    /// The time to wait for another writing process before ``EventStoreError/busy``.
    public var busyTimeout: Duration
    /// The maximum number of waiting appends; a further one fails with
    /// ``EventStoreError/overloaded(name:)``.
    public var maximumWaitingAppends: Int
    /// The maximum number of appends in one transaction.
    public var maximumAppendsPerTransaction: Int
    /// The maximum size of a record or its seals in bytes; a larger one fails with
    /// ``EventStoreError/limit(name:)``.
    public var maximumRecordBytes: Int
    /// The maximum number of waiting reads; a further one fails with
    /// ``EventStoreError/overloaded(name:)``.
    public var maximumWaitingReads: Int
    /// The number of concurrent reads, each with its own thread and connection.
    public var readers: Int

    /// Creates options that suit both a service and a command.
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
