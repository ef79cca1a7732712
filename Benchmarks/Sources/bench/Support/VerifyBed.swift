internal import Adapters
internal import Measuring
internal import Workflow

/// A store full of sound sessions, checked by us and hashed by a bare loop.
final class VerifyBed {
    /// How many events a session has.
    static let events = 30

    private let store: SQLiteEventStore
    private let bare: BareDatabase
    private let loop: UVLoop
    private let decider = SessionDecider(catalogue: .bundled)
    private let count: Int

    /// A session was not found sound, or not found at all.
    struct NotSound: Error {}

    init(sessions count: Int, sample: SessionSample, path: String) async throws {
        let loop = try UVLoop(name: "bench")
        let store = try await SQLiteEventStore(
            path: path,
            loop: loop,
            options: SQLiteOptions(readers: StoreAudit.usefulReaders)
        )
        // The log over and over, with a time that never goes back.
        let start = sample.events[0].at
        let events = (0..<Self.events).map { number in
            var event = sample.events[number % sample.events.count]
            event.at = start + .milliseconds(number)
            return event
        }
        let decider = decider
        try await sharing(count, among: 64, on: loop) { _ in
            let session = SessionID.fresh()
            let records = try sample.records(Self.events, of: events, for: session)
            var append = StreamAppend(records[0])
            append.records = records
            append.summary = decider.summary(of: .folding(events, of: session))
            try await store.append(append)
        }
        bare = try BareDatabase(path: path)
        (self.store, self.loop, self.count) = (store, loop, count)
    }

    /// Checks the whole store; events a second, by the clock and by the processor.
    func verify() async throws -> (clock: Double, processor: Double) {
        let (store, decider, count) = (store, decider, count)
        let (start, used) = (Machine.seconds(), Machine.processorSeconds())
        try await onLoop(loop) {
            var audit = try await StoreAudit(of: store, by: decider, build: nil)
            while try await audit.advance() {}
            try await audit.finish()
            guard audit.result.faults.isEmpty, audit.result.sessions == Int64(count) else {
                throw NotSound()
            }
        }
        return (
            Double(count * Self.events) / (Machine.seconds() - start),
            Double(count * Self.events) / (Machine.processorSeconds() - used)
        )
    }

    /// Reads all rows in storage order and hashes each; rows a second, by the clock and by the processor.
    func hash() throws -> (clock: Double, processor: Double) {
        let (start, used) = (Machine.seconds(), Machine.processorSeconds())
        guard try bare.hashAll() == count * Self.events else { throw NotSound() }
        return (
            Double(count * Self.events) / (Machine.seconds() - start),
            Double(count * Self.events) / (Machine.processorSeconds() - used)
        )
    }

    func close() async {
        await store.close()
        loop.shutdown()
    }
}
