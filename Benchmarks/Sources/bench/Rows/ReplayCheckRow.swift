internal import Measuring

/// Repeating every decision of a large store, as before an upgrade.
enum ReplayCheckRow {
    static let name = "replay-check"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        let wanted = options.count(1_000_000, quick: 20_000)
        let bed = try await VerifyBed(
            sessions: (wanted + sample.events.count - 1) / sample.events.count,
            of: sample.events,
            sample: sample,
            path: "\(directory)/replay-check.db"
        )
        var (clock, bareClock): ([Double], [Double]) = ([], [])
        let pair = try await Alternation(rounds: options.count(3, quick: 3)) {
            let rate = try await bed.decide()
            clock.append(rate.clock)
            return rate.processor
        } baseline: {
            let rate = try bed.hash()
            bareClock.append(rate.clock)
            return rate.processor
        }
        await bed.close()
        var row = Row(
            name: name,
            what: "replay --check over a store of \(bed.total) events, \(bed.events) a session",
            baseline: "reading the same rows with a bare prepared statement and hashing each"
        )
        row.add("decided anew, by the clock", clock.median, "events/s")
        row.add("read and hashed, by the clock", bareClock.median, "events/s")
        row.expect("decided anew, on one core", pair.oursMedian, atLeast: 200_000, "events/s")
        row.add("read and hashed, on one core", pair.baselineMedian, "events/s")
        row.add("on one core, of reading and hashing", pair.ratio * 100, "%")
        row.notes.append(
            """
            each session is read, decoded, folded and decided anew, several sessions at a time on all processors; the bare \
            loop reads in storage order on one thread
            """
        )
        return row
    }
}
