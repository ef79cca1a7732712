internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Copies sessions from one store into another, and compares what arrived.
struct StoreCopy: Sendable {
    /// A session that was not copied, and why.
    struct Refusal: Sendable {
        var session: SessionID
        var failure: Failure
    }

    /// How many sessions are listed at once.
    static let sessionsAtOnce = 1000
    /// How many sessions are copied at the same time: their appends share commits.
    static let sessionsTogether = 32

    /// What came of a session.
    private struct Copied: Sendable {
        var written = 0
        var skipped = 0
        var refusal: Failure?
    }

    private let source: any PaymentStore
    private let target: any PaymentStore
    private let decider: SessionDecider
    /// What the target has already.
    private let obstacles: CopyObstacles
    /// How many sessions are there as they are in the source.
    private(set) var sessions: Int64 = 0
    /// How many records were written.
    private(set) var written: Int64 = 0
    /// How many were there already.
    private(set) var skipped: Int64 = 0
    /// What was not copied.
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
    mutating func copy(_ some: some Sequence<SessionID>) async throws(Failure) {
        let copy = self
        let results = await Together.map(Array(some)) { session in
            do throws(Failure) {
                return Result<Copied, Failure>.success(try await copy.copied(session))
            } catch {
                return .failure(error)
            }
        }
        for (session, result) in results {
            let copied = try result.get()
            skipped += Int64(copied.skipped)
            written += Int64(copied.written)
            if let failure = copied.refusal {
                refused.append(Refusal(session: session, failure: failure))
            } else {
                sessions += 1
            }
        }
    }

    /// Copies a session, and reads back what arrived.
    private func copied(_ session: SessionID) async throws(Failure) -> Copied {
        let log = try await SessionLog.read(session, from: source)
        let (head, damage) = LogVerifier<SessionEvent>.verify(log.records, stream: session)
        if let damage { return Copied(refusal: Failure(damage)) }
        let known = try await SessionLog.records(of: session, in: target)
        if let obstacle = try await obstacles.found(log, known) { return Copied(refusal: obstacle) }
        let common = min(known.count, log.records.count)
        guard common < log.records.count else { return Copied(skipped: common) }
        do throws(EventStoreError) {
            try await target.append(try await append(log, after: common))
        } catch .addressTaken(let other) {
            let failure = Failure(EventStoreError.addressTaken(by: other))
            return Copied(skipped: common, refusal: failure)
        } catch {
            throw Failure(error)
        }
        // The same bytes chain as those that were checked.
        let arrived = try await SessionLog.records(of: session, in: target)
        guard arrived == log.records, arrived.last?.hash == head.hash else {
            throw Failure(
                .damaged,
                "store.copy-differs",
                "the copy of session \(session) differs from the original",
                hint: "run 'workflowctl verify' on both stores to find the damaged one"
            )
        }
        return Copied(written: log.records.count - common, skipped: common)
    }

    private func append(
        _ log: SessionLog,
        after common: Int
    ) async throws(EventStoreError) -> StreamAppend {
        var summary = decider.summary(of: log.state)
        let row = try await source.row(of: log.session)
        summary.addressFingerprint = row?.addressFingerprint
        summary.origin = obstacles.moves ? row?.origin ?? .imported : .imported
        // Without it no engine drives the session, whatever somebody makes of the mark that it is a
        // copy.
        summary.headMAC = summary.origin == .own ? row?.headMAC : nil
        summary.dueAt = summary.origin == .own ? row?.dueAt : nil
        // Only with the first append a store takes a key.
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
