public import EventLog

/// Checks whether logs of a store were written with their sessions' keys.
public struct ForgeryCheck: Sendable {
    private let store: any EventStore
    private let vault: any KeyVault

    /// The maximum number of records per read.
    fileprivate static let batch = 1024

    /// Creates a check of a store's logs with the keys of a vault.
    public init(of store: any EventStore, with vault: any KeyVault) {
        self.store = store
        self.vault = vault
    }

    /// Whether a log is authentic.
    public enum Finding: Hashable, Sendable {
        /// All records were written with the session's keys.
        case authentic
        /// The record with this sequence number was not; a number after the last record means that
        /// one is missing at the end.
        case forged(SequenceNumber)
        /// It cannot be determined: the session was imported or erased, its data key cannot be
        /// unwrapped, its records have no MACs, or the store's keys may not be read.
        case unknown
    }

    /// Reads a session's log and verifies every MAC.
    public func finding(in session: SessionID) async throws(EventStoreError) -> Finding {
        do throws(EventStoreError) {
            return try await store.whole(session).finding(in: session, with: vault)
        } catch .missingRight {
            return .unknown
        }
    }
}

extension EventStore {
    /// Returns the row, the wrapped key and all records of a session; the row is not newer than the
    /// records.
    package func whole(_ session: SessionID) async throws(EventStoreError) -> LogBeginning {
        var stored = try await beginning(of: session, limit: ForgeryCheck.batch)
        var isWhole = stored.records.count < ForgeryCheck.batch
        while !isWhole {
            let first = SequenceNumber(stored.records.count).next
            let more = try await read(session, from: first, limit: ForgeryCheck.batch)
            stored.records += more
            isWhole = more.count < ForgeryCheck.batch
        }
        return stored
    }
}

extension LogBeginning {
    /// Returns what the MACs of a whole log say.
    package func finding(
        in session: SessionID,
        with vault: any KeyVault
    ) async -> ForgeryCheck.Finding {
        guard row?.isForeign != true, let wrappedKey,
            let keys = try? await vault.keys(unwrapping: wrappedKey, for: session)
        else { return .unknown }
        if let forged = keys.forgery(in: self) { return .forged(forged) }
        return .authentic
    }
}
