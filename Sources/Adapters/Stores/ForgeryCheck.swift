public import Workflow

/// Looks whether logs of a store were written with their sessions' keys.
public struct ForgeryCheck: Sendable {
    private let store: any EventStore
    private let vault: any KeyVault
    /// How many records are read at once.
    private static let batch = 1000

    /// A look at a store's logs with the keys of a vault.
    public init(of store: any EventStore, with vault: any KeyVault) {
        self.store = store
        self.vault = vault
    }

    /// The place of the first record of a session that nobody with its keys wrote, or of the first one that is missing at
    /// its end.
    ///
    /// - Returns: Nil for an authentic log, and for one that nobody here can judge: imported, erased, with a data key
    ///   that does not unwrap, or in a store whose keys may not be read.
    public func forgery(in session: SessionID) async throws(EventStoreError) -> Int64? {
        let beginning: LogBeginning
        do {
            beginning = try await store.beginning(of: session, limit: Self.batch)
        } catch .missingRight {
            return nil
        }
        guard beginning.row?.origin != .imported, let wrapped = beginning.wrappedKey,
            let keys = try? await vault.keys(unwrapping: wrapped, for: session)
        else { return nil }
        let end = beginning.row.map {
            LogAuthentication.End(sequence: $0.lastSequence, mac: $0.headMAC)
        }
        var proof = LogAuthentication(keys: keys, end: end)
        var records = beginning.records
        while !records.isEmpty {
            for record in records where !proof.takes(record) { return proof.head.sequence + 1 }
            guard records.count == Self.batch else { break }
            records = try await store.read(
                session,
                from: proof.head.sequence + 1,
                limit: Self.batch
            )
        }
        return proof.isWhole ? nil : proof.head.sequence + 1
    }
}
