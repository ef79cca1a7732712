internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

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
        try Workflowctl.run(
            try Workflowctl.build(),
            ["--store", "sqlite:\(directory)/compressed.db", "store", "compress", "--json"]
        )
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
        let appends = try await appending(sample, rounds, options, in: directory)
        row.add("durable append", appends.baselineMedian, "commits/s")
        row.add("the same compressed", appends.ratio * 100, "%")
        row.notes.append(
            """
            rates of appends by the clock, those of verifying by processor time; the sessions are copies of one log, so their \
            size would say nothing about real ones
            """
        )
        return row
    }

    private static func appending(
        _ sample: SessionSample,
        _ rounds: Int,
        _ options: Options,
        in directory: String
    ) async throws -> Alternation {
        let times = options.count(1000, quick: 300)
        let loop = try UVLoop(name: "bench")
        let stores = (
            compressed: try await SQLiteEventStore(path: "\(directory)/compressed.db", loop: loop),
            plain: try await SQLiteEventStore(path: "\(directory)/plain.db", loop: loop)
        )
        func append(to store: SQLiteEventStore) async throws -> Double {
            let appends = try sample.appends(times, of: sample.ordinary, for: .fresh())
            return try await onLoop(loop) {
                let start = Machine.seconds()
                for append in appends { try await store.append(append) }
                return Double(times) / (Machine.seconds() - start)
            }
        }
        let pair = try await Alternation(rounds: rounds) {
            try await append(to: stores.compressed)
        } baseline: {
            try await append(to: stores.plain)
        }
        await stores.compressed.close()
        await stores.plain.close()
        loop.shutdown()
        return pair
    }
}
