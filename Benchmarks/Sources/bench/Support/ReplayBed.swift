internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// A store full of sessions of equal length, read by us and by a bare statement.
final class ReplayBed {
    /// The number of events of a session.
    static let events = 30
    /// The number of records read at once in storage order.
    static let piece = 960

    private let store: SQLiteEventStore
    private let bare: BareDatabase
    private let loop: UVLoop
    private let sessions: [SessionID]
    /// The mean size of a record.
    let bytes: Double

    /// A log was not read to its end.
    struct NotWhole: Error {}

    init(
        sessions count: Int,
        events: [RecordedEvent],
        sample: SessionSample,
        path: String
    ) async throws {
        let loop = try UVLoop(name: "bench")
        let store = try await SQLiteEventStore(path: path, loop: loop)
        let sessions = (0..<count).map { _ in SessionID.fresh() }
        try await sharing(count, among: 64, on: loop) { number in
            let records = try sample.records(Self.events, of: events, for: sessions[number])
            var append = StreamAppend(records[0])
            append.records = records
            append.summary.lastSequence = SequenceNumber(records.count)
            try await store.append(append)
        }
        bare = try BareDatabase(path: path)
        let sizes = (0..<Self.events).map {
            EventCodec.encode(events[$0 % events.count]).canonical.count
        }
        bytes = Double(sizes.reduce(0, +)) / Double(Self.events)
        (self.store, self.loop, self.sessions) = (store, loop, sessions)
    }

    /// Replays sessions in groups; returns events per processor second.
    func replayEach() async throws -> Double {
        let (store, sessions) = (store, sessions)
        let start = Machine.processorSeconds()
        try await sharing(sessions.count, among: 8, on: loop) { number in
            let records = try await store.read(sessions[number], from: 1, limit: 512)
            var state = SessionState(session: sessions[number])
            for record in records {
                let event = try RecordReader.event(in: record)
                state.apply(event.event, at: event.at)
            }
            guard state.sequence == SequenceNumber(Self.events) else { throw NotWhole() }
        }
        return rate(since: start)
    }

    /// Replays all sessions in storage order; returns events per processor second.
    func replayAll() async throws -> Double {
        let (store, count) = (store, sessions.count)
        let start = Machine.processorSeconds()
        try await onLoop(loop) {
            var cursor: LogCursor?
            var whole = 0
            var state: SessionState?
            while true {
                let piece = try await store.records(after: cursor, limit: Self.piece)
                guard let last = piece.last else { break }
                cursor = last.cursor
                for record in piece {
                    let event = try RecordReader.event(in: record.record)
                    if state?.session != event.stream {
                        state = SessionState(session: event.stream)
                    }
                    state?.apply(event.event, at: event.at)
                    if state?.sequence == SequenceNumber(Self.events) { whole += 1 }
                }
            }
            guard whole == count else { throw NotWhole() }
        }
        return rate(since: start)
    }

    /// Reads one session after the other; returns rows per processor second.
    func readEach() async throws -> Double {
        let start = Machine.processorSeconds()
        for session in sessions {
            guard try bare.read(session.description).rows == Self.events else { throw NotWhole() }
        }
        return rate(since: start)
    }

    /// Reads all rows in storage order; returns rows per processor second.
    func readAll() async throws -> Double {
        let start = Machine.processorSeconds()
        guard try bare.readAll().rows == sessions.count * Self.events else { throw NotWhole() }
        return rate(since: start)
    }

    private func rate(since start: Double) -> Double {
        Double(sessions.count * Self.events) / (Machine.processorSeconds() - start)
    }

    func close() async {
        await store.close()
        loop.shutdown()
    }
}
