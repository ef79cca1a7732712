internal import Measuring

/// Verifying a whole store: hash chain, form, content, fold, and the index of sessions.
enum VerifyRow {
    static let name = "verify"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let bed = try await VerifyBed.ofThirty(
            sessions: options.count(2000, quick: 400),
            sample: try await Samples.log(in: directory),
            path: "\(directory)/verify.db"
        )
        var (clock, bareClock): ([Double], [Double]) = ([], [])
        let pair = try await Alternation(rounds: options.count(10, quick: 4)) {
            let rate = try await bed.verify()
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
            what:
                "verify a whole store of 30-event sessions, each with a snapshot of some kilobytes",
            baseline: "reading the same rows with a bare prepared statement and hashing each"
        )
        row.add("verified, by the clock", clock.median, "events/s")
        row.add("read and hashed, by the clock", bareClock.median, "events/s")
        row.add("verified, on one core", pair.oursMedian, "events/s")
        row.add("read and hashed, on one core", pair.baselineMedian, "events/s")
        row.expect("on one core, of reading and hashing", pair.ratio * 100, atLeast: 50, "%")
        row.notes.append(
            """
            verifying also parses every byte (typed, which proves the canonical form in the same pass), folds every session \
            and compares it with its row; it works on one thread a processor, the bare loop on one thread
            """
        )
        return row
    }
}
