internal import Adapters
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// Two stores of one kind with sessions of the same events; one keeps its records compressed.
struct CompressionPair<Store: PersistentStore>: Sendable {
    let compressed: Store
    let plain: Store
    /// The loop of both.
    let loop: UVLoop

    /// A log was not read to its end.
    struct NotWhole: Error {}

    /// Appends records to a new session, each durable before the next; the rates are commits per
    /// second.
    func appends(
        _ count: Int,
        of sample: SessionSample,
        rounds: Int
    ) async throws -> Alternation {
        func append(to store: Store) async throws -> Double {
            let appends = try sample.appends(count, of: sample.ordinary, for: .fresh())
            return try await onLoop(loop) {
                let start = Machine.seconds()
                for append in appends { try await store.append(append) }
                return Double(count) / (Machine.seconds() - start)
            }
        }
        return try await Alternation(rounds: rounds) {
            try await append(to: compressed)
        } baseline: {
            try await append(to: plain)
        }
    }

    /// Replays all records in the order of the log, in turns; the rates are events per second.
    ///
    /// - Parameters:
    ///   - count: The number of records of each store.
    ///   - rounds: How often both are replayed.
    /// - Returns: The rates by the wall clock, and the ratios by processor time of this process.
    /// - Throws: ``NotWhole`` when a store has another number of records, or the store's error.
    func replays(
        of count: Int,
        rounds: Int
    ) async throws -> (clock: Alternation, processor: [Double]) {
        var (ours, baseline): ([Double], [Double]) = ([], [])
        let clock = try await Alternation(rounds: rounds) {
            let rates = try await replay(compressed, count)
            ours.append(rates.processor)
            return rates.clock
        } baseline: {
            let rates = try await replay(plain, count)
            baseline.append(rates.processor)
            return rates.clock
        }
        // The first pair is a warm-up there, too.
        let ratios = zip(ours, baseline).dropFirst().map { $0 / $1 }
        return (clock, ratios)
    }

    private func replay(
        _ store: Store,
        _ count: Int
    ) async throws -> (clock: Double, processor: Double) {
        let (start, used) = (Machine.seconds(), Machine.processorSeconds())
        let found: Int = try await onLoop(loop) {
            var (cursor, seen): (LogCursor?, Int) = (nil, 0)
            // Records of sessions in different lanes come in turns.
            var states: [SessionID: SessionState] = [:]
            while true {
                let piece = try await store.records(after: cursor, limit: ReplayBed.piece)
                guard let last = piece.last else { return seen }
                for record in piece {
                    let event = try RecordReader.event(in: record.record)
                    states[event.stream, default: SessionState(session: event.stream)]
                        .apply(event.event, at: event.at)
                }
                (cursor, seen) = (last.cursor, seen + piece.count)
            }
        }
        guard found == count else { throw NotWhole() }
        return (
            Double(count) / (Machine.seconds() - start),
            Double(count) / (Machine.processorSeconds() - used)
        )
    }

    func close() async {
        await compressed.close()
        await plain.close()
        loop.shutdown()
    }
}
