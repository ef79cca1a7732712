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

    /// Returns the time of the first record that sums do not contain; `nil` when they contain all.
    func firstUnfollowed() async throws(EventStoreError) -> Instant?

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

    /// Returns the groups of a sum that the store keeps, in the order of their keys.
    ///
    /// Rows without facts of this build are in no sum.
    ///
    /// - Parameters:
    ///   - sum: The sum, as the store's read model declares it.
    ///   - query: When the sessions were opened and where they come from; its other members are
    ///     ignored.
    /// - Returns: The groups.
    /// - Throws: ``EventStoreError``.
    func sums(
        _ sum: ReadModel.Sum,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSum]

    /// Returns the sessions with facts that no sum says enough about: ``ReadModel/apart``.
    ///
    /// - Parameter query: When the sessions were opened and where they come from; its other members
    ///   are ignored.
    /// - Returns: All of these sessions.
    /// - Throws: ``EventStoreError``.
    func sessionsToSum(_ query: SessionQuery) async throws(EventStoreError) -> [SessionSummary]

    /// Returns how many sessions with facts are open.
    ///
    /// - Parameter query: When the sessions were opened, where they come from, and their label; its
    ///   other members are ignored.
    /// - Returns: The number.
    /// - Throws: ``EventStoreError``.
    func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64

    /// Adds up the sums of one day again, from the rows of the sessions that were opened in it.
    ///
    /// - Parameter day: The day before, as its first moment; `nil` for the first one.
    /// - Returns: The day; `nil` when there was no further one.
    /// - Throws: ``EventStoreError/readOnly`` for a store that can only be read.
    func recountSums(after day: Instant?) async throws(EventStoreError) -> Instant?

    /// Compares the kept sums with the rows.
    ///
    /// - Parameter query: When the sessions were opened, in whole hours; its other members are
    ///   ignored.
    /// - Returns: The hours of which a sum differs from its rows.
    /// - Throws: ``EventStoreError``.
    func sumFaults(_ query: SessionQuery) async throws(EventStoreError) -> [Instant]
}

extension FactsStore {
    /// Returns 0: by default a store answers from the rows that appends write.
    public func projectionLag() async throws(EventStoreError) -> Int64 { 0 }

    /// Returns 0: by default a store answers from the rows that appends write.
    public func catchUp() async -> Int64 { 0 }

    /// Returns `nil`: by default a store answers from the rows that appends write.
    public func firstUnfollowed() async throws(EventStoreError) -> Instant? { nil }

    /// Brings sums up to date as far as possible, and returns the moment up to which they contain
    /// everything: now, or an earlier one when some records could not be followed.
    public func asOf(_ now: Instant) async -> Instant {
        guard await catchUp() > 0, let first = try? await firstUnfollowed() else { return now }
        return min(first, now)
    }

    /// Does nothing: by default a store answers from the rows that appends write.
    public func project(limit: Int) async throws(EventStoreError) -> Bool { true }

    /// Does nothing: by default a store answers from the rows that appends write.
    public func repairLists(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> SessionID? { nil }
}
