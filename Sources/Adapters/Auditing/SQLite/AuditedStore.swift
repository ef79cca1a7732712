public import EventLog
public import SwedbankPay

/// A store that can be audited in storage order, which is faster than session by session.
public protocol AuditedStore: PersistentStore {
    /// Starts an audit, or resumes one.
    ///
    /// - Parameters:
    ///   - decider: The rules of this build, for the session index.
    ///   - build: The name of this build, as recorded in the records that it writes.
    ///   - vault: The keys, to open every seal; `nil` to count seals only.
    ///   - mark: Where an earlier audit of the same store was interrupted.
    /// - Returns: The audit.
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the mark belongs to another store, or to
    ///   another state of this one.
    func audit(
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)?,
        from mark: StoreAuditMark?
    ) async throws(EventStoreError) -> StoreAudit
}

extension SQLiteEventStore: AuditedStore {
    /// Starts an audit, or resumes one.
    public func audit(
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)?,
        from mark: StoreAuditMark?
    ) async throws(EventStoreError) -> StoreAudit {
        try await StoreAudit(of: self, by: decider, build: build, vault: vault, from: mark)
    }
}
