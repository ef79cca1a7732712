/// How a store maintains the facts in its session rows, and the read models for lists and sums.
///
/// An append writes its session's row; lists and sums follow the log, with a progress of their own.
/// Whoever reads them brings them up to date first, if it may write. Otherwise, lists take the rows
/// that were not followed yet from where appends wrote them, and sums are of an earlier moment.
public protocol FactsStore: SessionIndex {
    /// Returns the number of records that lists and sums do not contain yet; 0 for a store that
    /// keeps none.
    func projectionLag() async throws(EventStoreError) -> Int64

    /// Brings lists and sums up to date, as far as this process may, and within a few seconds.
    ///
    /// What cannot be written, as on a full disk, keeps nobody from reading what is there.
    ///
    /// - Returns: The number of records that sums do not contain; 0 when they are up to date.
    func catchUp() async -> Int64

    /// Brings lists and sums up to date with the next records, in one transaction with their
    /// progress.
    ///
    /// Several processes may do so at once.
    ///
    /// - Parameter limit: The maximum number of records.
    /// - Returns: Whether the end of the log was reached.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func project(limit: Int) async throws(EventStoreError) -> Bool

    /// Makes rows of lists equal to those of their sessions again, and removes those of sessions
    /// that do not exist: for lists that were altered.
    ///
    /// - Parameters:
    ///   - session: The last session of the previous batch; `nil` for the first one.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The last session of the batch; `nil` when it was the last one.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func repairLists(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> SessionID?

    /// Writes what was derived from logs into rows that still describe the same event; other rows
    /// stay as they are.
    ///
    /// The fingerprint of the address and the MAC do not follow from the log alone, and stay as
    /// they are.
    ///
    /// - Returns: The number of rows written.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func replaceRows(_ rows: [SessionSummary]) async throws(EventStoreError) -> Int

    /// Returns the sums of sessions whose standing is `confirmed` and that count on their own, by
    /// host and currency.
    ///
    /// Marked sessions are excluded, and so are those that count with another: the caller must
    /// examine both. Rows without facts are excluded as well.
    ///
    /// - Parameter query: When the sessions were opened and where they come from; its other members
    ///   are ignored.
    /// - Returns: The sums.
    /// - Throws: ``EventStoreError``.
    func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum]

    /// Returns the sessions that ``confirmedSums(_:)`` excludes and that affect a sum: marked
    /// sessions and those that count with another, whatever their standing, and sessions whose
    /// standing is `intended`, `underWay` or `unknown`.
    ///
    /// A session whose standing is `none` affects a sum when it has a mark that is counted, or
    /// knows the amount of the session that counts with it.
    ///
    /// - Parameter query: When the sessions were opened and where they come from; its other members
    ///   are ignored.
    /// - Returns: All of these sessions.
    /// - Throws: ``EventStoreError``.
    func sessionsToSum(_ query: SessionQuery) async throws(EventStoreError) -> [SessionSummary]

    /// Returns the numbers of sessions that are over and have facts, by everything that
    /// ``EndedCount`` distinguishes.
    ///
    /// - Parameter query: When the sessions were opened and where they come from; its other members
    ///   are ignored.
    /// - Returns: The numbers.
    /// - Throws: ``EventStoreError``.
    func endedCounts(_ query: SessionQuery) async throws(EventStoreError) -> [EndedCount]

    /// Returns how many sessions with facts are open.
    ///
    /// - Parameter query: When the sessions were opened, where they come from, and their label; its
    ///   other members are ignored.
    /// - Returns: The number.
    /// - Throws: ``EventStoreError``.
    func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64

    /// Adds rows to the kept sums that these do not contain yet, because the sums were emptied.
    ///
    /// What was added stays when it is interrupted.
    ///
    /// ``confirmedSums(_:)`` and ``endedCounts(_:)`` are right meanwhile: they add up such rows
    /// themselves.
    ///
    /// - Parameter limit: The maximum number of rows.
    /// - Returns: Whether there may be more.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func sumRows(limit: Int) async throws(EventStoreError) -> Bool

    /// Empties the kept sums, so that ``sumRows(limit:)`` adds all rows again.
    ///
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func restartSums() async throws(EventStoreError)

    /// Compares the kept sums with the rows.
    ///
    /// - Parameter query: When the sessions were opened, in whole hours; its other members are
    ///   ignored.
    /// - Returns: What was found.
    /// - Throws: ``EventStoreError``.
    func sumsCheck(_ query: SessionQuery) async throws(EventStoreError) -> SumsCheck
}

extension FactsStore {
    /// Returns 0: by default a store answers from the rows that appends write.
    public func projectionLag() async throws(EventStoreError) -> Int64 { 0 }

    /// Returns 0: by default a store answers from the rows that appends write.
    public func catchUp() async -> Int64 { 0 }

    /// Does nothing: by default a store answers from the rows that appends write.
    public func project(limit: Int) async throws(EventStoreError) -> Bool { true }

    /// Does nothing: by default a store answers from the rows that appends write.
    public func repairLists(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> SessionID? { nil }
}
