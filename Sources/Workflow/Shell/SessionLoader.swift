internal import EventLog

/// Reads a session's log and folds it.
struct SessionLoader<Rules: WorkflowRules>: Sendable {
    typealias Failure = EngineFailure<Rules.Rejection>

    let rules: Rules
    let store: any EventStore
    let vault: any KeyVault
    /// The number of records that are read at once.
    let readBatch: Int

    /// A session as read from its log.
    struct Loaded: Sendable {
        /// The fold.
        var state: Rules.State
        /// The shell's data about a session, besides its state.
        var resources: SessionResources<Rules>
    }

    /// Reads a whole session.
    ///
    /// It does not access the engine, so it runs wherever the caller's task prefers, which need not
    /// be the event loop.
    ///
    /// - Throws: ``EngineFailure/unknownSession(_:)``, ``EngineFailure/imported(_:)``,
    ///   ``EngineFailure/erased(_:)``, ``EngineFailure/store(_:)``, ``EngineFailure/vault(_:)``,
    ///   ``EngineFailure/damaged(_:sequence:reason:)`` or
    ///   ``EngineFailure/notAuthentic(_:sequence:)``.
    @concurrent func load(_ session: SessionID) async throws(Failure) -> Loaded {
        let beginning = try await Failure.stored { () throws(EventStoreError) in
            try await store.beginning(of: session, limit: readBatch)
        }
        if beginning.row?.isForeign == true { throw .imported(session) }
        guard let wrapped = beginning.wrappedKey else {
            throw beginning.records.isEmpty ? .unknownSession(session) : .erased(session)
        }
        let keys: SessionKeys
        do {
            keys = try await vault.keys(unwrapping: wrapped, for: session)
        } catch {
            throw .vault(error)
        }
        var state = Rules.State(session: session)
        var resources = SessionResources<Rules>(head: .empty, keys: keys, secrets: SecretTable())
        let end = beginning.row.map {
            LogAuthentication.End(sequence: $0.lastSequence, mac: $0.headMAC)
        }
        var proof = LogAuthentication(keys: keys, end: end)
        try fold(beginning.records, into: &state, &resources, keepsEvents: false, &proof)
        if beginning.records.count >= readBatch {
            try await read(into: &state, &resources, keepsEvents: false, &proof)
        }
        guard state.sequence > 0 else { throw .unknownSession(session) }
        // A log that ends before the end that its row states was truncated, whatever the log itself
        // contains.
        guard proof.isWhole else { throw .notAuthentic(session, sequence: state.sequence + 1) }
        // Report forgery first, whatever else is wrong with the store.
        try await Failure.stored { () throws(EventStoreError) in try await store.confirmLiving() }
        // The session's row is rewritten with each append, also by an engine that did not open the
        // session.
        if let address = state.address.flatMap({ resources.secrets[$0] }) {
            do {
                resources.addressFingerprint = try await vault.addressFingerprint(
                    of: Rules.State.identity(ofAddress: address)
                )
            } catch {
                throw .vault(error)
            }
        }
        return Loaded(state: state, resources: resources)
    }

    /// Folds the records that follow a state into it, and collects their seals.
    func read(
        into state: inout Rules.State,
        _ resources: inout SessionResources<Rules>,
        keepsEvents: Bool
    ) async throws(Failure) {
        var proof = LogAuthentication(keys: resources.keys, end: nil, behind: resources.head)
        try await read(into: &state, &resources, keepsEvents: keepsEvents, &proof)
    }

    private func read(
        into state: inout Rules.State,
        _ resources: inout SessionResources<Rules>,
        keepsEvents: Bool,
        _ proof: inout LogAuthentication
    ) async throws(Failure) {
        let session = state.session
        while true {
            let first = state.sequence + 1
            let records = try await Failure.stored { () throws(EventStoreError) in
                try await store.read(session, from: first, limit: readBatch)
            }
            try fold(records, into: &state, &resources, keepsEvents: keepsEvents, &proof)
            if records.count < readBatch { return }
        }
    }

    private func fold(
        _ records: [StoredRecord],
        into state: inout Rules.State,
        _ resources: inout SessionResources<Rules>,
        keepsEvents: Bool,
        _ proof: inout LogAuthentication
    ) throws(Failure) {
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
            guard record.hasItsHash else {
                throw .damaged(
                    state.session,
                    sequence: record.sequence,
                    reason: "the record does not have its hash"
                )
            }
            guard proof.accepts(record) else {
                throw .notAuthentic(state.session, sequence: record.sequence)
            }
            let recorded: Recorded<Rules.Event>
            do {
                recorded = try RecordReader.event(in: record, of: Rules.Event.self)
            } catch {
                throw .damaged(state.session, sequence: record.sequence, reason: "\(error)")
            }
            rules.evolve(&state, by: recorded.event, at: recorded.at)
            if keepsEvents { resources.unpublished.append(recorded) }
            RecordReader.collect(from: record, keys: resources.keys, into: &resources.secrets)
            resources.head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
    }
}

/// The shell's data about a session in memory, besides its state.
struct SessionResources<Rules: WorkflowRules> {
    var head: StreamHead
    var keys: SessionKeys
    var secrets: SecretTable
    /// The wrapped data key of a new session, until it is stored with the first append.
    var wrappedKey: [UInt8]?
    var addressFingerprint: Digest256?
    /// The records of the append in progress, and the end of the stream after it.
    var appending: (records: [Recorded<Rules.Event>], head: StreamHead)?
    /// Durable events that have not been published to listeners yet.
    var unpublished: [Recorded<Rules.Event>] = []
    var listeners: [Int: AsyncStream<EngineUpdate<Rules>>.Continuation] = [:]
    var watchers = 0

    func finishListeners() {
        for listener in listeners.values { listener.finish() }
    }
}
