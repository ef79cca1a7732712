/// Reads a session's log and folds it.
struct SessionLoader: Sendable {
    let store: any EventStore
    let vault: any KeyVault
    /// How many records are read at once.
    let readBatch: Int

    /// A session as its log tells it.
    struct Loaded: Sendable {
        /// The fold.
        var state: SessionState
        /// What the shell keeps beside it.
        var resources: SessionResources
    }

    /// Reads a whole session.
    ///
    /// It touches nothing of the engine, so it runs wherever the caller's task prefers, and need not be the event loop.
    ///
    /// - Throws: ``EngineError/unknownSession(_:)``, ``EngineError/erased(_:)``, ``EngineError/store(_:)``,
    ///   ``EngineError/vault(_:)`` or ``EngineError/damaged(_:sequence:reason:)``.
    @concurrent func load(_ session: SessionID) async throws(EngineError) -> Loaded {
        let beginning = try await stored { () throws(EventStoreError) in
            try await store.beginning(of: session, limit: readBatch)
        }
        guard let wrapped = beginning.wrappedKey else {
            throw beginning.records.isEmpty ? .unknownSession(session) : .erased(session)
        }
        let keys: SessionKeys
        do {
            keys = try await vault.keys(unwrapping: wrapped, for: session)
        } catch {
            throw .vault(error)
        }
        var state = SessionState(session: session)
        var resources = SessionResources(head: .empty, keys: keys, secrets: SecretTable())
        try fold(beginning.records, into: &state, &resources, keepsEvents: false)
        if beginning.records.count >= readBatch {
            try await read(into: &state, &resources, keepsEvents: false)
        }
        guard state.sequence > 0 else { throw .unknownSession(session) }
        // The row of the list is written anew with each append: also by an engine that did not open the session.
        if let address = (state.opening?.sessionURL).flatMap({ resources.secrets[$0] }) {
            do {
                resources.addressFingerprint = try await vault.addressFingerprint(of: address)
            } catch {
                throw .vault(error)
            }
        }
        return Loaded(state: state, resources: resources)
    }

    /// Folds the records that follow a state into it, and takes in their seals.
    func read(
        into state: inout SessionState,
        _ resources: inout SessionResources,
        keepsEvents: Bool
    ) async throws(EngineError) {
        let session = state.session
        while true {
            let first = state.sequence + 1
            let records = try await stored { () throws(EventStoreError) in
                try await store.read(session, from: first, limit: readBatch)
            }
            try fold(records, into: &state, &resources, keepsEvents: keepsEvents)
            if records.count < readBatch { return }
        }
    }

    private func fold(
        _ records: [StoredRecord],
        into state: inout SessionState,
        _ resources: inout SessionResources,
        keepsEvents: Bool
    ) throws(EngineError) {
        for record in records {
            guard record.sequence == resources.head.sequence + 1,
                record.previous == resources.head.hash
            else {
                throw .damaged(
                    state.session,
                    sequence: record.sequence,
                    reason: "the chain is broken"
                )
            }
            let recorded: RecordedEvent
            do {
                recorded = try RecordReader.event(in: record)
            } catch {
                throw .damaged(state.session, sequence: record.sequence, reason: "\(error)")
            }
            state.apply(recorded.event, at: recorded.at)
            if keepsEvents { resources.unpublished.append(recorded) }
            RecordReader.collect(from: record, keys: resources.keys, into: &resources.secrets)
            resources.head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
    }
}

/// Turns a failure of the store into one of the engine.
func stored<Value>(
    _ body: () async throws(EventStoreError) -> Value
) async throws(EngineError) -> Value {
    do { return try await body() } catch { throw .store(error) }
}
