public import EventLog
internal import Inspection
public import SwedbankPay
public import Workflow

/// Resumes sessions that gave up on an unavailable PSP, once it is available again.
///
/// A session rests in this way when its request has failed repeatedly. While its money is under
/// way or unknown, it is only read: nothing is sent that changes anything at the PSP. Otherwise it
/// is retried: a retry begins with reading the session at the PSP, and what is sent then is what
/// the payer requested within ``RecoveryLimits/window``, and within the time limit of an attempt.
/// Each is recorded as requested by ``who``, and retries are counted in the log, so neither a
/// restart nor a second engine exceeds their limit. One session of each host goes first; while it
/// fails, the others rest.
public struct SessionRecovery: Sendable {
    /// The party that requests the retry, in the log.
    public static let who = SessionDecider.recovery

    /// The result of retrying sessions.
    public struct Outcome: Sendable {
        /// The sessions that continued.
        public var recovered: [SessionID] = []
        /// The sessions whose requests failed again.
        public var failed: [SessionID] = []
        /// The sessions that another writer or an operator resumed meanwhile.
        public var left: [SessionID] = []

        /// Creates an empty result.
        public init() {}
    }

    private let engine: PaymentEngine
    private let store: any PersistentStore
    private let clock: any EngineClock
    private let limits: RecoveryLimits

    /// Creates the recovery of an engine's sessions.
    public init(
        engine: PaymentEngine,
        store: any PersistentStore,
        clock: any EngineClock,
        limits: RecoveryLimits = RecoveryLimits()
    ) {
        (self.engine, self.store) = (engine, store)
        (self.clock, self.limits) = (clock, limits)
    }

    /// Resumes the resting sessions of a host whenever its circuit closes, until the task is
    /// canceled.
    ///
    /// - Parameters:
    ///   - closings: The hosts whose circuits close: ``GuardedProvider/closings``.
    ///   - report: Called with the result of each run.
    public func follow(
        _ closings: AsyncStream<String>,
        reporting report: @Sendable (Outcome) async -> Void = { _ in }
    ) async {
        for await host in closings {
            guard !Task.isCancelled else { return }
            // If the store cannot be read now, the next closing of the circuit tries again.
            if let outcome = try? await run(of: host) { await report(outcome) }
        }
    }

    /// The interval at which a service looks for resting sessions.
    package static let interval = Duration.seconds(15)

    /// Resumes resting sessions for as long as a service runs, until the task is canceled: those of
    /// a host whenever its circuit closes, and all at intervals, since a host that few requests are
    /// sent to returns without its circuit having opened.
    package func run(
        behind provider: GuardedProvider,
        every interval: Duration = SessionRecovery.interval
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await follow(provider.closings) }
            while !Task.isCancelled {
                await clock.sleep(until: clock.now() + interval)
                // If the store cannot be read now, the next run tries again.
                if !Task.isCancelled { _ = try? await run() }
            }
            group.cancelAll()
        }
    }

    /// Resumes the sessions that may be resumed automatically, and first those that are only read.
    ///
    /// One session of each host goes first; the others follow only if that one recovers.
    ///
    /// - Parameters:
    ///   - host: The host whose sessions are resumed; `nil` for every host.
    ///   - end: When to stop resuming sessions; `nil` for no limit.
    /// - Returns: The sessions that recovered, failed again or were left alone.
    /// - Throws: The store's error when sessions can't be read.
    public func run(
        of host: String? = nil,
        until end: Instant? = nil
    ) async throws(EventStoreError) -> Outcome {
        let resting = try await restingSessions(of: host)
        var outcome = Outcome()
        for host in Set(resting.map(\.host)).sorted() {
            var waiting = resting.filter { $0.host == host }[...]
            // The first finds out whether the PSP is back.
            var count = 1
            while let first = waiting.first, !Task.isCancelled,
                end.map({ clock.now() < $0 }) ?? true
            {
                let begin = clock.now()
                let wave = waiting.prefix(count).prefix { $0.isOnlyRead == first.isOnlyRead }
                let tried = await resume(wave, until: end)
                waiting = waiting.dropFirst(wave.count)
                outcome.add(tried)
                if tried.recovered.isEmpty, !tried.failed.isEmpty { break }
                let isReading = waiting.first?.isOnlyRead == true
                count = max(1, isReading ? limits.readsPerSecond : limits.perSecond)
                if !waiting.isEmpty { await clock.sleep(until: begin + .seconds(1)) }
            }
        }
        return outcome
    }

    // MARK: Single sessions

    /// A session that may be resumed automatically.
    private struct Resting: Sendable {
        var session: SessionID
        var host: String
        /// Whether it is read, and nothing else is sent.
        var isOnlyRead: Bool
    }

    /// Returns the sessions that may be resumed automatically: those that are only read, then the
    /// longest resting.
    private func restingSessions(of host: String?) async throws(EventStoreError) -> [Resting] {
        let now = clock.now()
        let rows = try await store.sessions(
            matching: SessionQuery(
                isOpen: true,
                problem: EngineProblemKind.requestFailed.rawValue,
                origin: .own
            )
            .with(host: host)
        )
        // A payer may be waiting for what only has to be read.
        var resting = rows.compactMap { row -> Resting? in
            guard row.mayBeTaken, row.dueAt.map({ $0 > now }) ?? false, let host = row.facts?.host,
                now - (row.facts?.moneySince ?? row.lastAt) <= limits.window
            else { return nil }
            return Resting(session: row.session, host: host, isOnlyRead: true)
        }
        guard limits.tries > 0 else { return resting }
        let fresh = rows.filter {
            !$0.mayBeTaken && now - $0.lastAt >= limits.pause && now - $0.lastAt <= limits.window
        }
        for row in fresh.sorted(by: { $0.lastAt < $1.lastAt }).prefix(limits.sessions) {
            guard let host = row.facts?.host, try await mayGoOn(row, at: now) else { continue }
            resting.append(Resting(session: row.session, host: host, isOnlyRead: false))
        }
        return resting
    }

    /// Whether a session is to be retried automatically, according to its log, not its row.
    private func mayGoOn(
        _ row: SessionSummary,
        at now: Instant
    ) async throws(EventStoreError) -> Bool {
        var records: [StoredRecord] = []
        while records.count < row.lastSequence.count {
            let more = try await store.read(
                row.session,
                from: SequenceNumber(records.count).next,
                limit: row.lastSequence.count - records.count
            )
            guard !more.isEmpty else { return false }
            records += more
        }
        // Logs that cannot be read are reported by 'verify' and never driven.
        guard let log = try? SessionLog(row.session, records) else { return false }
        return limits.allow(log.events, log.state, engine.decider, at: now)
    }

    /// Resumes sessions at the same time, and waits until they have settled.
    private func resume(
        _ sessions: ArraySlice<Resting>,
        until end: Instant?
    ) async -> Outcome {
        let limit = clock.now() + limits.trial
        let end = end.map { min($0, limit) } ?? limit
        return await withTaskGroup(of: (SessionID, Bool?).self) { group in
            for session in sessions {
                group.addTask { (session.session, await self.goesOn(session, until: end)) }
            }
            var outcome = Outcome()
            for await (session, goesOn) in group {
                switch goesOn {
                case true?: outcome.recovered.append(session)
                case false?: outcome.failed.append(session)
                case nil: outcome.left.append(session)
                }
            }
            return outcome
        }
    }

    /// Returns whether a session continued; `nil` when another engine has it, or it cannot be
    /// driven.
    private func goesOn(_ resting: Resting, until end: Instant) async -> Bool? {
        let session = resting.session
        guard let asked = try? await ask(resting),
            let updates = try? await engine.updates(of: session)
        else { return nil }
        let watching = Task {
            var latest: SessionUpdate?
            for await update in updates {
                latest = update
                if update.isSettled, update.state.sequence > asked.sequence { break }
            }
            return latest
        }
        let waiting = Task { [clock] in
            await clock.sleep(until: end)
            watching.cancel()
        }
        let latest = await withTaskCancellationHandler {
            await watching.value
        } onCancel: {
            watching.cancel()
        }
        waiting.cancel()
        return latest.map { latest in
            guard resting.isOnlyRead else {
                return latest.state.problem?.problem.kind != .requestFailed
            }
            // What was read may still have to wait for somebody.
            return latest.state.sequence > asked.sequence
                && latest.state.requests.readFailures == nil
        }
    }

    private func ask(_ resting: Resting) async throws(EngineError) -> SessionState {
        guard resting.isOnlyRead else {
            return try await engine.retry(resting.session, by: Self.who)
        }
        return try await engine.refetch(resting.session, by: Self.who)
    }
}

extension SessionRecovery.Outcome {
    fileprivate mutating func add(_ other: Self) {
        recovered += other.recovered
        failed += other.failed
        left += other.left
    }
}

extension RecoveryLimits {
    /// Returns whether a session with these events may be resumed automatically.
    ///
    /// None of its money may be under way or unknown, the payer's attempt must not be over, and it
    /// must not have been retried too often.
    func allow(
        _ events: [RecordedEvent],
        _ state: SessionState,
        _ decider: SessionDecider,
        at now: Instant
    ) -> Bool {
        guard state.outcome == nil, state.problem?.problem.kind == .requestFailed,
            [.none, .intended].contains(state.money.standing),
            (try? decider.decide(.command(.retry(by: SessionRecovery.who)), in: state, at: now))?
                .isEmpty == false
        else { return false }
        if let attempt = state.payment?.attempt {
            let limit = decider.limits.attemptLimit(with: attempt.choice.instrument)
            guard now - attempt.since < limit else { return false }
        }
        var tried = 0
        for event in events {
            guard case .retryRequested(let retry) = event.event else { continue }
            // A retry by an operator has more information, so earlier retries do not count.
            tried = retry.by == SessionRecovery.who ? tried + 1 : 0
        }
        return tried < tries && now - state.lastAt >= pause * (1 << min(tried, 20))
    }
}
