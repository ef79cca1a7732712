internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// Workflows of ten durable steps, each of which waits for the previous one.
enum StepsRow {
    static let name = "steps"
    static let steps = 10
    static let atOnce = 64

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(10, quick: 4)
        let times = options.count(100, quick: 30)
        let crowd = options.count(3200, quick: 640)
        let sample = try await Samples.log(in: directory)
        let bed = try await AppendBed(
            in: directory,
            sessions: 1,
            records: steps * times * (rounds + 1),
            sample: sample
        )
        let workflow = Workflow(events: Array(sample.ordinary.prefix(steps)), sample, bed.store)
        let loop = bed.loop
        var bareDone = 0
        let pair = try await Alternation(rounds: rounds) {
            try await onLoop(loop) {
                let start = Machine.seconds()
                for _ in 0..<times { try await workflow.run() }
                return Double(times) / (Machine.seconds() - start)
            }
        } baseline: {
            let part = bed.bareAppends[0][bareDone..<bareDone + times * steps]
            bareDone += times * steps
            let start = Machine.seconds()
            for append in part { try bed.bare.write([append]) }
            return Double(times) / (Machine.seconds() - start)
        }
        var crowded: [Double] = []
        for _ in 0..<rounds {
            let start = Machine.seconds()
            try await sharing(crowd, among: atOnce, on: loop) { _ in try await workflow.run() }
            crowded.append(Double(crowd) / (Machine.seconds() - start))
        }
        await bed.close()
        return row(pair, crowded.median)
    }

    private static func row(_ pair: Alternation, _ crowded: Double) -> Row {
        var row = Row(
            name: name,
            what: "ten durable steps in a row, one session; 64 sessions at once",
            baseline: "ten bare commits in a row"
        )
        row.add("baseline, one session", pair.baselineMedian, "workflows/s")
        row.expect("one session, of the baseline", pair.ratio * 100, atLeast: 80, "%")
        row.expect("one session", pair.oursMedian, atLeast: 600, "workflows/s")
        row.expect("64 sessions at once", crowded, atLeast: 5000, "workflows/s")
        row.notes.append(
            """
            a step is what the engine does for one: evolve the state, derive the projection's row, encode, seal and \
            chain the record, append and wait until it is durable; each workflow is a session of its own
            """
        )
        return row
    }

    /// The engine's part of a step, without a PSP.
    private struct Workflow: Sendable {
        let events: [RecordedEvent]
        let sample: SessionSample
        let store: SQLiteEventStore
        let decider = SessionDecider(catalogue: .bundled)
        let random = SystemRandom()

        init(events: [RecordedEvent], _ sample: SessionSample, _ store: SQLiteEventStore) {
            self.events = events
            self.sample = sample
            self.store = store
        }

        func run() async throws {
            let session = SessionID.fresh()
            var state = SessionState(session: session)
            var head = StreamHead.empty
            for event in events {
                var event = event
                event.stream = session
                event.sequence = head.sequence + 1
                state.apply(event.event, at: event.at)
                let record = try RecordWriter.record(
                    event,
                    after: head,
                    keys: sample.keys,
                    secrets: sample.secrets,
                    random: random
                )
                try await store.append(
                    StreamAppend(
                        stream: session,
                        expectedVersion: head.sequence,
                        records: [record],
                        summary: decider.summary(of: state)
                    )
                )
                head = StreamHead(sequence: record.sequence, hash: record.hash)
            }
        }
    }
}
