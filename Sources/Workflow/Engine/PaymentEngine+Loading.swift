internal import Logging

extension PaymentEngine {
    /// Brings a session into memory and keeps it there until ``unwatch(_:)``.
    func watch(_ session: SessionID) async throws(EngineError) {
        guard !isStopping else { throw .stopping }
        if let watchers = sessions[session]?.watchers {
            sessions[session]?.watchers = watchers + 1
            if watchers == 0 { handle(.watched(session, true)) }
            return
        }
        guard core.sessionCount < configuration.engineLimits.sessions else { throw .overloaded }
        let task =
            loading[session]?.task
            ?? Task(executorPreference: executor) { [weak self] in
                await self?.loadFirst(session) ?? .failure(.stopping)
            }
        loading[session, default: Loading(task: task, waiters: 0)].waiters += 1
        try await task.value.get()
        guard !isStopping else { throw .stopping }
    }

    /// Lets go of a session that ``watch(_:)`` brought in.
    func unwatch(_ session: SessionID) {
        guard let watchers = sessions[session]?.watchers, watchers > 0 else { return }
        sessions[session]?.watchers = watchers - 1
        if watchers == 1 { handle(.watched(session, false)) }
    }

    /// Everybody who waits for the session watches it from the moment that it is in memory, so that it stays until
    /// the last of them has had its turn.
    private func loadFirst(_ session: SessionID) async -> Result<Void, EngineError> {
        defer { loading[session] = nil }
        do throws(EngineError) {
            let wrapped = try await stored { () throws(EventStoreError) in
                try await store.wrappedKey(of: session)
            }
            guard let wrapped else {
                let head = try await stored { () throws(EventStoreError) in
                    try await store.head(of: session)
                }
                throw head == nil ? .unknownSession(session) : .erased(session)
            }
            let keys: SessionKeys
            do {
                keys = try await vault.keys(unwrapping: wrapped, for: session)
            } catch {
                throw EngineError.vault(error)
            }
            var state = SessionState(session: session)
            var resources = SessionResources(
                head: .empty,
                keys: keys,
                secrets: SecretTable()
            )
            try await read(into: &state, &resources, keepsEvents: false)
            guard state.sequence > 0 else { throw .unknownSession(session) }
            // The row of the list is written anew with each append: also by an engine that did not open the session.
            if let address = (state.opening?.sessionURL).flatMap({ resources.secrets[$0] }) {
                do {
                    resources.addressFingerprint = try await vault.addressFingerprint(of: address)
                } catch {
                    throw EngineError.vault(error)
                }
            }
            guard !isStopping else { throw .stopping }
            resources.watchers = loading[session]?.waiters ?? 0
            sessions[session] = resources
            handle(.loaded(state, isWatched: true))
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Reads what others appended to a session in memory.
    func reload(_ session: SessionID, after place: Int64) async {
        guard var resources = sessions[session], var state = core.state(of: session) else { return }
        do throws(EngineError) {
            let before = resources.head.sequence
            try await read(into: &state, &resources, keepsEvents: true)
            if resources.head.sequence > before, sessions[session]?.appending == nil {
                sessions[session]?.head = resources.head
                sessions[session]?.unpublished = resources.unpublished
                sessions[session]?.secrets.merge(resources.secrets)
            }
            handle(.loaded(state, isWatched: false))
        } catch {
            let reason: EventStoreError =
                switch error {
                case .store(let failure): failure
                case .damaged(_, let sequence, let reason):
                    .corrupt(stream: session, sequence: sequence, reason: reason)
                default: .unavailable(reason: error.description, code: nil)
                }
            handle(.loadFailed(session, reason))
        }
    }

    /// Folds the records that follow a state into it, and takes in their secrets.
    private func read(
        into state: inout SessionState,
        _ resources: inout SessionResources,
        keepsEvents: Bool
    ) async throws(EngineError) {
        let session = state.session
        while true {
            let first = state.sequence + 1
            let records = try await stored { () throws(EventStoreError) in
                try await store.read(session, from: first, limit: configuration.readBatch)
            }
            for record in records {
                guard record.sequence == resources.head.sequence + 1,
                    record.previous == resources.head.hash
                else {
                    throw .damaged(
                        session,
                        sequence: record.sequence,
                        reason: "the chain is broken"
                    )
                }
                let recorded: RecordedEvent
                do {
                    recorded = try EventCodec.decode(record.canonical)
                } catch {
                    throw .damaged(session, sequence: record.sequence, reason: "\(error)")
                }
                state.apply(recorded.event, at: recorded.at)
                if keepsEvents { resources.unpublished.append(recorded) }
                resources.secrets.merge(
                    RecordReader.secrets(in: record, keys: resources.keys)
                )
                resources.head = StreamHead(sequence: record.sequence, hash: record.hash)
            }
            if records.count < configuration.readBatch { return }
        }
    }

    func stored<Value>(
        _ body: () async throws(EventStoreError) -> Value
    ) async throws(EngineError) -> Value {
        do { return try await body() } catch { throw .store(error) }
    }

    // MARK: Housekeeping

    /// Looks for what other processes appended to sessions in memory.
    func followNews() async {
        // Nothing is known at first: sessions may be in memory already.
        var known: Int64?
        while !Task.isCancelled, !isStopping {
            await clock.sleep(until: clock.now() + configuration.newsInterval)
            guard !Task.isCancelled, let counter = try? await store.changeCounter(),
                counter != known
            else { continue }
            // What is being loaded may have been read before the news.
            var hasSeenAll = loading.isEmpty
            for session in sessions.keys.sorted() {
                do {
                    guard let head = try await store.head(of: session),
                        let mine = sessions[session]?.head.sequence, head.sequence > mine
                    else { continue }
                    handle(.storeChanged(session))
                } catch {
                    hasSeenAll = false
                }
            }
            if hasSeenAll { known = counter }
        }
    }
}
