internal import Measuring

/// Concurrent durable appends of many sessions to a server.
enum ServerAppendRow {
    static let name = "postgresql-append"
    static let sessions = 256

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(60, quick: 20)
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        let bed = try await ServerBed(
            on: cluster,
            sessions: sessions,
            records: times * (rounds + 1),
            sample: Samples.log(in: directory)
        )
        var latencies: [Double] = []
        let pair = try await Alternation(rounds: rounds) {
            let measured = try await bed.appendNext(times)
            latencies += measured.each
            return measured.rate
        } baseline: {
            try bed.insertNext(times)
        }
        await bed.close()
        var row = Row(
            name: name,
            what:
                "group commit on PostgreSQL, 256 sessions, each waiting for its own acknowledgement",
            baseline:
                "the same bytes with one INSERT of 256 rows a commit, four commits in libpq's pipeline"
        )
        row.add("ours", pair.oursMedian, "events/s")
        row.add("baseline", pair.baselineMedian, "events/s")
        row.add("an append waits, median", latencies.median * 1e3, "ms")
        row.add("an append waits, 99 of 100", latencies.percentile(99) * 1e3, "ms")
        row.expect("of its events a second", pair.ratio * 100, atLeast: 60, "%")
        row.notes.append(
            """
            ours also locks and compares the sessions' rows, updates them, and gives places in the order of commits; the \
            baseline inserts into a table with the same columns, key and index, and nothing else
            """
        )
        return row
    }
}

/// The time of one commit on an otherwise idle server.
enum ServerCommitRow {
    static let name = "postgresql-commit"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(300, quick: 100)
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        let bed = try await ServerBed(
            on: cluster,
            sessions: 1,
            records: times * (rounds + 1),
            sample: Samples.log(in: directory)
        )
        var latencies: [Double] = []
        let pair = try await Alternation(rounds: rounds) {
            let measured = try await bed.appendNext(times)
            latencies += measured.each
            return measured.rate
        } baseline: {
            try bed.insertNext(times, depth: 1)
        }
        await bed.close()
        var row = Row(
            name: name,
            what: "durable append on PostgreSQL, one session",
            baseline: "the same bytes with a bare INSERT, each awaited"
        )
        row.add("ours", pair.oursMedian, "commits/s")
        row.add("baseline", pair.baselineMedian, "commits/s")
        row.add("a commit, median", latencies.median * 1e3, "ms")
        row.add("a commit, 99 of 100", latencies.percentile(99) * 1e3, "ms")
        row.add("of its commits a second", pair.ratio * 100, "%")
        return row
    }
}
