internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Records the actions of operators who use commands.
struct CommandTrail: Sendable {
    /// The recorder of operator actions in the library.
    let auditTrail: AuditTrail

    /// Records in a store; `vault` returns its keys, or `nil` when they are unavailable.
    init(
        store: any PersistentStore,
        decider: SessionDecider,
        now: @escaping @Sendable () -> Instant,
        vault: @escaping @Sendable () throws(Failure) -> (any KeyVault)?
    ) {
        auditTrail = AuditTrail(
            of: store,
            by: decider,
            build: Build.version,
            node: "workflowctl",
            now: now,
            vault: vault
        )
    }

    /// Appends an operator action, and returns its sequence number when it is durable.
    @discardableResult
    func record(
        _ acted: OperatorActed,
        of session: SessionID,
        mayLackKeys: Bool = false
    ) async throws(Failure) -> SequenceNumber {
        do throws(AuditTrailError) {
            return try await auditTrail.record(acted, of: session, mayLackKeys: mayLackKeys)
        } catch {
            throw Failure(error)
        }
    }

    /// Seals a note and appends it, and returns its sequence number when it is durable.
    func addNote(
        _ text: String,
        by name: String,
        to session: SessionID
    ) async throws(Failure) -> SequenceNumber {
        do throws(AuditTrailError) {
            return try await auditTrail.addNote(text, by: name, to: session)
        } catch {
            throw Failure(error)
        }
    }

    /// Appends the events that follow from an operator action, and returns when they are durable.
    ///
    /// `events` returns what to append to a log, and may be empty; it is called again after a
    /// version conflict. Returns the sequence number of the last event.
    @discardableResult
    func append(
        to session: SessionID,
        cause: String,
        sealing: SecretTable = SecretTable(),
        _ events: (SessionLog) throws(Failure) -> [SessionEvent]
    ) async throws(Failure) -> SequenceNumber {
        do throws(AuditTrailError) {
            return try await auditTrail.append(
                to: session,
                cause: cause,
                sealing: sealing,
                events
            )
        } catch {
            throw Failure(error)
        }
    }
}

extension SessionDecider {
    /// Returns what follows from an operator's command on a log, at its end or at a later time.
    ///
    /// - Throws: A failure when the command is rejected.
    func events(
        of command: SessionInput,
        on log: SessionLog,
        at now: Instant? = nil
    ) throws(Failure) -> [SessionEvent] {
        let last = log.state.lastAt
        do throws(Rejection) {
            return try decide(command, in: log.state, at: max(last, now ?? last))
        } catch {
            throw Failure(EngineError.rejected(error))
        }
    }
}

extension Failure {
    /// Translates the failure to record an operator action for the command line.
    init(_ error: AuditTrailError) {
        switch error {
        case .reading(let error): self.init(error)
        case .store(let error): self.init(error)
        case .vault(let error): self.init(error)
        case .engine(let error): self.init(error)
        case .keys(let error), .refused(let error):
            self =
                error as? Failure ?? Failure(.defect, "vault.unavailable", "\(error)")
        case .unwritable(let error): self.init(.defect, "log.unreadable", "\(error)")
        case .malformedNote: self = .malformedNote
        case .crowded(let session):
            self.init(
                .tryAgain,
                "store.conflict",
                "other processes keep appending to session \(session)",
                hint: "run the command again"
            )
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
        let store: any PersistentStore
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
    func trail(on store: any PersistentStore) -> CommandTrail {
        let (location, environment) = (location, invocation.environment)
        return CommandTrail(store: store, decider: decider, now: invocation.now) {
            () throws(Failure) in try location.vault(environment: environment)
        }
    }

    /// Opens the store for appending while an operator's action is recorded.
    func withTrail<Value: Sendable>(
        of session: SessionID,
        _ body: (CommandTrail) async throws(Failure) -> Value
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
