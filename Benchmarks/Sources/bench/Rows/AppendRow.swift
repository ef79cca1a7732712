internal import Adapters
internal import Measuring
internal import SwedbankPay

/// Durable appends of one session, one after the other.
enum AppendRow {
    static let name = "append"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(1000, quick: 300)
        let bed = try await AppendBed(
            in: directory,
            sessions: 1,
            records: times * (rounds + 1),
            sample: Samples.log(in: directory)
        )
        let (store, loop) = (bed.store, bed.loop)
        var done = 0
        var bareDone = 0
        let pair = try await Alternation(rounds: rounds) {
            let part = Array(bed.appends[0][done..<done + times])
            done += times
            return try await onLoop(loop) {
                let start = Machine.seconds()
                for append in part { try await store.append(append) }
                return Double(times) / (Machine.seconds() - start)
            }
        } baseline: {
            let part = bed.bareAppends[0][bareDone..<bareDone + times]
            bareDone += times
            let start = Machine.seconds()
            for append in part { try bed.bare.write([append]) }
            return Double(times) / (Machine.seconds() - start)
        }
        await bed.close()
        var row = Row(
            name: name,
            what: "durable append, one session, SQLite FULL",
            baseline: "the same writes from a bare prepared-statement loop"
        )
        row.add("ours", pair.oursMedian, "commits/s")
        row.add("baseline", pair.baselineMedian, "commits/s")
        row.expect("of its commits a second", pair.ratio * 100, atLeast: 85, "%")
        row.notes.append(
            "each append goes from the loop to the writer's thread and back; the bare loop has one thread"
        )
        return row
    }
}
