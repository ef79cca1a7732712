package import EventLog
internal import Logging

extension Engine {
    /// Brings a session into memory and keeps it there until ``unwatch(_:)``.
    package func watch(_ session: SessionID) async throws(Failure) {
        guard !isStopping else { throw .stopping }
        if let watchers = sessions[session]?.watchers {
            sessions[session]?.watchers = watchers + 1
            if watchers == 0 { handle(.watched(session, true)) }
            return
        }
        if loading[session] == nil { try checkRoom() }
        let task =
            loading[session]?.task
            ?? Task(executorPreference: executor) { [weak self] in
                await self?.loadFirst(session) ?? .failure(.stopping)
            }
        loading[session, default: Loading(task: task, waiters: 0)].waiters += 1
        try await task.value.get()
        guard !isStopping else { throw .stopping }
    }

    /// Refuses what would bring one session too many into memory; those on their way there count, too.
    func checkRoom() throws(Failure) {
        guard core.sessionCount + loading.count < configuration.engineLimits.sessions else {
            throw .overloaded(.sessions)
        }
    }

    /// Lets go of a session that ``watch(_:)`` brought in.
    package func unwatch(_ session: SessionID) {
        guard let watchers = sessions[session]?.watchers, watchers > 0 else { return }
        sessions[session]?.watchers = watchers - 1
        if watchers == 1 { handle(.watched(session, false)) }
    }

    /// Everybody who waits for the session watches it from the moment that it is in memory, so that it stays until
    /// the last of them has had its turn.
    private func loadFirst(_ session: SessionID) async -> Result<Void, Failure> {
        defer { loading[session] = nil }
        do throws(Failure) {
            let loader = loader
            // Away from the loop, which goes on with all other sessions meanwhile.
            var loaded = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () throws(Failure) in try await loader.load(session)
            }
            guard !isStopping else { throw .stopping }
            loaded.resources.watchers = loading[session]?.waiters ?? 0
            sessions[session] = loaded.resources
            handle(.loaded(loaded.state, isWatched: true))
            // What another process, or one that is gone, did not do.
            if let work = hooks.afterLoading(loaded.state) { _ = spawn(work) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Reads what others appended to a session in memory.
    func reload(_ session: SessionID, after place: Int64) async {
        guard var resources = sessions[session], var state = core.state(of: session) else { return }
        do throws(Failure) {
            let before = resources.head.sequence
            try await loader.read(into: &state, &resources, keepsEvents: true)
            if resources.head.sequence > before, sessions[session]?.appending == nil {
                sessions[session]?.head = resources.head
                sessions[session]?.unpublished = resources.unpublished
                sessions[session]?.secrets.merge(resources.secrets)
            }
            let isErased = resources.unpublished.contains(where: \.event.isErasure)
            handle(.loaded(state, isWatched: false))
            // Whoever listens is told and let go of, so that the session and its data key leave memory.
            if isErased { sessions[session]?.finishListeners() }
        } catch {
            // Nothing is done for it, and what is kept of it goes.
            if case .notAuthentic = error { sessions[session]?.finishListeners() }
            let reason: EventStoreError =
                switch error {
                case .store(let failure): failure
                case .notAuthentic(_, let sequence):
                    .corrupt(stream: session, sequence: sequence, reason: error.description)
                case .damaged(_, let sequence, let reason):
                    .corrupt(stream: session, sequence: sequence, reason: reason)
                default: .unavailable(reason: error.description, code: nil)
                }
            handle(.loadFailed(session, reason))
        }
    }

    private var loader: SessionLoader<Rules> {
        SessionLoader(rules: rules, store: store, vault: vault, readBatch: configuration.readBatch)
    }
}
