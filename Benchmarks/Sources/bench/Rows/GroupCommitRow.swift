internal import Adapters
internal import Measuring
internal import SwedbankPay

/// Concurrent durable appends of many sessions, each of which waits for its own acknowledgement.
enum GroupCommitRow {
    static let name = "group-commit"
    static let sessions = 64

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(250, quick: 100)
        let bed = try await AppendBed(
            in: directory,
            sessions: sessions,
            records: times * (rounds + 1),
            sample: Samples.log(in: directory)
        )
        let (store, loop) = (bed.store, bed.loop)
        let events = Double(times * sessions)
        var done = 0
        var bareDone = 0
        let pair = try await Alternation(rounds: rounds) {
            let parts = bed.appends.map { Array($0[done..<done + times]) }
            done += times
            let start = Machine.seconds()
            try await concurrently(sessions, on: loop) { number in
                for append in parts[number] { try await store.append(append) }
            }
            return events / (Machine.seconds() - start)
        } baseline: {
            let range = bareDone..<bareDone + times
            bareDone += times
            let start = Machine.seconds()
            for place in range { try bed.bare.write(bed.bareAppends.map { $0[place] }) }
            return events / (Machine.seconds() - start)
        }
        await bed.close()
        var row = Row(
            name: name,
            what: "group commit, 64 sessions, each waiting for its own acknowledgement",
            baseline: "bare batches of 64 in one transaction"
        )
        row.add("ours", pair.oursMedian, "events/s")
        row.add("baseline", pair.baselineMedian, "events/s")
        row.expect("of its events a second", pair.ratio * 100, atLeast: 70, "%")
        return row
    }
}
