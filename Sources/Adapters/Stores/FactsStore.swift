public import EventLog

extension FactsSum {
    /// A sum as both stores read it.
    ///
    /// - Parameters:
    ///   - known: In how many sessions the amount is known.
    ///   - oldest: Since when the oldest stands like this, as twenty digits, and its id: the least of these texts.
    init?(
        _ host: String?,
        _ currency: String?,
        sessions: Int64,
        net: Int64?,
        known: Int64,
        oldest: String?
    ) {
        guard let host, let oldest, let since = Int64(oldest.prefix(20)),
            let session = SessionID(String(oldest.dropFirst(20)))
        else { return nil }
        self.init(
            host: host,
            currency: currency,
            sessions: sessions,
            net: net,
            withoutAmount: sessions - known,
            oldestSince: Instant(microseconds: since),
            oldest: session
        )
    }
}

/// What a store does with the facts in its rows of sessions.
public protocol FactsStore: SessionIndex {
    /// Writes facts that were derived from logs into rows that are still of the same event; other rows stay as they are.
    ///
    /// - Returns: How many rows were written.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func replaceFacts(of rows: [SessionSummary]) async throws(EventStoreError) -> Int

    /// The sums of the sessions whose money is confirmed and that nothing else counts with, by host and currency.
    ///
    /// Verifications are left out, and so are checkouts and the sessions that count with one: whoever adds up has to look at
    /// both. Rows without facts are not in it.
    ///
    /// - Parameter query: The time in which they were opened, and where they come from; nothing else of it is used.
    func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum]

    /// The sessions that ``confirmedSums(_:)`` leaves out and a sum depends on: with a mark, or counting with another, whose
    /// money is not that of an unpaid payment; and those whose money is intended, under way or unknown.
    ///
    /// - Parameter query: The time in which they were opened, where they come from, after which one to go on, and how many.
    func sessionsToSum(_ query: SessionQuery) async throws(EventStoreError) -> [SessionSummary]
}
