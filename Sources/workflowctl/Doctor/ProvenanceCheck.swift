internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Whose sessions a store has: its own, another store's by now, or copies.
enum ProvenanceCheck {
    /// That the store takes no event any more; nil where it does.
    static func moved(_ store: any PaymentStore) async throws -> Finding? {
        guard let place = try await (store as? SQLiteEventStore)?.movedTo() else { return nil }
        return Finding(
            .store,
            .bad,
            "it accepts no more events, because its sessions were moved to \(place) [store.moved]",
            advice: "use the store that has them now: --store URL"
        )
    }

    /// How many sessions came from elsewhere, which no other check looks at.
    static func imported(in store: any PaymentStore) async throws -> Finding {
        let count = try await store.allSessions(matching: SessionQuery(origin: .imported)).count
        return Finding(
            .imported,
            .good,
            count == 0
                ? "there are no imported sessions"
                : "\(count) imported session\(count == 1 ? "" : "s"), which can be read but not driven"
        )
    }
}
