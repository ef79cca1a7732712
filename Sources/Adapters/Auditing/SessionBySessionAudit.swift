public import EventLog
public import SwedbankPay

/// Checks a store session by session, through the port alone: chains, form, folds, seals and the
/// session index.
///
/// The store may be in use meanwhile: a session that is written while it is checked is checked
/// again.
///
/// - Note: Isolation: one task at a time.
public struct SessionBySessionAudit: Sendable {
    /// The maximum number of records per read.
    static let batch = 1024
    /// The maximum number of times that a continuously written session is checked again.
    static let passes = 100

    private let store: any PersistentStore
    private let decider: SessionDecider
    private let build: String?
    private let vault: (any KeyVault)?
    /// The result so far.
    public private(set) var result = StoreAuditResult()
    /// The result so far of the intact sessions only.
    private var sound = StoreAuditResult()
    /// The sessions with faults, in the order in which they were checked.
    private var damaged: [SessionID] = []
    private var first: SessionID?
    /// The last session checked.
    public private(set) var last: SessionID?

    /// Creates an audit.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - decider: The rules of this build, for the session index.
    ///   - build: The name of this build, as recorded in the records that it writes.
    ///   - vault: The keys, to open every seal; `nil` to count seals only.
    public init(
        of store: any PersistentStore,
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)? = nil
    ) {
        self.store = store
        self.decider = decider
        self.build = build
        self.vault = vault
    }

    /// Checks one session.
    ///
    /// - Returns: `false` when there is no such session.
    public mutating func check(_ session: SessionID) async throws(EventStoreError) -> Bool {
        var listed: ListedSession
        do {
            guard let found = try await list(session) else { return false }
            listed = found
        } catch .corrupt(_, _, let reason) {
            note(session, StoreFault(session: session, sequence: nil, kind: .unreadable(reason)))
            return true
        }
        var (audit, sealed) = (SessionAudit(of: session), [StoredRecord]())
        var marks: [RecordMark] = []
        var (fault, seals) = (StoreFault?.none, SealTally())
        for _ in 0..<Self.passes {
            fault =
                try await read(session, into: &audit, &sealed, &marks)
                ?? compare(audit, with: listed)
            let opened = try await open(SealedRecords(sealed, marks, of: audit, listed: listed))
            (fault, seals) = (opened.fault?.weighed(against: fault) ?? fault, opened.tally)
            // Row, key and records were not read at one moment: a mismatch may be due to a change
            // in between.
            guard fault != nil, let newer = try await list(session), newer != listed else { break }
            listed = newer
        }
        note(session, fault, audit.tally, seals)
        return true
    }

    /// Records the outcome of a session.
    private mutating func note(
        _ session: SessionID,
        _ fault: StoreFault?,
        _ tally: LogTally = LogTally(),
        _ seals: SealTally = SealTally()
    ) {
        first = first ?? session
        last = session
        result.count(fault, tally, seals)
        if fault == nil { sound.count(nil, tally, seals) } else { damaged.append(session) }
    }

    /// Returns the mark from which another process can resume.
    public func mark() async throws(EventStoreError) -> SessionAuditMark {
        SessionAuditMark(
            first: try await place(of: first),
            last: try await place(of: last),
            suspects: damaged,
            result: sound
        )
    }

    /// Resumes an earlier audit of the same store; sessions with faults are checked again.
    ///
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the mark belongs to another store, or to
    ///   another state of this one.
    public mutating func takeUp(_ mark: SessionAuditMark) async throws(EventStoreError) {
        let (begin, end) = (
            try await place(of: mark.first?.session), try await place(of: mark.last?.session)
        )
        guard begin == mark.first, end == mark.last else {
            throw .foreign(reason: "it does not have the records that were checked before")
        }
        (result, sound) = (mark.result, mark.result)
        for suspect in mark.suspects { _ = try await check(suspect) }
        (first, last) = (mark.first?.session, mark.last?.session)
    }

    /// A session by which a store is recognized.
    private func place(
        of session: SessionID?
    ) async throws(EventStoreError) -> SessionAuditMark.Place? {
        guard let session else { return nil }
        do throws(EventStoreError) {
            let hash = try await store.read(session, from: 1, limit: 1).first?.hash
            return SessionAuditMark.Place(session: session, hash: hash ?? .zero)
        } catch .corrupt {
            return SessionAuditMark.Place(session: session, hash: .zero)
        }
    }

    /// Checks whether addresses lead to their sessions; call this once all sessions were checked.
    public mutating func checkAddresses() async throws(EventStoreError) {
        result.count(copies: try await store.addressFaults(limit: StoreAudit.maximumFaults))
    }

    /// Checks whether lists have the rows of their sessions; call this once all sessions were
    /// checked.
    public mutating func checkLists() async throws(EventStoreError) {
        result.count(copies: try await store.listFaults(limit: StoreAudit.maximumFaults, of: nil))
    }

    /// A session's row and key.
    private func list(_ session: SessionID) async throws(EventStoreError) -> ListedSession? {
        guard let row = try await store.row(of: session) else { return nil }
        guard vault != nil else { return ListedSession(row: row, key: .unknown) }
        let wrapped = try await store.wrappedKey(of: session)
        return ListedSession(row: row, key: wrapped.map { .wrapped($0) } ?? .none)
    }

    private func read(
        _ session: SessionID,
        into audit: inout SessionAudit,
        _ sealed: inout [StoredRecord],
        _ marks: inout [RecordMark]
    ) async throws(EventStoreError) -> StoreFault? {
        while true {
            let records: [StoredRecord]
            do throws(EventStoreError) {
                let next = audit.head.sequence + 1
                records = try await store.read(session, from: next, limit: Self.batch)
            } catch .corrupt(_, let sequence, let reason) {
                return StoreFault(session: session, sequence: sequence, kind: .unreadable(reason))
            }
            for record in records {
                do throws(LogDamage) {
                    try audit.check(record)
                } catch {
                    return StoreFault(
                        session: session,
                        sequence: error.sequence,
                        kind: .log(error)
                    )
                }
                guard vault != nil else { continue }
                marks.append(RecordMark(hash: record.hash, mac: record.mac))
                if !record.seals.isEmpty { sealed.append(record) }
            }
            if records.count < Self.batch { return nil }
        }
    }

    private func compare(_ audit: SessionAudit, with listed: ListedSession) -> StoreFault? {
        let (row, found) = (listed.row, audit.head.sequence)
        guard found == row.lastSequence else {
            return StoreFault(
                session: row.session,
                sequence: min(found, row.lastSequence) + 1,
                kind: .missingRecords(listed: row.lastSequence, found: found)
            )
        }
        let wrong = listed.contradictions(to: audit, by: decider, current: build)
        guard wrong.isEmpty else {
            return StoreFault(session: row.session, sequence: found, kind: .projection(wrong))
        }
        return nil
    }

    private func open(
        _ sealed: SealedRecords
    ) async throws(EventStoreError) -> (tally: SealTally, fault: StoreFault?) {
        guard let vault else { return (SealTally(), nil) }
        do throws(KeyVaultError) {
            return try await sealed.open(with: vault)
        } catch {
            throw .unavailable(reason: "\(error)", code: nil)
        }
    }
}
