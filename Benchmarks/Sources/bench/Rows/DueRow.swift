internal import Adapters
internal import EventLog
internal import Measuring

/// Finding what is due after a long outage: everything.
enum DueRow {
    static let name = "due"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 3)
        let count = options.count(100_000, quick: 10_000)
        let sample = try await Samples.log(in: directory)
        let loop = try UVLoop(name: "bench")
        let store = try await SQLiteEventStore(path: directory + "/due.db", loop: loop)
        let now = Instant(microseconds: 1_790_000_000_000_000)
        try await sharing(count, among: 256, on: loop) { number in
            var append = try sample.appends(1, of: sample.ordinary, for: .fresh())[0]
            append.summary.dueAt = Instant(microseconds: now.microseconds - Int64(number))
            try await store.append(append)
        }
        let bare = try BareDatabase(path: directory + "/due.db")
        let pair = try await Alternation(rounds: rounds) {
            let start = Machine.seconds()
            let found = try await store.sessionsDue(by: now, limit: count)
            guard found.count == count else {
                throw ChildProcess.Failure(description: "\(found.count) sessions were due")
            }
            return (Machine.seconds() - start) * 1e3
        } baseline: {
            let start = Machine.seconds()
            _ = try bare.sessions(due: now.microseconds)
            return (Machine.seconds() - start) * 1e3
        }
        await store.close()
        loop.shutdown()
        var row = Row(
            name: name,
            what: "find \(count) sessions that are due, the longest overdue first",
            baseline: "the same with a bare prepared statement"
        )
        row.add("baseline", pair.baselineMedian, "ms")
        row.add("of the baseline", pair.ratio, "×")
        row.expect("all found", pair.oursMedian, atMost: 5000, "ms")
        return row
    }
}
