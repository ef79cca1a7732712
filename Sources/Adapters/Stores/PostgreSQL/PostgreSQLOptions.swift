/// How a PostgreSQL store is reached, and its bounds.
public struct PostgreSQLOptions: Hashable, Sendable {
    /// What may be done to the database.
    public var access: StoreAccess
    /// How long connecting may take, over all hosts that the connection string names.
    ///
    /// A `connect_timeout` in the string takes its place: so many seconds for each host.
    public var connectTimeout: Duration
    /// How long the server may work on a statement, and an answer may take, before the connection is given up.
    public var statementTimeout: Duration
    /// How many connections read at the same time at the most; one more writes.
    public var readers: Int
    /// How many appends may wait; one more fails with ``EventStoreError/overloaded(name:)``.
    public var maximumWaitingAppends: Int
    /// How many appends share one transaction at the most.
    public var maximumAppendsPerTransaction: Int
    /// How many transactions of appends may be under way.
    ///
    /// With two, the next one is on its way while the server works on the first, but there are twice as many commits for
    /// the same appends: in what was measured so far that cost about what it saved, or more.
    public var maximumTransactionsUnderWay: Int
    /// How many bytes of records share one transaction, about; a longer append goes alone.
    public var maximumBytesPerTransaction: Int
    /// How long a record or its seals may be, in bytes; a longer one fails with ``EventStoreError/limit(name:)``.
    public var maximumRecordBytes: Int
    /// How long the leases of a node last of which the server hears nothing: so long after a node's death others take
    /// over its sessions.
    public var leaseTime: Duration
    /// The name under which this node is listed.
    public var node: String
    /// A file of this machine in which it is remembered which database it is and how far it has come, so that an earlier state
    /// of it is known also after this process has ended; nil where that is remembered while it runs only.
    public var memory: String?

    /// Options that fit a service and a command alike.
    public init(
        access: StoreAccess = .createIfMissing,
        connectTimeout: Duration = .seconds(10),
        statementTimeout: Duration = .seconds(30),
        readers: Int = 2,
        maximumWaitingAppends: Int = 16_384,
        maximumAppendsPerTransaction: Int = 1024,
        maximumTransactionsUnderWay: Int = 1,
        maximumBytesPerTransaction: Int = 32 * 1024 * 1024,
        maximumRecordBytes: Int = 16 * 1024 * 1024,
        leaseTime: Duration = .seconds(10),
        node: String = "local",
        memory: String? = nil
    ) {
        self.access = access
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.readers = max(1, readers)
        self.maximumWaitingAppends = maximumWaitingAppends
        self.maximumAppendsPerTransaction = max(1, maximumAppendsPerTransaction)
        self.maximumTransactionsUnderWay = max(1, maximumTransactionsUnderWay)
        self.maximumBytesPerTransaction = max(1, maximumBytesPerTransaction)
        self.maximumRecordBytes = maximumRecordBytes
        self.leaseTime = max(.milliseconds(100), leaseTime)
        self.node = node
        self.memory = memory
    }
}
