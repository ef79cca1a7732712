internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Copies sessions from one store to another, and compares the copies.
struct StoreCopy: Sendable {
    /// A session that was not copied, and why.
    struct Refusal: Sendable {
        var session: SessionID
        var failure: Failure
    }

    /// The number of sessions listed at once.
    static let sessionsAtOnce = 1000
    /// The number of sessions copied concurrently: their appends share commits.
    static let sessionsTogether = 32

    /// The result for a session.
    private struct Taken: Sendable {
        var written = 0
        var skipped = 0
        var refusal: Failure?
    }

    private let source: any PaymentStore
    private let target: any PaymentStore
    private let decider: SessionDecider
    /// Finds what the target already has.
    private let obstacles: CopyObstacles
    /// The number of sessions that are the same in both stores.
    private(set) var sessions: Int64 = 0
    /// The number of records written.
    private(set) var written: Int64 = 0
    /// The number of records that were already there.
    private(set) var skipped: Int64 = 0
    /// The sessions that were not copied.
    private(set) var refused: [Refusal] = []

    init(
        from source: any PaymentStore,
        to target: any PaymentStore,
        by decider: SessionDecider,
        moves: Bool = false
    ) {
        obstacles = CopyObstacles(source: source, target: target, moves: moves)
        self.source = source
        self.target = target
        self.decider = decider
    }

    /// Copies sessions concurrently, each as a whole or not at all.
    ///
    /// - Throws: A failure of the stores; a session that cannot be copied is only recorded.
    mutating func take(_ some: some Sequence<SessionID>) async throws(Failure) {
        let copy = self
        let results = await Together.map(Array(some)) { session in
            do throws(Failure) {
                return Result<Taken, Failure>.success(try await copy.taken(session))
            } catch {
                return .failure(error)
            }
        }
        for (session, result) in results {
            let taken = try result.get()
            skipped += Int64(taken.skipped)
            written += Int64(taken.written)
            if let failure = taken.refusal {
                refused.append(Refusal(session: session, failure: failure))
            } else {
                sessions += 1
            }
        }
    }

    /// Copies a session, and reads the copy.
    private func taken(_ session: SessionID) async throws(Failure) -> Taken {
        let log = try await SessionLog.read(session, from: source)
        let (head, damage) = LogVerifier<SessionEvent>.verify(log.records, stream: session)
        if let damage { return Taken(refusal: Failure(damage)) }
        let known = try await SessionLog.records(of: session, in: target)
        if let obstacle = try await obstacles.found(log, known) { return Taken(refusal: obstacle) }
        let common = min(known.count, log.records.count)
        guard common < log.records.count else { return Taken(skipped: common) }
        do throws(EventStoreError) {
            try await target.append(try await append(log, after: common))
        } catch .addressTaken(let other) {
            let failure = Failure(EventStoreError.addressTaken(by: other))
            return Taken(skipped: common, refusal: failure)
        } catch {
            throw Failure(error)
        }
        // These bytes have the chain that was checked.
        let arrived = try await SessionLog.records(of: session, in: target)
        guard arrived == log.records, arrived.last?.hash == head.hash else {
            throw Failure(
                .damaged,
                "store.copy-differs",
                "session \(session) did not arrive as it was sent",
                hint: "'workflowctl verify' of both stores tells which one is damaged"
            )
        }
        return Taken(written: log.records.count - common, skipped: common)
    }

    private func append(
        _ log: SessionLog,
        after common: Int
    ) async throws(EventStoreError) -> StreamAppend {
        var summary = decider.summary(of: log.state)
        let row = try await source.row(of: log.session)
        summary.addressFingerprint = row?.addressFingerprint
        summary.origin = obstacles.moves ? row?.origin ?? .imported : .imported
        // Without it no engine drives the session, whatever is done to the mark of a copy.
        summary.headMAC = summary.origin == .own ? row?.headMAC : nil
        summary.dueAt = summary.origin == .own ? row?.dueAt : nil
        // A store accepts a key only with the first append.
        let wrapped = common == 0 ? try await source.wrappedKey(of: log.session) : nil
        return StreamAppend(
            stream: log.session,
            expectedVersion: Int64(common),
            records: Array(log.records[common...]),
            summary: summary,
            wrappedKey: wrapped
        )
    }
}
