package import EventLog
package import Inspection
package import SwedbankPay

/// Verifies the logs of a store, and that the index of sessions agrees with them.
///
/// A store that has a storage order is read in that order; any other one session by session.
package struct StoreVerification: Sendable {
    /// The maximum number of structural faults reported.
    package static let maximumStructuralFaults = 10
    /// The interval at which the position for a later continuation is kept.
    package static let markInterval = Duration.seconds(5)
    /// The number of sessions that are listed at once.
    package static let sessionsAtOnce = 1000

    /// How far a verification has come.
    package enum Progress: Hashable, Sendable {
        /// The number of records, and the number of all of them.
        case records(Int64, of: Int64)
        /// The number of sessions; that of all of them is not known.
        case sessions(Int64)
    }

    /// What a verification reports while it runs.
    package enum News: Sendable {
        /// It continues after the records that were checked before.
        case continuing(StoreAuditMark)
        /// It continues after the sessions that were checked before.
        case continuingBySession(SessionAuditMark)
        /// It has come this far.
        case reached(Progress)
        /// No sealed value is decrypted: this role cannot read the sessions' keys.
        case leavesOutSeals
        /// The mapping of session URLs is not checked: this role cannot read it.
        case leavesOutAddresses
    }

    /// How the verification of a whole store ended.
    package enum Ending: Sendable {
        /// Everything was verified.
        case verified(Verification)
        /// Its task was cancelled before the end.
        case interrupted(after: Progress)
    }

    private let store: any PersistentStore
    private let decider: SessionDecider
    private let build: String
    private let vault: (any KeyVault)?
    private let now: @Sendable () -> Instant

    /// Creates a verification of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - decider: The rules of this build, for the session index.
    ///   - build: The name of this build, as recorded in the records that it writes.
    ///   - vault: The keys, to open every seal; `nil` to count seals only.
    ///   - now: Returns the current time.
    package init(
        of store: any PersistentStore,
        by decider: SessionDecider,
        build: String,
        vault: (any KeyVault)?,
        now: @escaping @Sendable () -> Instant
    ) {
        (self.store, self.decider, self.build) = (store, decider, build)
        (self.vault, self.now) = (vault, now)
    }

    /// Verifies the whole store.
    ///
    /// - Parameters:
    ///   - marks: Keeps the position from which a later run continues after an interruption; `nil`
    ///     to verify everything in this run.
    ///   - tell: Receives the progress, and what cannot be checked.
    /// - Returns: The result, or how far the verification came until it was interrupted.
    /// - Throws: ``StoreVerificationError``.
    package func verifyAll(
        resuming marks: (any VerificationMarks)? = nil,
        telling tell: (News) -> Void
    ) async throws(StoreVerificationError) -> Ending {
        guard let file = store as? any AuditedStore else {
            return try await verifyBySession(marks, tell)
        }
        let mark: StoreAuditMark?
        do { mark = try await marks?.storeMark() } catch { throw .marks(error) }
        if let mark { tell(.continuing(mark)) }
        // No other check is possible with a file that SQLite cannot read.
        let structure = mark == nil ? try await structuralFaults() : StoreAuditResult()
        var audit = try await begin(file, from: mark)
        do throws(StoreVerificationError) {
            if let progress = try await run(&audit, marks, tell) {
                return .interrupted(after: progress)
            }
        } catch .store(.corrupt) where !structure.faults.isEmpty {
            return .verified(try await verifyEach(file, structure))
        }
        try forget(marks)
        return .verified(
            verification(audit.result, structure, digest: audit.mark.position.digest)
        )
    }

    /// Verifies one session; returns `nil` when the store's index does not contain it.
    package func verify(
        _ session: SessionID,
        telling tell: (News) -> Void
    ) async throws(StoreVerificationError) -> Verification? {
        guard let file = store as? any AuditedStore else {
            var audit = try await sessionBySession(tell)
            guard try await check(session, &audit) else { return nil }
            return verification(audit.result, StoreAuditResult(), digest: nil)
        }
        var audit = try await begin(file, from: nil)
        do throws(EventStoreError) {
            guard try await audit.check(session) else { return nil }
        } catch {
            throw .store(error)
        }
        return verification(audit.result, StoreAuditResult(), digest: nil)
    }

    private func begin(
        _ file: any AuditedStore,
        from mark: StoreAuditMark?
    ) async throws(StoreVerificationError) -> StoreAudit {
        do throws(EventStoreError) {
            return try await file.audit(by: decider, build: build, vault: vault, from: mark)
        } catch {
            if case .foreign(let reason) = error, mark != nil { throw .otherStore(reason: reason) }
            throw .store(error)
        }
    }

    /// Verifies in steps, and keeps the position; returns the progress when it was interrupted, and
    /// `nil` at the end.
    private func run(
        _ audit: inout StoreAudit,
        _ marks: (any VerificationMarks)?,
        _ tell: (News) -> Void
    ) async throws(StoreVerificationError) -> Progress? {
        var kept = now()
        while try await advance(&audit) {
            let (done, all) = audit.progress
            let progress = Progress.records(done, of: all)
            tell(.reached(progress))
            let isInterrupted = Task.isCancelled
            let time = now()
            if let marks, isInterrupted || time - kept >= Self.markInterval {
                do { try await marks.keep(audit.mark) } catch { throw .marks(error) }
                kept = time
            }
            if isInterrupted { return progress }
        }
        do throws(EventStoreError) { try await audit.finish() } catch { throw .store(error) }
        return nil
    }

    private func advance(_ audit: inout StoreAudit) async throws(StoreVerificationError) -> Bool {
        do throws(EventStoreError) { return try await audit.advance() } catch {
            throw .store(error)
        }
    }

    private func structuralFaults() async throws(StoreVerificationError) -> StoreAuditResult {
        let found: [String]
        do throws(EventStoreError) {
            found = try await store.structuralFaults(limit: Self.maximumStructuralFaults)
        } catch {
            guard case .corrupt(_, _, let reason) = error else { throw .store(error) }
            found = [reason]
        }
        var structure = StoreAuditResult()
        for words in found {
            structure.add(StoreFault(session: nil, sequence: nil, kind: .structure(words)))
        }
        return structure
    }

    /// Verifies the sessions individually that the storage order no longer leads to.
    private func verifyEach(
        _ file: any AuditedStore,
        _ structure: StoreAuditResult
    ) async throws(StoreVerificationError) -> Verification {
        var audit = try await begin(file, from: nil)
        do throws(EventStoreError) {
            var page = try await store.sessionIdentities(after: nil, limit: Self.sessionsAtOnce)
            while let last = page.last {
                for session in page { _ = try await audit.check(session) }
                page = try await store.sessionIdentities(after: last, limit: Self.sessionsAtOnce)
            }
        } catch {
            throw .store(error)
        }
        return verification(audit.result, structure, digest: nil)
    }

    /// Returns the verification through the port, which has no keys where this role may not read
    /// those of the sessions.
    private func sessionBySession(
        _ tell: (News) -> Void
    ) async throws(StoreVerificationError) -> SessionBySessionAudit {
        var vault = vault
        if vault != nil {
            let anybody = SessionID(at: now(), random: (0, 0))
            do throws(EventStoreError) {
                _ = try await store.wrappedKey(of: anybody)
            } catch {
                guard case .missingRight = error else { throw .store(error) }
                tell(.leavesOutSeals)
                vault = nil
            }
        }
        return SessionBySessionAudit(of: store, by: decider, build: build, vault: vault)
    }

    /// Verifies a store through the port, session by session.
    private func verifyBySession(
        _ marks: (any VerificationMarks)?,
        _ tell: (News) -> Void
    ) async throws(StoreVerificationError) -> Ending {
        let mark: SessionAuditMark?
        do { mark = try await marks?.sessionMark() } catch { throw .marks(error) }
        var audit = try await sessionBySession(tell)
        if let mark {
            tell(.continuingBySession(mark))
            do throws(EventStoreError) {
                try await audit.takeUp(mark)
            } catch {
                if case .foreign(let reason) = error { throw .otherStore(reason: reason) }
                throw .store(error)
            }
        }
        // A single statement that cannot be divided.
        let structure = try await structuralFaults()
        if let progress = try await run(&audit, marks, tell) {
            return .interrupted(after: progress)
        }
        do throws(EventStoreError) {
            try await audit.checkAddresses()
        } catch {
            guard case .missingRight = error else { throw .store(error) }
            tell(.leavesOutAddresses)
        }
        do throws(EventStoreError) { try await audit.checkLists() } catch { throw .store(error) }
        try forget(marks)
        return .verified(verification(audit.result, structure, digest: nil))
    }

    /// Verifies session by session, and keeps the position; returns the progress when it was
    /// interrupted, and `nil` at the end.
    private func run(
        _ audit: inout SessionBySessionAudit,
        _ marks: (any VerificationMarks)?,
        _ tell: (News) -> Void
    ) async throws(StoreVerificationError) -> Progress? {
        var (done, kept) = (Int64(0), now())
        while true {
            let sessions: [SessionID]
            do throws(EventStoreError) {
                sessions = try await store.sessionIdentities(
                    after: audit.last,
                    limit: Self.sessionsAtOnce
                )
            } catch {
                throw .store(error)
            }
            for session in sessions {
                let isInterrupted = Task.isCancelled
                let time = now()
                if let marks, isInterrupted || time - kept >= Self.markInterval {
                    let mark = try await mark(of: audit)
                    do { try await marks.keep(mark) } catch { throw .marks(error) }
                    kept = time
                }
                if isInterrupted { return .sessions(done) }
                _ = try await check(session, &audit)
                done += 1
                tell(.reached(.sessions(done)))
            }
            guard sessions.count == Self.sessionsAtOnce else { return nil }
        }
    }

    private func mark(
        of audit: SessionBySessionAudit
    ) async throws(StoreVerificationError) -> SessionAuditMark {
        do throws(EventStoreError) { return try await audit.mark() } catch { throw .store(error) }
    }

    private func check(
        _ session: SessionID,
        _ audit: inout SessionBySessionAudit
    ) async throws(StoreVerificationError) -> Bool {
        do throws(EventStoreError) { return try await audit.check(session) } catch {
            throw .store(error)
        }
    }

    private func forget(_ marks: (any VerificationMarks)?) throws(StoreVerificationError) {
        do { try marks?.forget() } catch { throw .marks(error) }
    }

    private func verification(
        _ result: StoreAuditResult,
        _ structure: StoreAuditResult,
        digest: Digest256?
    ) -> Verification {
        Verification(result, structure, opensSeals: vault != nil, digest: digest)
    }
}

/// Keeps how far the verification of a store has come, so that a later run continues there.
package protocol VerificationMarks: Sendable {
    /// Returns where to continue in storage order; `nil` to verify from the beginning.
    func storeMark() async throws -> StoreAuditMark?
    /// Returns where to continue session by session; `nil` to verify from the beginning.
    func sessionMark() async throws -> SessionAuditMark?
    /// Keeps a position in storage order.
    func keep(_ mark: StoreAuditMark) async throws
    /// Keeps a position among the sessions.
    func keep(_ mark: SessionAuditMark) async throws
    /// Removes what was kept: the verification is complete.
    func forget() throws
}

/// Why a store could not be verified.
package enum StoreVerificationError: Error, Sendable {
    /// The store could not be read.
    case store(EventStoreError)
    /// The kept position belongs to another store, or to another state of this one.
    case otherStore(reason: String)
    /// The position could not be read, kept or removed.
    case marks(any Error)
}
