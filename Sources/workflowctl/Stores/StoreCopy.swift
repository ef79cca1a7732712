internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Copies sessions from one store to another, and verifies the copies.
struct StoreCopy: Sendable {
    /// A session that was not copied, and the reason.
    struct Refusal: Sendable {
        var session: SessionID
        var failure: Failure
    }

    /// The number of sessions that are listed at once.
    static let sessionsAtOnce = 1000
    /// The number of sessions that are copied concurrently, so that their appends share commits.
    static let sessionsTogether = 32

    /// The result for a session.
    private struct Copied: Sendable {
        var written = 0
        var skipped = 0
        var refusal: Failure?
    }

    private let source: any PersistentStore
    private let target: any PersistentStore
    private let decider: SessionDecider
    /// The obstacles to copying a session into the target.
    private let obstacles: CopyObstacles
    /// The number of sessions that are complete in the target.
    private(set) var sessions: Int64 = 0
    /// The number of records that were written.
    private(set) var written: Int64 = 0
    /// The number of records that the target had already.
    private(set) var skipped: Int64 = 0
    /// The sessions that were not copied.
    private(set) var refused: [Refusal] = []

    init(
        from source: any PersistentStore,
        to target: any PersistentStore,
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

    /// Copies a session, and reads the copy back.
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
        // Equal bytes have the verified hash chain.
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
        summary.origin = obstacles.moves && row?.isForeign == false ? .own : .imported
        // Without the key no engine can drive the session, even if its mark as a copy were removed.
        summary.headMAC = summary.origin == .own ? row?.headMAC : nil
        summary.dueAt = summary.origin == .own ? row?.dueAt : nil
        // A store gets its key with the first append.
        let wrapped = common == 0 ? try await source.wrappedKey(of: log.session) : nil
        return StreamAppend(
            stream: log.session,
            expectedVersion: SequenceNumber(common),
            records: Array(log.records[common...]),
            summary: summary,
            wrappedKey: wrapped
        )
    }
}
