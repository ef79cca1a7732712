public import EventLog

extension FactsStore {
    /// Returns the sums of sessions whose money is confirmed and that count on their own, by host
    /// and currency.
    ///
    /// Marked sessions are not in them, nor are those that count with another: the caller examines
    /// both (``sessionsToSum(_:)``).
    ///
    /// - Parameter query: When the sessions were opened and where they come from.
    /// - Returns: The sums.
    /// - Throws: ``EventStoreError``.
    public func confirmedSums(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [FactsSum] {
        try await sums(.confirmedMoney, query).compactMap { FactsSum($0) }
    }

    /// Returns the numbers of sessions that are over and have facts, by everything that
    /// ``EndedCount`` distinguishes.
    ///
    /// - Parameter query: When the sessions were opened and where they come from.
    /// - Returns: The numbers.
    /// - Throws: ``EventStoreError``.
    public func endedCounts(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [EndedCount] {
        try await sums(.endings, query).map { EndedCount($0) }
    }
}
