package import EventLog
package import Inspection
package import SwedbankPay

/// Finds payments that may have been made twice: paid sessions with the same order number.
///
/// The index only proposes them. That each is paid, and is another order at the PSP, is read from
/// the sessions' own logs.
package struct DuplicatePayments: Sendable {
    /// The maximum number of sessions of one order that are compared, the newest.
    static let mostOfOrder = 100

    /// The number of logs that could not be read, and are not counted.
    package private(set) var unreadable = 0
    private let store: any PersistentStore

    /// Finds payments of a store.
    package init(in store: any PersistentStore) { self.store = store }

    /// Returns the other sessions that were paid for the order of a session, in the order in which
    /// they were opened; none for a session that is not paid.
    package mutating func others(
        than state: SessionState,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> [SessionID] {
        guard let facts = state.facts(turn: nil), facts.isPaid, let order = facts.orderReference
        else { return [] }
        let query = SessionQuery(origin: .own, limit: Self.mostOfOrder)
            .with(host: facts.host, orderReference: order)
        var totals = MoneyTotals()
        do throws(EventStoreError) {
            for row in try await store.sessions(matching: query) { totals.add(row) }
        } catch {
            throw .store(error)
        }
        let found = try await confirmed(totals.duplicates, telling: tell)
        let own = [state.session, facts.countsWith ?? state.session]
        return found.flatMap(\.payments).map(\.session).filter { !own.contains($0) }
    }

    /// Returns what the logs confirm of the duplicates that an index proposes.
    package mutating func confirmed(
        _ proposed: [MoneyTotals.Duplicates],
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> [MoneyTotals.Duplicates] {
        var confirmed: [MoneyTotals.Duplicates] = []
        for var duplicates in proposed where !Task.isCancelled {
            var (paid, orders) = ([MoneyTotals.Payment](), Set<String>())
            for payment in duplicates.payments {
                let log = try await store.log(
                    of: payment.session,
                    counting: &unreadable,
                    telling: tell
                )
                guard let state = log?.state,
                    let facts = state.facts(turn: nil), facts.isPaid,
                    facts.orderReference == duplicates.orderReference
                else { continue }
                // A backend may return one order for two sessions, which was paid once.
                if let id = state.orderID, !orders.insert(id).inserted { continue }
                paid.append(payment)
            }
            guard paid.count > 1 else { continue }
            duplicates.payments = paid
            confirmed.append(duplicates)
        }
        return confirmed
    }
}
