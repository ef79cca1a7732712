internal import Adapters
internal import Measuring

/// What it costs to keep records compressed.
enum CompressionRow {
    static let name = "compression"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        let sessions = options.count(1000, quick: 200)
        let plain = try await VerifyBed.ofThirty(
            sessions: sessions,
            sample: sample,
            path: "\(directory)/plain.db"
        )
        let compressed = try await VerifyBed.ofThirty(
            sessions: sessions,
            sample: sample,
            path: "\(directory)/compressed.db"
        )
        try Workflowctl.compress("sqlite:\(directory)/compressed.db")
        var row = Row(
            name: name,
            what: "records compressed with a dictionary that was trained with them",
            baseline: "the same store without compression, in turns"
        )
        let rounds = options.count(10, quick: 4)
        let verified = try await Alternation(rounds: rounds) {
            try await compressed.verify().processor
        } baseline: {
            try await plain.verify().processor
        }
        row.add("verified, on one core", verified.baselineMedian, "events/s")
        row.add("the same compressed", verified.ratio * 100, "%")
        await plain.close()
        await compressed.close()
        let loop = try UVLoop(name: "bench")
        let pair = CompressionPair(
            compressed: try await SQLiteEventStore(path: "\(directory)/compressed.db", loop: loop),
            plain: try await SQLiteEventStore(path: "\(directory)/plain.db", loop: loop),
            loop: loop
        )
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
            rates of appends by the clock, those of verifying by processor time; the sessions are copies of one log, so their \
            size would say nothing about real ones
            """
        )
        return row
    }
}
