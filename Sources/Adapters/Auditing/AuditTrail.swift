package import EventLog
package import Inspection
package import SwedbankPay
internal import Workflow

/// Records the actions of operators in sessions' logs.
///
/// Each record is authenticated with the session's keys; an engine at work on the session reads it
/// as an event that another process appended.
package struct AuditTrail: Sendable {
    private let store: any PersistentStore
    private let decider: SessionDecider
    private let build: String
    private let node: String
    private let now: @Sendable () -> Instant
    private let vault: @Sendable () throws -> (any KeyVault)?

    /// The maximum number of tries to append while other processes append to the same session.
    static let tries = 20

    /// Creates the trail of a store.
    ///
    /// - Parameters:
    ///   - store: The store of the logs.
    ///   - decider: The rules of this build.
    ///   - build: The name of this build, as recorded with each event.
    ///   - node: The name of this process, as recorded with each event.
    ///   - now: Returns the current time.
    ///   - vault: The keys of the store; `nil` when they are unavailable.
    package init(
        of store: any PersistentStore,
        by decider: SessionDecider,
        build: String,
        node: String,
        now: @escaping @Sendable () -> Instant,
        vault: @escaping @Sendable () throws -> (any KeyVault)?
    ) {
        (self.store, self.decider) = (store, decider)
        (self.build, self.node) = (build, node)
        (self.now, self.vault) = (now, vault)
    }

    /// Appends an operator action, and returns its sequence number when it is durable.
    @discardableResult
    package func record(
        _ acted: OperatorActed,
        of session: SessionID,
        mayLackKeys: Bool = false
    ) async throws(AuditTrailError) -> SequenceNumber {
        try await append(
            to: session,
            cause: "command.\(acted.action)",
            mayLackKeys: mayLackKeys
        ) { _ in
            [.operatorActed(acted)]
        }
    }

    /// Seals a note with the session's key, appends it, and returns when it is durable.
    ///
    /// - Parameters:
    ///   - text: The note; white space at its end is removed.
    ///   - name: The operator, recorded in the clear.
    ///   - session: The session, which may have ended.
    ///   - key: The key of the request for it, if it has one.
    /// - Returns: The sequence number of the note.
    /// - Throws: ``AuditTrailError``; ``AuditTrailError/malformedNote`` for a text that is empty or
    ///   too long.
    @discardableResult
    package func addNote(
        _ text: String,
        by name: String,
        to session: SessionID,
        key: RequestKey? = nil
    ) async throws(AuditTrailError) -> SequenceNumber {
        guard let note = OperatorText.note(text) else { throw .malformedNote }
        if let flaw = OperatorActed(by: name, action: "note").flaw {
            throw .engine(.rejected(.malformedStatement(flaw)))
        }
        let keys = try await keys(of: session)
        var secrets = SecretTable()
        let noted = NoteAdded(by: name, text: secrets.seal(note, with: keys))
        return try await append(
            to: session,
            cause: "command.note".caused(by: key),
            sealing: secrets
        ) { _ in
            [.noteAdded(noted)]
        }
    }

    /// Returns the keys with which a session's values are sealed.
    private func keys(of session: SessionID) async throws(AuditTrailError) -> SessionKeys {
        let row: SessionSummary?
        let wrapped: [UInt8]?
        do throws(EventStoreError) {
            row = try await store.row(of: session)
            wrapped = try await store.wrappedKey(of: session)
        } catch {
            throw .store(error)
        }
        guard let row else { throw .reading(.unknownSession(session)) }
        if row.isForeign { throw .engine(.imported(session)) }
        guard let wrapped else { throw .engine(.erased(session)) }
        let available: (any KeyVault)?
        do {
            available = try vault()
        } catch let error as KeyVaultError {
            throw .vault(error)
        } catch {
            throw .keys(error)
        }
        guard let available else {
            throw .vault(.missing(reason: "notes are sealed with the session's keys"))
        }
        do throws(KeyVaultError) {
            return try await available.keys(unwrapping: wrapped, for: session)
        } catch {
            throw .vault(error)
        }
    }

    /// Appends the events that follow from an operator action, and returns when they are durable.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - cause: What caused the events, as recorded with them.
    ///   - sealing: The plaintexts of the sealed values in the events.
    ///   - mayLackKeys: Whether events without a MAC are permitted when the keys are unavailable.
    ///   - events: Returns what to append to a log, which may be nothing; it is called again after
    ///     a version conflict.
    /// - Returns: The sequence number of the last event.
    /// - Throws: ``AuditTrailError``.
    @discardableResult
    package func append(
        to session: SessionID,
        cause: String,
        sealing: SecretTable = SecretTable(),
        mayLackKeys: Bool = false,
        _ events: (SessionLog) throws -> [SessionEvent]
    ) async throws(AuditTrailError) -> SequenceNumber {
        for _ in 0..<Self.tries {
            let evidence: EvidentLog
            do throws(LogReadingError) {
                evidence = try await EvidentLog(of: session, in: store)
            } catch {
                throw .reading(error)
            }
            let (log, row) = (evidence.log, evidence.stored.row)
            if row?.isForeign == true { throw .engine(.imported(session)) }
            let keys = try await keys(over: evidence, mayLackKeys)
            let following: [SessionEvent]
            do { following = try events(log) } catch { throw .refused(error) }
            guard !following.isEmpty else { return SequenceNumber(log.records.count) }
            for case .operatorActed(let acted) in following {
                if let flaw = acted.flaw { throw .engine(.rejected(.malformedStatement(flaw))) }
            }
            let append = try append(following, cause, sealing, keys, to: evidence)
            do throws(EventStoreError) {
                try await store.append(append)
                return append.expectedVersion + append.records.count
            } catch .conflict {
                continue
            } catch {
                throw .store(error)
            }
        }
        throw .crowded(session)
    }

    /// Returns the keys of a session, all of whose records must be authentic; `nil` when they were
    /// destroyed, or are not here and need not be.
    private func keys(
        over evidence: EvidentLog,
        _ mayLackKeys: Bool
    ) async throws(AuditTrailError) -> SessionKeys? {
        let log = evidence.log
        guard let wrapped = evidence.stored.wrappedKey else { return nil }
        do {
            let found = mayLackKeys ? (try? vault()) ?? nil : try vault()
            guard let vault = found else {
                guard mayLackKeys else {
                    throw KeyVaultError.missing(
                        reason: "records are authenticated with the session's keys"
                    )
                }
                return nil
            }
            let keys = try await vault.keys(unwrapping: wrapped, for: log.session)
            if let forged = keys.forgery(in: evidence.stored) {
                throw EngineError.notAuthentic(log.session, sequence: forged)
            }
            return keys
        } catch let error as KeyVaultError {
            if mayLackKeys { return nil }
            throw .vault(error)
        } catch let error as EngineError {
            throw .engine(error)
        } catch {
            throw .keys(error)
        }
    }

    private func append(
        _ events: [SessionEvent],
        _ cause: String,
        _ secrets: SecretTable,
        _ keys: SessionKeys?,
        to evidence: EvidentLog
    ) throws(AuditTrailError) -> StreamAppend {
        let (log, row) = (evidence.log, evidence.stored.row)
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
                    build: build,
                    catalogue: decider.catalogue.version,
                    cause: cause,
                    node: node
                )
            )
            let record = try record(recorded, after: head, secrets, keys)
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
        let isLeft =
            evidence.stored.wrappedKey == nil || row?.agreesOnDue(with: summary.dueAt) == true
        if state.outcome == outcome, !wantsReading, isLeft { summary.dueAt = row?.dueAt }
        summary.headMAC = keys?.mac(of: head)
        return StreamAppend(
            stream: log.session,
            expectedVersion: first.sequence,
            records: records,
            summary: summary
        )
    }

    private func record(
        _ recorded: RecordedEvent,
        after head: StreamHead,
        _ secrets: SecretTable,
        _ keys: SessionKeys?
    ) throws(AuditTrailError) -> StoredRecord {
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
            throw .unwritable(error)
        }
    }
}

/// Why an operator action was not recorded.
package enum AuditTrailError: Error, Sendable {
    /// The session's log could not be read.
    case reading(LogReadingError)
    /// The store could not be read or written.
    case store(EventStoreError)
    /// The session's keys could not be opened.
    case vault(KeyVaultError)
    /// The session cannot be appended to: it was imported, or a record of it is not authentic.
    case engine(EngineError)
    /// The vault was not available.
    case keys(any Error)
    /// What the caller threw instead of events.
    case refused(any Error)
    /// The events could not be encoded.
    case unwritable(any Error)
    /// A note is empty or too long.
    case malformedNote
    /// Other processes kept appending to the session.
    case crowded(SessionID)
}
