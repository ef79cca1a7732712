internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Verifies the logs of a store, and that the index of sessions agrees with them.
struct StoreVerification {
    /// The maximum number of structural faults reported.
    static let maximumStructuralFaults = 10
    /// The interval at which the position for a later resumption is saved.
    static let markInterval = Duration.seconds(5)

    /// The number of sessions of a server that are listed at once.
    static let sessionsAtOnce = 1000

    private let reader: Reader
    private let vault: (any KeyVault)?

    /// Creates a verification of a store.
    ///
    /// With a `vault`, every seal is opened; with `nil`, the seals are only counted.
    init(_ reader: Reader, vault: (any KeyVault)? = nil) {
        self.reader = reader
        self.vault = vault
    }

    /// Verifies the whole store, and returns `nil` when it was interrupted.
    ///
    /// `resumption` stores the position from which the check continues after an interruption.
    func verifyAll(resuming resumption: Resumption? = nil) async throws(Failure) -> Verification? {
        guard let file = reader.store as? any AuditedStore else {
            return try await verifyServer(resumption)
        }
        let mark = try await resumption?.read(reader.invocation)
        if let mark, let resumption { resumption.noteContinuation(from: mark, reader.invocation) }
        var structure = StoreAuditResult()
        if mark == nil {
            // No other check is possible with a file that SQLite cannot read.
            for words in try await structuralFaults() {
                structure.add(StoreFault(session: nil, sequence: nil, kind: .structure(words)))
            }
        }
        var audit = try await begin(file, from: mark)
        do {
            guard try await run(&audit, resumption) else { return nil }
            try await audit.finish()
        } catch EventStoreError.corrupt where !structure.faults.isEmpty {
            return try await verifyEach(file, structure)
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.defect, "log.unreadable", "\(error)")
        }
        try resumption?.forget()
        return verification(audit.result, structure, digest: audit.mark.position.digest)
    }

    /// Verifies one session; returns `nil` when the store's index does not contain it.
    func verify(_ session: SessionID) async throws(Failure) -> Verification? {
        guard let file = reader.store as? any AuditedStore else {
            var audit = try await sessionBySession()
            guard try await verify(session, &audit) else { return nil }
            return verification(audit.result, StoreAuditResult(), digest: nil)
        }
        var audit = try await begin(file, from: nil)
        do throws(EventStoreError) {
            guard try await audit.check(session) else { return nil }
        } catch {
            throw Failure(error)
        }
        return verification(audit.result, StoreAuditResult(), digest: nil)
    }

    private func begin(
        _ file: any AuditedStore,
        from mark: StoreAuditMark?
    ) async throws(Failure) -> StoreAudit {
        do {
            return try await file.audit(
                by: reader.decider,
                build: Build.version,
                vault: vault,
                from: mark
            )
        } catch .foreign(let reason) where mark != nil {
            throw Resumption.otherStore(reason)
        } catch {
            throw Failure(error)
        }
    }

    /// Verifies in steps, and reports and saves the progress; returns false when it was
    /// interrupted.
    private func run(_ audit: inout StoreAudit, _ resumption: Resumption?) async throws -> Bool {
        let invocation = reader.invocation
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        var kept = invocation.now()
        while try await audit.advance() {
            let (done, all) = audit.progress
            let now = invocation.now()
            line.reached(done, of: all, "\(done) of \(all) records", at: now)
            let isInterrupted = Task.isCancelled
            if let resumption, isInterrupted || now - kept >= Self.markInterval {
                try await resumption.write(audit.mark)
                kept = now
            }
            guard isInterrupted else { continue }
            line.clear()
            invocation.note("interrupted after \(done) of \(all) records")
            if resumption != nil { invocation.note("run the command again to continue") }
            return false
        }
        return true
    }

    private func structuralFaults() async throws(Failure) -> [String] {
        do {
            return try await reader.store.structuralFaults(limit: Self.maximumStructuralFaults)
        } catch .corrupt(_, _, let reason) {
            return [reason]
        } catch {
            throw Failure(error)
        }
    }

    /// Verifies the sessions individually that the storage order no longer leads to.
    private func verifyEach(
        _ file: any AuditedStore,
        _ structure: StoreAuditResult
    ) async throws(Failure) -> Verification {
        var audit = try await begin(file, from: nil)
        for row in try await reader.store.allSessions() {
            do {
                _ = try await audit.check(row.session)
            } catch {
                throw Failure(error)
            }
        }
        return verification(audit.result, structure, digest: nil)
    }

    /// Returns the verification through the port, which has no keys where this role may not read
    /// those of the sessions.
    private func sessionBySession() async throws(Failure) -> SessionBySessionAudit {
        var vault = vault
        if vault != nil {
            let anybody = SessionID(at: reader.invocation.now(), random: (0, 0))
            do throws(EventStoreError) {
                _ = try await reader.store.wrappedKey(of: anybody)
            } catch .missingRight {
                reader.invocation.note(
                    "no sealed value was decrypted: this role cannot read the sessions' keys"
                )
                vault = nil
            } catch {
                throw Failure(error)
            }
        }
        return SessionBySessionAudit(
            of: reader.store,
            by: reader.decider,
            build: Build.version,
            vault: vault
        )
    }

    /// Verifies a store on a server through the port, session by session; returns `nil` when
    /// interrupted.
    private func verifyServer(_ resumption: Resumption?) async throws(Failure) -> Verification? {
        let mark = try await resumption?.readOfServer(reader.invocation)
        var audit = try await sessionBySession()
        if let mark, let resumption {
            resumption.noteContinuation(from: mark, reader.invocation)
            do {
                try await audit.takeUp(mark)
            } catch .foreign(let reason) {
                throw Resumption.otherStore(reason)
            } catch {
                throw Failure(error)
            }
        }
        // A single statement that cannot be divided.
        var structure = StoreAuditResult()
        for words in try await structuralFaults() {
            structure.add(StoreFault(session: nil, sequence: nil, kind: .structure(words)))
        }
        guard try await run(&audit, resumption) else { return nil }
        do throws(EventStoreError) {
            try await audit.checkAddresses()
        } catch .missingRight {
            reader.invocation.note(
                "the mapping of session URLs was not checked: only engines can read it"
            )
        } catch {
            throw Failure(error)
        }
        try resumption?.forget()
        return verification(audit.result, structure, digest: nil)
    }

    /// Verifies session by session, and reports and saves the progress.
    private func run(
        _ audit: inout SessionBySessionAudit,
        _ resumption: Resumption?
    ) async throws(Failure) -> Bool {
        let invocation = reader.invocation
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        var (done, kept) = (Int64(0), invocation.now())
        while true {
            let sessions = try await reader.store.sessions(
                after: audit.last,
                limit: Self.sessionsAtOnce
            )
            for session in sessions {
                let isInterrupted = Task.isCancelled
                let now = invocation.now()
                if let resumption, isInterrupted || now - kept >= Self.markInterval {
                    try await resumption.write(try await mark(of: audit))
                    kept = now
                }
                guard !isInterrupted else {
                    line.clear()
                    if resumption != nil {
                        invocation.note("interrupted; run the command again to continue")
                    }
                    return false
                }
                _ = try await verify(session, &audit)
                done += 1
                line.reached(done, of: 0, "\(done) sessions", at: invocation.now())
            }
            guard sessions.count == Self.sessionsAtOnce else { return true }
        }
    }

    private func mark(of audit: SessionBySessionAudit) async throws(Failure) -> SessionAuditMark {
        do {
            return try await audit.mark()
        } catch {
            throw Failure(error)
        }
    }

    private func verify(
        _ session: SessionID,
        _ audit: inout SessionBySessionAudit
    ) async throws(Failure) -> Bool {
        do {
            return try await audit.check(session)
        } catch {
            throw Failure(error)
        }
    }

    private func verification(
        _ result: StoreAuditResult,
        _ structure: StoreAuditResult,
        digest: Digest256?
    ) -> Verification {
        Verification(result, structure, opensSeals: vault != nil, digest: digest)
    }
}
