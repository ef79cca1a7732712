internal import Adapters
internal import Workflow

/// Reading logs back: rows, events, state.
enum ReplayRow {
    static let name = "replay"
    /// How many events a session has.
    static let events = 30

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        var row = Row(
            name: name,
            what: "replay (read, decode, evolve) of 30-event sessions, one core",
            baseline: "reading the same rows with a bare prepared statement"
        )
        let whole = try await rate(
            of: sample.events,
            sample,
            options,
            in: directory + "/whole.db"
        )
        row.add("whole logs, snapshots included", whole.bytes, "bytes an event")
        row.add("whole logs", whole.pair.oursMedian, "events/s")
        row.add("whole logs, reading alone", whole.pair.baselineMedian, "events/s")
        row.add("whole logs, of reading", whole.pair.ratio * 100, "%")
        let plain = try await rate(
            of: sample.ordinary,
            sample,
            options,
            in: directory + "/ordinary.db"
        )
        row.add("ordinary events", plain.bytes, "bytes an event")
        row.add("ordinary events, reading alone", plain.pair.baselineMedian, "events/s")
        row.add("ordinary events, of reading", plain.pair.ratio * 100, "%")
        row.expect("ordinary events", plain.pair.oursMedian, atLeast: 1_000_000, "events/s")
        row.expect("ordinary events, of reading", plain.pair.ratio * 100, atLeast: 50, "%")
        row.notes.append(
            "rates are events per processor second of the process, which is what one core could do"
        )
        return row
    }

    private static func rate(
        of events: [RecordedEvent],
        _ sample: SessionSample,
        _ options: Options,
        in path: String
    ) async throws -> (pair: Alternation, bytes: Double) {
        let rounds = options.count(10, quick: 4)
        let count = options.count(2000, quick: 400)
        let loop = try UVLoop(name: "bench")
        let store = try await SQLiteEventStore(path: path, loop: loop)
        let sessions = try await seed(count, with: events, sample, store, loop)
        let bare = try BareDatabase(path: path)
        let total = Double(count * Self.events)
        var bytes = 0
        let pair = try await Alternation(rounds: rounds) {
            let start = Machine.processorSeconds()
            try await sharing(count, among: 8, on: loop) { number in
                let records = try await store.read(sessions[number], from: 1, limit: 512)
                var state = SessionState(session: sessions[number])
                for record in records {
                    let event = try EventCodec.decode(record.canonical)
                    state.apply(event.event, at: event.at)
                }
                guard state.sequence == Int64(Self.events) else {
                    throw ChildProcess.Failure(description: "a log is not whole")
                }
            }
            return total / (Machine.processorSeconds() - start)
        } baseline: {
            bytes = 0
            let start = Machine.processorSeconds()
            for session in sessions {
                let read = try bare.read(session.description)
                guard read.rows == Self.events else {
                    throw ChildProcess.Failure(description: "a log is not whole")
                }
                bytes += read.bytes
            }
            return total / (Machine.processorSeconds() - start)
        }
        await store.close()
        loop.shutdown()
        let sizes = events.prefix(Self.events).map { EventCodec.encode($0).canonical.count }
        return (pair, Double(sizes.reduce(0, +)) / Double(sizes.count))
    }

    private static func seed(
        _ count: Int,
        with events: [RecordedEvent],
        _ sample: SessionSample,
        _ store: SQLiteEventStore,
        _ loop: UVLoop
    ) async throws -> [SessionID] {
        let sessions = (0..<count).map { _ in SessionID.fresh() }
        try await sharing(count, among: 64, on: loop) { number in
            let records = try sample.records(Self.events, of: events, for: sessions[number])
            var append = StreamAppend(records[0])
            append.records = records
            append.summary.lastSequence = Int64(records.count)
            try await store.append(append)
        }
        return sessions
    }
}
