public import EventLog
internal import Logging

extension Engine {
    /// Takes up sessions that something is due for, as long as the engine runs.
    func adoptDueSessions() async {
        var before: [SessionID] = []
        var balanced: Instant?
        while !Task.isCancelled, !isStopping {
            await balance(after: &balanced)
            let taken = (try? await resumeDue()) ?? []
            // After a full batch more may be due, as after a restart; but never the same ones again and again.
            let expectsMore = taken.count >= configuration.adoptionBatch && taken != before
            before = taken
            if expectsMore { continue }
            await clock.sleep(
                until: clock.now() + (configuration.adoptionInterval ?? .seconds(1))
            )
        }
    }

    /// Hands sessions over that other engines should have, from time to time.
    ///
    /// Whoever asks takes part: the store knows from then on that this engine takes up what is due.
    private func balance(after last: inout Instant?) async {
        let now = clock.now()
        // A clock that was set back counts as time that has passed.
        if let last, last <= now, now < last + configuration.balancingInterval { return }
        last = now
        guard let surplus = try? await store.surplusLeases(dueBy: now), surplus > 0, !isStopping
        else { return }
        handle(.leaseSurplus(min(surplus, configuration.balancingBatch)))
    }

    /// How many due sessions are looked at, at the most, to find some that can be taken up.
    static var adoptionReach: Int { 4096 }

    /// Takes up sessions that something is due for.
    ///
    /// Sessions that can't be taken up, for example because their log is damaged, are tried again when nothing else
    /// is due.
    ///
    /// - Returns: The sessions that were taken up.
    /// - Throws: ``EngineFailure/store(_:)``.
    @discardableResult
    public func resumeDue() async throws(Failure) -> [SessionID] {
        var taken: [SessionID] = []
        var due = try await adoptable().filter { sessions[$0] == nil }[...]
        var goesOn = true
        // The first ones go alone, so that their requests leave before the work on all others is done.
        var atOnce = Self.firstAdoptions
        while !due.isEmpty, goesOn, !isStopping {
            let wave = due.prefix(atOnce)
            due = due.dropFirst(wave.count)
            atOnce = min(4 * atOnce, Self.adoptionsAtOnce)
            let adoptions = wave.map { session in
                Task(executorPreference: executor) { await self.adopt(session) }
            }
            for (session, adoption) in zip(wave, adoptions) {
                switch await adoption.value {
                case .success: taken.append(session)
                case .failure(.overloaded), .failure(.stopping): goesOn = false
                case .failure(let error):
                    unadoptable.insert(session)
                    // It may have been handed to this engine: another one may be able to.
                    await store.releaseLease(on: session)
                    log.warning(
                        "a due session could not be taken up",
                        metadata: ["session": "\(session)", "code": "\(error.code)"]
                    )
                }
            }
        }
        return taken
    }

    /// How many due sessions are taken up first; four times as many follow, and so on.
    static var firstAdoptions: Int { 4 }

    /// How many due sessions are brought into memory at the same time at the most: their reads and appends wait together.
    static var adoptionsAtOnce: Int { 256 }

    /// Takes up a session, which stays in memory as long as it needs something.
    private func adopt(_ session: SessionID) async -> Result<Void, Failure> {
        do throws(Failure) {
            try await watch(session)
            unwatch(session)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Due sessions that are not in memory; those that can't be taken up don't hide the ones after them.
    private func adoptable() async throws(Failure) -> [SessionID] {
        var limit = configuration.adoptionBatch
        while true {
            let (now, wanted) = (clock.now(), limit)
            let found = try await Failure.stored { () throws(EventStoreError) in
                try await store.sessionsDue(by: now, limit: wanted)
            }
            let due = found.filter { sessions[$0] == nil && !unadoptable.contains($0) }
            // Those in memory stay due until their requests are answered: behind them there may be more.
            if due.count < configuration.adoptionBatch, found.count >= limit,
                limit < Self.adoptionReach
            {
                limit = min(4 * limit, Self.adoptionReach)
                continue
            }
            if due.isEmpty || unadoptable.count >= Self.adoptionReach { unadoptable.removeAll() }
            return Array(due.prefix(configuration.adoptionBatch))
        }
    }
}
