internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Checks whether a store's sessions are its own, copies, or now belong to another store.
enum ProvenanceCheck {
    /// Returns the finding for a store that is closed for writing; `nil` for any other.
    static func moved(_ store: any PaymentStore) async throws -> Finding? {
        guard let place = try await (store as? SQLiteEventStore)?.movedTo() else { return nil }
        return Finding(
            .store,
            .bad,
            "it takes no event any more: its sessions were moved to \(place) [store.moved]",
            advice: "name the store that has them now with --store URL"
        )
    }

    /// Counts the sessions that came from elsewhere, which no other check includes.
    static func imported(in store: any PaymentStore) async throws -> Finding {
        let count = try await store.allSessions(matching: SessionQuery(origin: .imported)).count
        return Finding(
            .imported,
            .good,
            count == 0
                ? "no session came from elsewhere"
                : "\(count) session\(count == 1 ? "" : "s") came from elsewhere: read here, never driven"
        )
    }
}
