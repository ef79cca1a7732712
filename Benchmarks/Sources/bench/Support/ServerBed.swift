internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// A store on a server with sessions, records to append to them, and the same database used
/// directly.
final class ServerBed {
    /// Our store, opened by each node.
    let stores: [PostgreSQLEventStore]
    /// The baseline.
    let bare: BareServer
    /// The loop of our appends.
    let loop: UVLoop
    /// Appends by session, in order.
    let appends: [[StreamAppend]]
    /// The connection string.
    let url: String
    /// The number of records of each session that were appended, and that were inserted directly.
    private var (appended, inserted) = (0, 0)

    /// Prepares a number of sessions, each with a number of records to append.
    ///
    /// - Parameters:
    ///   - cluster: The server.
    ///   - sessions: The number of sessions, divided among the nodes.
    ///   - records: The number of records of each.
    ///   - sample: What they are made of.
    ///   - nodes: The number of nodes, all in this process.
    ///   - storeOptions: How each node opens the store.
    /// - Throws: An error when the store cannot be used.
    init(
        on cluster: PostgreSQLCluster,
        sessions: Int,
        records: Int,
        sample: SessionSample,
        nodes: Int = 1,
        options storeOptions: PostgreSQLOptions = PostgreSQLOptions()
    ) async throws {
        url = try cluster.makeDatabase()
        let loop = try UVLoop(name: "bench")
        var stores: [PostgreSQLEventStore] = []
        for _ in 0..<nodes {
            stores.append(
                try await PostgreSQLEventStore(url: url, loop: loop, options: storeOptions)
            )
        }
        let store = stores[0]
        let appends = try (0..<sessions).map { _ in
            try sample.appends(records + 1, of: sample.ordinary, for: .fresh())
        }
        try await concurrently(sessions, on: loop) { try await store.append(appends[$0][0]) }
        bare = try BareServer(url)
        (self.stores, self.loop) = (stores, loop)
        self.appends = appends.map { Array($0.dropFirst()) }
    }

    /// Appends the next records of every session; each session waits for its own acknowledgement.
    ///
    /// - Returns: The number of events a second, and the time of each append in seconds.
    func appendNext(_ count: Int) async throws -> (rate: Double, each: [Double]) {
        let (stores, appends, range) = (stores, appends, appended..<appended + count)
        appended += count
        let times = SharedValue([Double]())
        let start = Machine.seconds()
        try await concurrently(appends.count, on: loop) { number in
            var own: [Double] = []
            own.reserveCapacity(range.count)
            let store = stores[number % stores.count]
            for append in appends[number][range] {
                let start = Machine.seconds()
                try await store.append(append)
                own.append(Machine.seconds() - start)
            }
            times.withLock { $0 += own }
        }
        let rate = Double(count * appends.count) / (Machine.seconds() - start)
        return (rate, times.withLock { $0 })
    }

    /// Inserts the same records directly, one of each session per batch; returns the number of
    /// events a second.
    func insertNext(_ count: Int, depth: Int = BareServer.depth) throws -> Double {
        let batches = (inserted..<inserted + count).map { number in
            appends.map { $0[number].records[0] }
        }
        inserted += count
        let start = Machine.seconds()
        try bare.write(batches, depth: depth)
        return Double(count * appends.count) / (Machine.seconds() - start)
    }

    func close() async {
        for store in stores { await store.close() }
        loop.shutdown()
    }
}

extension [Double] {
    /// Returns a percentile of the values; NaN if there are none.
    func percentile(_ percent: Double) -> Double {
        guard !isEmpty else { return .nan }
        let place = Int((Double(count) * percent / 100).rounded(.up)) - 1
        return sorted()[Swift.min(Swift.max(place, 0), count - 1)]
    }
}
