public import EventLog
internal import SwedbankPay

/// Checks whether logs of a store were written with their sessions' keys.
public struct ForgeryCheck: Sendable {
    private let store: any EventStore
    private let vault: any KeyVault
    /// The maximum number of records per read.
    private static let batch = 1000

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
        let beginning: LogBeginning
        do {
            beginning = try await store.beginning(of: session, limit: Self.batch)
        } catch .missingRight {
            return .unknown
        }
        guard beginning.row?.origin != .imported, let wrapped = beginning.wrappedKey,
            let keys = try? await vault.keys(unwrapping: wrapped, for: session)
        else { return .unknown }
        let end = beginning.row.map {
            LogAuthentication.End(sequence: $0.lastSequence, mac: $0.headMAC)
        }
        var proof = LogAuthentication(keys: keys, end: end)
        var records = beginning.records
        while !records.isEmpty {
            for record in records where !proof.accepts(record) {
                return .forged(proof.head.sequence + 1)
            }
            guard records.count == Self.batch else { break }
            records = try await store.read(
                session,
                from: proof.head.sequence + 1,
                limit: Self.batch
            )
        }
        guard proof.isWhole else { return .forged(proof.head.sequence + 1) }
        // Without a sequence number from which MACs begin, no record had one to verify.
        return keys.authenticFrom == nil ? .unknown : .authentic
    }
}
