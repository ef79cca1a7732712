internal import Adapters
internal import Measuring
internal import SwedbankPay

/// What it costs to keep records compressed on a server.
enum ServerCompressionRow {
    static let name = "postgresql-compression"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        let sessions = options.count(1000, quick: 200)
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        let pair = try await fill(cluster, with: sessions, of: sample)
        var row = Row(
            name: name,
            what: "records on PostgreSQL, compressed with a dictionary that was trained with them",
            baseline: "the same store without compression, in turns"
        )
        let rounds = options.count(10, quick: 4)
        let replays = try await pair.replays(of: sessions * sample.thirty.count, rounds: rounds)
        row.add("replayed, by the clock", replays.clock.baselineMedian, "events/s")
        row.add("the same compressed", replays.clock.ratio * 100, "%")
        row.add("the same compressed, on one core", replays.processor.median * 100, "%")
        let appends = try await pair.appends(
            options.count(1000, quick: 300),
            of: sample,
            rounds: rounds
        )
        row.add("durable append", appends.baselineMedian, "commits/s")
        row.add("the same compressed", appends.ratio * 100, "%")
        await pair.close()
        row.notes.append(
            """
            replays read all records in the order of the log, decode and fold them; "on one core" counts the processor time of \
            the reading process only, not that of the server, which itself compresses records that are not
            """
        )
        return row
    }

    /// Creates two stores with the same number of sessions, and compresses the first one.
    private static func fill(
        _ cluster: PostgreSQLCluster,
        with sessions: Int,
        of sample: SessionSample
    ) async throws -> CompressionPair<PostgreSQLEventStore> {
        let loop = try UVLoop(name: "bench")
        let urls = [try cluster.makeDatabase(), try cluster.makeDatabase()]
        let decider = SessionDecider(catalogue: .bundled)
        for url in urls {
            let store = try await PostgreSQLEventStore(url: url, loop: loop)
            try await sample.append(
                sessions,
                of: sample.thirty,
                to: store,
                by: decider,
                on: loop
            )
            await store.close()
        }
        try Workflowctl.compress(urls[0])
        // Compressing leaves the earlier versions of the rows.
        for url in urls { try BareServer(url).execute("VACUUM (FULL, ANALYZE)") }
        return CompressionPair(
            compressed: try await PostgreSQLEventStore(url: urls[0], loop: loop),
            plain: try await PostgreSQLEventStore(url: urls[1], loop: loop),
            loop: loop
        )
    }
}
