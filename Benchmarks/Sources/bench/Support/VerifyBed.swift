internal import Adapters
internal import EventLog
internal import Inspection
internal import Measuring
internal import SwedbankPay

/// A store full of valid sessions, verified by our code and hashed by a plain loop.
final class VerifyBed {
    /// The number of events of a session.
    let events: Int

    private let store: SQLiteEventStore
    private let bare: BareDatabase
    private let loop: UVLoop
    private let decider: SessionDecider
    private let count: Int

    /// A session was damaged or missing.
    struct NotSound: Error {}

    /// The number of events of all sessions.
    var total: Int { count * events }

    /// Creates a store of 30-event sessions: the sample's log repeated, with a time that never goes
    /// back.
    static func ofThirty(
        sessions count: Int,
        sample: SessionSample,
        path: String
    ) async throws -> VerifyBed {
        try await VerifyBed(sessions: count, of: sample.thirty, sample: sample, path: path)
    }

    /// Creates a store of sessions with these events each.
    init(
        sessions count: Int,
        of events: [RecordedEvent],
        sample: SessionSample,
        path: String
    ) async throws {
        let loop = try UVLoop(name: "bench")
        let store = try await SQLiteEventStore(
            path: path,
            loop: loop,
            options: SQLiteOptions(readers: StoreAudit.usefulReaders)
        )
        // The polling interval with which the sample was recorded.
        var limits = SessionLimits()
        limits.pollInterval = .milliseconds(5)
        let decider = SessionDecider(catalogue: .bundled, limits: limits)
        self.decider = decider
        self.events = events.count
        try await sample.append(count, of: events, to: store, by: decider, on: loop)
        bare = try BareDatabase(path: path)
        (self.store, self.loop, self.count) = (store, loop, count)
    }

    /// Checks the whole store; returns events per second, by the wall clock and by processor time.
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
        return rates(start, used)
    }

    /// Repeats every decision of the store; returns events per second, by the wall clock and by
    /// processor time.
    func decide() async throws -> (clock: Double, processor: Double) {
        let (store, decider, total) = (store, decider, total)
        let (start, used) = (Machine.seconds(), Machine.processorSeconds())
        try await onLoop(loop) {
            var sweep = LogSweep(of: store)
            var agreed = 0
            while let piece = try await sweep.next({ Self.agreed($1, of: $0, by: decider) }) {
                for outcome in piece { agreed += try outcome.value.get() }
            }
            guard agreed == total else { throw NotSound() }
        }
        return rates(start, used)
    }

    /// Returns the number of events of a log if they would all be decided equally; 0 otherwise.
    private static func agreed(
        _ records: [StoredRecord],
        of session: SessionID,
        by decider: SessionDecider
    ) -> Int {
        var check = ReplayCheck(of: session, by: decider)
        do {
            let events = try records.map { try RecordReader.event(in: $0) }
            for index in events.indices {
                let next = index + 1 < events.count ? events[index + 1].event : nil
                try check.verify(events[index], followedBy: next)
            }
            try check.finish()
            return events.count
        } catch {
            return 0
        }
    }

    private func rates(_ start: Double, _ used: Double) -> (clock: Double, processor: Double) {
        (
            Double(total) / (Machine.seconds() - start),
            Double(total) / (Machine.processorSeconds() - used)
        )
    }

    /// Reads all rows in storage order and hashes each; returns rows per second, by the wall clock
    /// and by processor time.
    func hash() throws -> (clock: Double, processor: Double) {
        let (start, used) = (Machine.seconds(), Machine.processorSeconds())
        guard try bare.hashAll() == total else { throw NotSound() }
        return rates(start, used)
    }

    func close() async {
        await store.close()
        loop.shutdown()
    }
}
