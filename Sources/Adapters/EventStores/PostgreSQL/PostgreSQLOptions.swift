/// How a PostgreSQL store is opened, and its limits.
public struct PostgreSQLOptions: Hashable, Sendable {
    /// The access to the database.
    public var access: StoreAccess
    /// The time limit for connecting, over all hosts in the connection string.
    ///
    /// A `connect_timeout` in the string replaces it by that many seconds for each host.
    public var connectTimeout: Duration
    /// The maximum duration of a statement on the server, and of a response, before the connection
    /// is closed.
    public var statementTimeout: Duration
    /// The same for the statements that read or change whole tables: of migrations, verification,
    /// erasures, the replacement of master keys, and of emptying the search index.
    public var maintenanceTimeout: Duration
    /// How long connecting and an answer may take at most, if that is shorter; `nil` for a service,
    /// which has time.
    package var patience: Duration?
    /// The maximum number of concurrent reading connections; ``writers`` more write.
    public var readers: Int
    /// The maximum number of waiting appends; a further one fails with
    /// ``EventStoreError/overloaded(name:)``.
    public var maximumWaitingAppends: Int
    /// The maximum number of appends in one transaction.
    public var maximumAppendsPerTransaction: Int
    /// The maximum number of concurrent transactions of appends on one connection.
    ///
    /// With two, the next one is sent while the server works on the first, but there are twice as
    /// many commits for the same appends: in all measurements so far, that cost about as much as it
    /// saved, or more.
    public var maximumTransactionsUnderWay: Int
    /// The maximum number of connections that append, of which each has its share of the lanes; in
    /// a store with one lane, one appends.
    public var writers: Int
    /// The number of lanes of a store that is created: a power of two, at most 64.
    ///
    /// It never changes, and existing stores keep theirs.
    public var lanes: Int
    /// The approximate number of record bytes in one transaction; a larger append is sent alone.
    public var maximumBytesPerTransaction: Int
    /// The maximum size of a record or its seals in bytes; a larger one fails with
    /// ``EventStoreError/limit(name:)``.
    public var maximumRecordBytes: Int
    /// The duration of a node's leases without a renewal: the time after a node's failure until
    /// others take over its sessions.
    public var leaseTime: Duration
    /// The name under which this node is listed.
    public var node: String
    /// A file on this machine that records the database's identity and newest record, so that an
    /// earlier state of the database is detected even after this process has ended; `nil` to keep
    /// the record in memory only.
    public var identityFile: String?

    /// Creates options that suit both a service and a command.
    public init(
        access: StoreAccess = .createIfMissing,
        connectTimeout: Duration = .seconds(10),
        statementTimeout: Duration = .seconds(30),
        maintenanceTimeout: Duration = .seconds(12 * 3600),
        readers: Int = 2,
        maximumWaitingAppends: Int = 16_384,
        maximumAppendsPerTransaction: Int = 1024,
        maximumTransactionsUnderWay: Int = 1,
        writers: Int = 4,
        lanes: Int = 8,
        maximumBytesPerTransaction: Int = 32 * 1024 * 1024,
        maximumRecordBytes: Int = 16 * 1024 * 1024,
        leaseTime: Duration = .seconds(10),
        node: String = "local",
        identityFile: String? = nil
    ) {
        self.access = access
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.maintenanceTimeout = maintenanceTimeout
        self.readers = max(1, readers)
        self.maximumWaitingAppends = maximumWaitingAppends
        self.maximumAppendsPerTransaction = max(1, maximumAppendsPerTransaction)
        self.maximumTransactionsUnderWay = max(1, maximumTransactionsUnderWay)
        self.writers = max(1, writers)
        self.lanes = lanes
        self.maximumBytesPerTransaction = max(1, maximumBytesPerTransaction)
        self.maximumRecordBytes = maximumRecordBytes
        self.leaseTime = max(.milliseconds(100), leaseTime)
        self.node = node
        self.identityFile = identityFile
    }
}
