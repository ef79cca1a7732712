package import EventLog
package import SwedbankPay
package import Workflow

/// Does what is due in the sessions of a store or comes due by a time, for programs that run only
/// now and then; a service's engine does it for as long as it runs (``Workflow/Engine/run()``).
///
/// All sessions that no other node drives go on at once, each at its own pace. A session has a
/// place only while it is worked on; while it waits, for example for its next poll, the engine
/// wakes it, or its row says when it is due.
package actor CatchUp {
    /// The result for all sessions.
    package struct Outcome: Sendable {
        /// The sessions that were driven, in the order in which they were found.
        package var driven: [(session: SessionID, result: Result<SessionState, EngineError>)] = []
        /// The sessions that were not admitted.
        package var refused: [SessionID] = []
        /// The sessions that were due at the beginning and that another node holds.
        package var held: [SessionID] = []
    }

    /// The maximum number of sessions that are worked on at the same time.
    static let openSessions = 2048
    /// The pause between two queries for due sessions.
    static let interval = Duration.milliseconds(200)

    private let engine: PaymentEngine
    private let store: any PersistentStore
    private let clock: any EngineClock
    private let recovery: SessionRecovery

    /// The sessions that were found, in this order.
    private var found: [SessionID] = []
    private var seen: Set<SessionID> = []
    /// The sessions that are worked on.
    private var open: Set<SessionID> = []
    /// The sessions that could not be driven.
    private var failures: [SessionID: EngineError] = [:]
    private var refused: Set<SessionID> = []
    private var held: [SessionID] = []
    private var isRecovering = true

    /// Creates the work; it runs once.
    ///
    /// - Parameters:
    ///   - engine: A running engine that adopts no sessions by itself.
    ///   - store: Its store.
    ///   - clock: Its clock.
    ///   - recovery: Resumes sessions that had given up on a PSP that is available again.
    package init(
        engine: PaymentEngine,
        store: any PersistentStore,
        clock: any EngineClock,
        recovery: SessionRecovery
    ) {
        (self.engine, self.store, self.clock) = (engine, store, clock)
        self.recovery = recovery
    }

    /// Drives the sessions until nothing is left to do and each that comes due by a time was
    /// driven once, but not longer than until then.
    ///
    /// - Throws: The store's error when sessions can't be found.
    package func run(until end: Instant) async throws(EventStoreError) -> Outcome {
        let begin = clock.now()
        let failure = await withDiscardingTaskGroup { group -> EventStoreError? in
            defer { group.cancelAll() }
            group.addTask { await self.recover(until: end) }
            do throws(EventStoreError) {
                try await drive(from: begin, until: end, in: &group)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        var outcome = Outcome(refused: refused.sorted(), held: held)
        for session in found where !refused.contains(session) {
            outcome.driven.append((session, await result(of: session)))
        }
        return outcome
    }

    private func result(of session: SessionID) async -> Result<SessionState, EngineError> {
        if let failure = failures[session] { return .failure(failure) }
        do throws(EngineError) {
            return .success(try await engine.state(of: session))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Work

    private func drive(
        from begin: Instant,
        until end: Instant,
        in group: inout DiscardingTaskGroup
    ) async throws(EventStoreError) {
        // Also those whose rows contradict themselves, or were written by a clock that was ahead:
        // their logs say what is due.
        let forgotten = try await ForgottenSessions(in: store, at: begin).sessions.map(\.session)
        for session in forgotten + (try await engine.sessionsAhead()) { take(session, in: &group) }
        while !Task.isCancelled {
            var isMore = false
            let room = Self.openSessions - open.count
            if room > 0 {
                let due = try await dueSessions()
                for session in due.prefix(room) { take(session, in: &group) }
                isMore = due.count >= engine.configuration.adoptionBatch && due.count < room
            }
            let now = clock.now()
            if isMore, now < end { continue }
            guard try await isBusy(from: begin, until: end), now < end else { return }
            await clock.sleep(until: min(end, now + Self.interval))
        }
    }

    private func dueSessions() async throws(EventStoreError) -> [SessionID] {
        do throws(EngineError) {
            return try await engine.dueSessions(
                besides: open.union(refused).union(failures.keys)
            )
        } catch {
            guard case .store(let failure) = error else { return [] }
            throw failure
        }
    }

    /// Returns the sessions that were due at the beginning and that another node holds.
    ///
    /// A node that was killed holds its sessions until its lease expires.
    private func othersWork(since begin: Instant) async throws(EventStoreError) -> [SessionID] {
        try await store.sessions(matching: SessionQuery(overdueSince: begin, origin: .own))
            .map(\.session).filter { !seen.contains($0) }
    }

    /// Returns whether sessions are worked on, here or by other nodes, or come due by the end for
    /// the first time.
    private func isBusy(
        from begin: Instant,
        until end: Instant
    ) async throws(EventStoreError) -> Bool {
        held = try await othersWork(since: begin)
        if !open.isEmpty || !held.isEmpty || isRecovering { return true }
        if await engine.coreSessionCount > 0 { return true }
        return try await store.sessionsDue(by: end, limit: SessionQuery.defaultLimit)
            .contains { !seen.contains($0) }
    }

    private func take(_ session: SessionID, in group: inout DiscardingTaskGroup) {
        guard open.insert(session).inserted else { return }
        note(session)
        group.addTask { await self.follow(session) }
    }

    private func note(_ session: SessionID) {
        if seen.insert(session).inserted { found.append(session) }
    }

    /// Keeps a session in memory until what is due in it was done.
    private func follow(_ session: SessionID) async {
        defer { open.remove(session) }
        guard await engine.configuration.admits(session) else {
            refused.insert(session)
            return
        }
        do throws(EngineError) {
            for await update in try await engine.updates(of: session) {
                if let failure = update.storeFailure {
                    if !failure.isTransient { throw .store(failure) }
                } else if rests(update) {
                    break
                }
            }
        } catch .overloaded, .stopping {
            // It is still due, and found again.
        } catch {
            failures[session] = error
            // The session may have been handed to this engine; another one may be able to drive it.
            await store.releaseLease(on: session)
        }
    }

    /// Whether nothing has to be done now.
    private func rests(_ update: SessionUpdate) -> Bool {
        guard update.state.running == nil else { return false }
        guard update.state.outcome == nil, let due = engine.rules.dueAt(update.state) else {
            return update.isSettled
        }
        return due > clock.now()
    }

    private func recover(until end: Instant) async {
        // What could not be read now is found by the next run.
        let outcome = try? await recovery.run(until: end)
        for session in (outcome?.recovered ?? []) + (outcome?.failed ?? []) { note(session) }
        isRecovering = false
    }
}
