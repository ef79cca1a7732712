public import EventLog

extension FactsSum {
    /// Creates a sum from a row that both stores return; `nil` when the row is empty.
    ///
    /// `known` is the number of sessions whose amount is known. `oldest` is the smallest of the
    /// texts that consist of a session's time in this state, as twenty digits, and its identity.
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

/// How a store maintains the facts in its session rows.
public protocol FactsStore: SessionIndex {
    /// Writes facts derived from logs into rows that still describe the same event; other rows stay
    /// as they are.
    ///
    /// - Returns: The number of rows written.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func replaceFacts(of rows: [SessionSummary]) async throws(EventStoreError) -> Int

    /// Returns the sums of sessions whose money is confirmed and that count on their own, by host
    /// and currency.
    ///
    /// Verifications are excluded, and so are checkouts and the sessions that count together with
    /// one: the caller must examine both. Rows without facts are excluded as well.
    ///
    /// - Parameter query: When the sessions were opened and where they come from; its other members
    ///   are ignored.
    /// - Returns: The sums.
    /// - Throws: ``EventStoreError``.
    func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum]

    /// Returns the sessions that ``confirmedSums(_:)`` excludes and that affect a sum: marked
    /// sessions and those that count with another, unless their money is that of an unpaid payment,
    /// and sessions whose money is intended, under way or unknown.
    ///
    /// - Parameter query: When the sessions were opened, where they come from, the session to
    ///   continue after, and the limit.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    func sessionsToSum(_ query: SessionQuery) async throws(EventStoreError) -> [SessionSummary]
}
