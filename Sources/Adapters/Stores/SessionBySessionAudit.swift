public import Workflow

/// Checks a store session by session, through the port alone: chains, form, folds, seals and the list of sessions.
///
/// A store may be in use meanwhile: a session that is written to while it is checked is looked at again.
///
/// - Note: Isolation: one task at a time.
public struct SessionBySessionAudit: Sendable {
    /// How many records are read at once.
    static let batch = 1024
    /// How often a session is looked at again that is written to all the time.
    static let looks = 100

    private let store: any PaymentStore
    private let decider: SessionDecider
    private let build: String?
    private let vault: (any KeyVault)?
    /// What was found so far.
    public private(set) var result = StoreAuditResult()

    /// An audit.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - decider: The rules of this build, for the list of sessions.
    ///   - build: This build, as it stands in the records that it writes.
    ///   - vault: The keys, to open every seal; nothing to count them only.
    public init(
        of store: any PaymentStore,
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)? = nil
    ) {
        self.store = store
        self.decider = decider
        self.build = build
        self.vault = vault
    }

    /// Looks at one session.
    ///
    /// - Returns: False when there is no such session.
    public mutating func check(_ session: SessionID) async throws(EventStoreError) -> Bool {
        guard var row = try await store.row(of: session) else { return false }
        var (audit, sealed, fault) = (SessionAudit(of: session), [StoredRecord](), StoreFault?.none)
        for _ in 0..<Self.looks {
            fault = try await read(session, into: &audit, &sealed)
            guard fault == nil, audit.head.sequence > row.lastSequence,
                let newer = try await store.row(of: session), newer != row
            else { break }
            row = newer
        }
        result.tally.add(audit.tally)
        if fault == nil { fault = compare(audit, with: row) }
        if let wrong = try await open(sealed, of: session) { fault = fault ?? wrong }
        if let fault { result.add(fault) } else { result.sessions += 1 }
        return true
    }

    private func read(
        _ session: SessionID,
        into audit: inout SessionAudit,
        _ sealed: inout [StoredRecord]
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
                    try audit.take(record)
                } catch {
                    return StoreFault(
                        session: session,
                        sequence: error.sequence,
                        kind: .log(error)
                    )
                }
                if vault != nil, !record.seals.isEmpty { sealed.append(record) }
            }
            if records.count < Self.batch { return nil }
        }
    }

    private func compare(_ audit: SessionAudit, with row: SessionSummary) -> StoreFault? {
        let found = audit.head.sequence
        guard found == row.lastSequence else {
            return StoreFault(
                session: row.session,
                sequence: min(found, row.lastSequence) + 1,
                kind: .missingRecords(listed: row.lastSequence, found: found)
            )
        }
        let wrong = audit.contradictions(in: row, by: decider, current: build)
        guard wrong.isEmpty else {
            return StoreFault(session: row.session, sequence: found, kind: .projection(wrong))
        }
        return nil
    }

    private mutating func open(
        _ records: [StoredRecord],
        of session: SessionID
    ) async throws(EventStoreError) -> StoreFault? {
        guard let vault, !records.isEmpty else { return nil }
        let sealed = SealedRecords(
            session: session,
            wrappedKey: try await store.wrappedKey(of: session),
            records: records
        )
        do throws(KeyVaultError) {
            let (tally, fault) = try await sealed.open(with: vault)
            result.seals.add(tally)
            return fault
        } catch {
            throw .unavailable(reason: "\(error)", code: nil)
        }
    }
}
