internal import Adapters
internal import Measuring

/// Appends to a server with eight lanes, beside the same with one.
enum LanesRow {
    static let name = "lanes"
    static let sessions = 256

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(60, quick: 20)
        let cluster = try PostgreSQLCluster(in: directory)
        defer { cluster.stop() }
        var row = Row(
            name: name,
            what: "group commit on PostgreSQL with eight lanes, 256 sessions",
            baseline: "the same with one lane"
        )
        for (delay, nodes) in [(0, 1), (0, 2), (2000, 1), (2000, 2)] {
            var beds: [ServerBed] = []
            for lanes in [8, 1] {
                beds.append(
                    try await ServerBed(
                        on: cluster,
                        sessions: sessions,
                        records: times * (rounds + 1),
                        sample: Samples.log(in: directory),
                        nodes: nodes,
                        options: PostgreSQLOptions(lanes: lanes)
                    )
                )
            }
            for setting in ["commit_delay = \(delay)", "commit_siblings = 0"] {
                try beds[0].bare.execute("ALTER SYSTEM SET \(setting)")
            }
            try beds[0].bare.execute("SELECT pg_reload_conf()")
            let (eight, one) = (beds[0], beds[1])
            let pair = try await Alternation(rounds: rounds) {
                try await eight.appendNext(times).rate
            } baseline: {
                try await one.appendNext(times).rate
            }
            for bed in beds { await bed.close() }
            let flush = delay == 0 ? "a flush as it is" : "a flush takes 2 ms more"
            let what = "\(nodes) \(nodes == 1 ? "node" : "nodes"), \(flush)"
            row.add("\(what): eight lanes", pair.oursMedian, "events/s")
            row.add("\(what): one lane", pair.baselineMedian, "events/s")
            row.add("\(what): of the events of one lane", pair.ratio * 100, "%")
        }
        row.notes.append(
            """
            all nodes are in one process with one loop, and share the processors with the server; the flush takes longer by \
            commit_delay, as one to a synchronous standby does
            """
        )
        return row
    }
}
