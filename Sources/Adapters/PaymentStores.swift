public import EventLog
internal import SwedbankPay

extension SQLiteEventStore {
    /// Opens a file with lists and sums of payments, creating or upgrading it as far as the options
    /// allow.
    ///
    /// - Parameters:
    ///   - path: The path of the database file.
    ///   - loop: The loop that most callers run on, if there is one; it must outlive the store.
    ///   - options: The access and the limits.
    /// - Throws: As ``init(path:readModel:loop:options:)``.
    public convenience init(
        path: String,
        loop: UVLoop? = nil,
        options: SQLiteOptions = SQLiteOptions()
    ) async throws(EventStoreError) {
        try await self.init(path: path, readModel: .payments, loop: loop, options: options)
    }
}

extension PostgreSQLEventStore {
    /// Connects to a database with lists and sums of payments, and creates or upgrades the tables
    /// as far as the options allow.
    ///
    /// - Parameters:
    ///   - url: A libpq connection string: `postgres://…` or keywords with values. Several hosts
    ///     are tried in turn.
    ///   - loop: The loop that watches the connections; it must outlive the store.
    ///   - options: The access and the limits.
    /// - Throws: As ``init(url:readModel:loop:options:)``.
    public convenience init(
        url: String,
        loop: UVLoop,
        options: PostgreSQLOptions = PostgreSQLOptions()
    ) async throws(EventStoreError) {
        try await self.init(url: url, readModel: .payments, loop: loop, options: options)
    }
}

extension StoreOpening {
    /// Creates an opening of a store of payments; without options of a kind, the kind uses its
    /// defaults.
    package init(
        node: String,
        access: StoreAccess? = nil,
        options: [any Sendable] = []
    ) {
        self.init(readModel: .payments, node: node, access: access, options: options)
    }
}
