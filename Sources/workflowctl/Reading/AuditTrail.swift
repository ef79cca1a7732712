internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Records the actions of operators in sessions' logs.
///
/// Each record is authenticated with the session's keys; an engine at work on the session reads it
/// as an event that another process appended.
struct AuditTrail: Sendable {
    /// The store of the logs.
    var store: any PaymentStore
    var decider: SessionDecider
    /// Returns the current time.
    var now: @Sendable () -> Instant
    /// The keys of the store; `nil` when they are unavailable.
    var vault: @Sendable () throws(Failure) -> (any KeyVault)?

    /// The maximum number of tries to append while other processes append to the same session.
    static let tries = 20

    /// Appends an operator action, and returns its sequence number when it is durable.
    @discardableResult
    func record(
        _ acted: OperatorActed,
        of session: SessionID,
        mayLackKeys: Bool = false
    ) async throws(Failure) -> SequenceNumber {
        try await append(
            to: session,
            cause: "command.\(acted.action)",
            mayLackKeys: mayLackKeys
        ) { _ in
            [.operatorActed(acted)]
        }
    }

    /// Appends the events that follow from an operator action, and returns when they are durable.
    ///
    /// `mayLackKeys` permits events without a MAC when the keys are unavailable. `events` returns
    /// what to append to a log, and may be empty; it is called again after a version conflict.
    /// Returns the sequence number of the last event.
    @discardableResult
    func append(
        to session: SessionID,
        cause: String,
        sealing: SecretTable = SecretTable(),
        mayLackKeys: Bool = false,
        _ events: (SessionLog) throws(Failure) -> [SessionEvent]
    ) async throws(Failure) -> SequenceNumber {
        for _ in 0..<Self.tries {
            let log = try await SessionLog.read(session, from: store)
            let row = try await store.listedRow(of: session)
            if row?.origin == .imported { throw Failure(EngineError.imported(session)) }
            let authority = try await authority(over: log, row, mayLackKeys)
            let following = try events(log)
            guard !following.isEmpty else { return SequenceNumber(log.records.count) }
            let append = try append(following, cause, sealing, authority, to: log, row)
            do throws(EventStoreError) {
                try await store.append(append)
                return append.expectedVersion + append.records.count
            } catch .conflict {
                continue
            } catch {
                throw Failure(error)
            }
        }
        throw Failure(
            .tryAgain,
            "store.conflict",
            "other processes keep appending to session \(session)",
            hint: "run the command again"
        )
    }

    /// What appending to a session requires: its keys.
    private struct Authority {
        /// The session's keys; `nil` for a session whose keys were destroyed.
        var keys: SessionKeys?
        /// The rewrapped data key, when MACs begin with the next record.
        var wrapped: [UInt8]?
    }

    /// Returns the keys of a session, all of whose records must be authentic.
    private func authority(
        over log: SessionLog,
        _ row: SessionSummary?,
        _ mayLackKeys: Bool
    ) async throws(Failure) -> Authority {
        do {
            guard let wrapped = try await store.wrappedKey(of: log.session) else {
                return Authority()
            }
            let found = mayLackKeys ? (try? vault()) ?? nil : try vault()
            guard let vault = found else {
                guard mayLackKeys else {
                    throw KeyVaultError.missing(
                        reason: "records are authenticated with the session's keys"
                    )
                }
                return Authority()
            }
            let keys = try await vault.keys(unwrapping: wrapped, for: log.session)
            if let forged = keys.forgery(in: log.records, headMAC: row?.headMAC) {
                throw EngineError.notAuthentic(log.session, sequence: forged)
            }
            let next = SequenceNumber(log.records.count).next
            guard keys.authenticFrom == nil,
                let made = try await vault.authenticating(wrapped, for: log.session, from: next)
            else { return Authority(keys: keys) }
            return Authority(keys: made.keys, wrapped: made.wrapped)
        } catch let error as KeyVaultError {
            if mayLackKeys { return Authority() }
            throw Failure(error)
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let error as EngineError {
            throw Failure(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.defect, "vault.unavailable", "\(error)")
        }
    }

    private func append(
        _ events: [SessionEvent],
        _ cause: String,
        _ secrets: SecretTable,
        _ authority: Authority,
        to log: SessionLog,
        _ row: SessionSummary?
    ) throws(Failure) -> StreamAppend {
        let last = log.records.last
        let first = last.map { StreamHead(sequence: $0.sequence, hash: $0.hash) } ?? .empty
        // The times of a log never decrease, whatever the clock does.
        let at = max(now(), log.events.last?.at ?? now())
        var head = first
        var state = log.state
        let outcome = state.outcome
        var records: [StoredRecord] = []
        for event in events {
            let recorded = RecordedEvent(
                stream: log.session,
                sequence: head.sequence + 1,
                at: at,
                event: event,
                metadata: EventMetadata(
                    build: Build.version,
                    catalogue: decider.catalogue.version,
                    cause: cause,
                    node: "workflowctl"
                )
            )
            let record = try record(recorded, after: head, secrets, authority.keys)
            records.append(record)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            state.apply(event, at: at)
        }
        var summary = decider.summary(of: state)
        // An operator's action does not change the session's search keys, and it changes the due
        // time only if it ended the session or requires a read.
        summary.addressFingerprint = row?.addressFingerprint
        let wantsReading = events.contains { event in
            if case .refetchRequested = event { true } else { false }
        }
        if state.outcome == outcome, !wantsReading { summary.dueAt = row?.dueAt }
        if let keys = authority.keys, keys.authenticFrom != nil {
            summary.headMAC = keys.mac(of: head)
        }
        return StreamAppend(
            stream: log.session,
            expectedVersion: first.sequence,
            records: records,
            summary: summary,
            wrappedKey: authority.wrapped
        )
    }

    private func record(
        _ recorded: RecordedEvent,
        after head: StreamHead,
        _ secrets: SecretTable,
        _ keys: SessionKeys?
    ) throws(Failure) -> StoredRecord {
        do {
            guard let keys else { return try RecordWriter.unsealedRecord(recorded, after: head) }
            return try RecordWriter.record(
                recorded,
                after: head,
                keys: keys,
                secrets: secrets,
                random: SystemRandom()
            )
        } catch {
            throw Failure(.defect, "log.unreadable", "\(error)")
        }
    }
}

extension Reader {
    /// Records that an operator is about to see sealed values; none may be shown before it returns.
    ///
    /// - Throws: A failure when it cannot be recorded; nothing may be shown then.
    func recordAccess(_ action: String, to session: SessionID) async throws(Failure) {
        guard configuration.audit.recordsReveal else { return }
        if configuration.audit.requiresReason { try person.requireReason() }
        let store: any PaymentStore
        do throws(Failure) {
            store = try await location.open(.existing, for: session, on: invocation.loop)
        } catch {
            throw Failure.notRecorded(error)
        }
        let trail = trail(on: store)
        do throws(Failure) {
            try await trail.record(person.acted(action), of: session)
        } catch {
            await store.close()
            throw Failure.notRecorded(error)
        }
        await store.close()
    }
}

extension Failure {
    /// Returns the failure for an access to sealed values that cannot be recorded.
    static func notRecorded(_ cause: Failure) -> Failure {
        Failure(
            cause.status,
            "store.access-not-recorded",
            "nothing is shown: the configuration requires --reveal to be recorded, and that "
                + "failed: \(cause.message) [\(cause.code)]",
            hint: "run the command with write access to the store, or leave out --reveal"
        )
    }
}

extension Reader {
    /// Records actions of operators in a store that is open for appending.
    func trail(on store: any PaymentStore) -> AuditTrail {
        let (location, environment) = (location, invocation.environment)
        return AuditTrail(store: store, decider: decider, now: invocation.now) {
            () throws(Failure) in try location.vault(environment: environment)
        }
    }

    /// Opens the store for appending while an operator's action is recorded.
    func withTrail<Value: Sendable>(
        of session: SessionID,
        _ body: (AuditTrail) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let store = try await location.open(.existing, for: session, on: invocation.loop)
        let trail = trail(on: store)
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await body(trail))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}
