public import EventLog
internal import SwedbankPay

/// Checks whether logs of a store were written with their sessions' keys.
public struct ForgeryCheck: Sendable {
    private let store: any EventStore
    private let vault: any KeyVault
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
