internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// The cost of a subscriber that reads all records while they are appended.
enum SubscriptionRow {
    static let name = "subscription"
    static let sessions = 64
    /// How long a subscriber waits after it has reached the end.
    static let pause = Duration.milliseconds(100)
    /// The number of records read at once.
    static let batch = 1000

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(120, quick: 40)
        let sample = try await Samples.log(in: directory)
        var row = Row(
            name: name,
            what: "appends while another process follows records(after:limit:) to the end",
            baseline: "the same appends with nobody following"
        )
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        let server = try cluster.makeDatabase()
        let loop = try UVLoop(name: "bench")
        let places: [(name: String, url: String, store: any EventStore)] = [
            (
                "SQLite", directory + "/followed.db",
                try await SQLiteEventStore(path: directory + "/followed.db", loop: loop)
            ),
            ("PostgreSQL", server, try await PostgreSQLEventStore(url: server, loop: loop)),
        ]
        for (kind, url, store) in places {
            let appends = try (0..<sessions).map { _ in
                try sample.appends(2 * times * (rounds + 1), of: sample.ordinary, for: .fresh())
            }
            let events = Double(times * sessions)
            var done = 0
            func append() async throws -> Double {
                let range = done..<done + times
                done += times
                let start = Machine.seconds()
                try await concurrently(sessions, on: loop) { number in
                    for append in appends[number][range] { try await store.append(append) }
                }
                return events / (Machine.seconds() - start)
            }
            var behind: [Double] = []
            let pair = try await Alternation(rounds: rounds) {
                let follower = try ChildProcess.helper(["follow", url])
                defer { follower.stop() }
                guard try follower.line() == "following" else {
                    throw ChildProcess.Failure(description: "nobody follows")
                }
                let rate = try await append()
                let end = try await onLoop(loop) {
                    try await store.changes(after: nil, limit: 1)?.cursor.distance(from: nil) ?? 0
                }
                let start = Machine.seconds()
                try follower.send("\(end)")
                guard try follower.line() == "\(end)" else {
                    throw ChildProcess.Failure(description: "the follower missed a record")
                }
                behind.append((Machine.seconds() - start) * 1e3)
                return rate
            } baseline: {
                try await append()
            }
            row.add("\(kind), followed", pair.oursMedian, "events/s")
            row.add("\(kind), alone", pair.baselineMedian, "events/s")
            row.add("\(kind), the follower is at the end after", behind.median, "ms")
            row.expect(
                "of the events a second, \(kind)",
                pair.ratio * 100,
                atLeast: 90,
                "%"
            )
            await store.close()
        }
        loop.shutdown()
        row.notes.append(
            """
            the follower is a process of its own that reads 1,000 records at once, counts them, and waits 100 ms at the end; \
            with few processors its own work takes them from the appends, besides what the store does for it
            """
        )
        return row
    }

    // MARK: Helper process

    /// Reads a store from its end on, until it has seen every record up to a given position, and
    /// reports that.
    static func child(_ url: String) async throws {
        let loop = try UVLoop(name: "follower")
        let store: any EventStore
        if url.hasPrefix("postgres") {
            store = try await PostgreSQLEventStore(
                url: url,
                loop: loop,
                options: PostgreSQLOptions(access: .readOnly)
            )
        } else {
            store = try await SQLiteEventStore(
                path: url,
                loop: loop,
                options: SQLiteOptions(access: .readOnly)
            )
        }
        let first = try await onLoop(loop) {
            try await store.changes(after: nil, limit: 1)?.cursor
        }
        let start = first?.distance(from: nil) ?? 0
        let goal = SharedValue(Int64.max)
        InputReader.start { line in goal.withLock { $0 = Int64(line) ?? 0 } }
        print("following")
        let seen = try await onLoop(loop) {
            var (cursor, count) = (first, Int64(0))
            while cursor?.distance(from: nil) ?? 0 < goal.withLock({ $0 }) {
                let records = try await store.records(after: cursor, limit: batch)
                count += Int64(records.count)
                cursor = records.last?.cursor ?? cursor
                if records.count < batch { try await loop.sleep(for: pause) }
            }
            // Log positions have no gaps: a subscriber that missed a record counts too few.
            return start + count
        }
        print(seen)
        await store.close()
        loop.shutdown()
    }
}
