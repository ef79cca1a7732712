internal import EventLog
internal import SwedbankPay

/// Checks where a store's sessions came from: its own, moved to another store, or copies.
enum ProvenanceCheck {
    /// Returns a finding when the store no longer accepts events; `nil` otherwise.
    static func moved(_ store: any PersistentStore, of kind: any StoreKind) async throws -> Finding?
    {
        guard let place = try await kind.movedTo(from: store) else { return nil }
        return Finding(
            .store,
            .bad,
            "it accepts no more events, because its sessions were moved to \(place) [store.moved]",
            advice: "use the store that has them now: --store URL"
        )
    }

    /// Counts the sessions that were imported, which no other check covers.
    static func imported(in store: any PersistentStore) async throws -> Finding {
        let count = try await store.allRows(matching: SessionQuery(origin: .imported)).count
        return Finding(
            .imported,
            .good,
            count == 0
                ? "there are no imported sessions"
                : "\(count) imported session\(count == 1 ? "" : "s"), which can be read but not driven"
        )
    }
}
