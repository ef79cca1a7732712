/// A table of terms by which sessions are found.
///
/// It follows the log: whoever searches, or a process that does only this, adds what was appended
/// since the last update. Appending itself does not update the table.
public protocol SearchStore: Sendable {
    /// Returns how far the table has followed the log; `nil` before it was started.
    func searchProgress() async throws(EventStoreError) -> SearchProgress?

    /// Removes all terms, so that the table is filled again from the first record.
    ///
    /// There is no progress until they are removed. When another process began the table again
    /// meanwhile, that one stays.
    ///
    /// - Parameter mark: Identifies the rules and keys with which the terms are created from now
    ///   on.
    /// - Throws: ``EventStoreError``.
    func restartSearch(_ mark: String) async throws(EventStoreError)

    /// Adds terms and records how far the table has followed the log, all or nothing.
    ///
    /// - Parameters:
    ///   - terms: The terms of each session; existing ones stay.
    ///   - erased: The sessions whose existing terms are removed first, because the log says that
    ///     they were erased.
    ///   - progress: The log position that the terms reach. When the table has another mark by now,
    ///     or has followed the log further, nothing is written: others have added these terms, and
    ///     may have removed them again. In a store with several lanes, each session's lane decides.
    /// - Throws: ``EventStoreError``.
    func addTerms(
        _ terms: [SessionID: Set<String>],
        erased: Set<SessionID>,
        upTo progress: SearchProgress
    ) async throws(EventStoreError)

    /// Returns the sessions that have a term with one of these prefixes, newest first.
    ///
    /// Of each prefix, the first ``maximumTermsExamined`` terms of sessions of that time are
    /// examined, in the order of the terms. Only when there are more may newer sessions be missing.
    ///
    /// - Parameters:
    ///   - beginnings: The prefixes.
    ///   - since: Only sessions opened at this time or later; `nil` for all.
    ///   - until: Only sessions opened before this time; `nil` for all.
    ///   - limit: The maximum number of sessions, the newest of those examined.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    func sessions(
        withTermsBeginning beginnings: [String],
        since: Instant?,
        until: Instant?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID]
}

extension SearchStore {
    /// The maximum number of terms that a search examines for each prefix.
    public static var maximumTermsExamined: Int { 100_000 }

    /// Returns the sessions of any time that have a term with one of these prefixes, newest first.
    public func sessions(
        withTermsBeginning beginnings: [String],
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        try await sessions(
            withTermsBeginning: beginnings,
            since: nil,
            until: nil,
            limit: limit
        )
    }
}

/// How far a table of terms has followed the log.
public struct SearchProgress: Hashable, Sendable {
    /// Identifies the rules and keys with which the terms are created.
    public var mark: String
    /// The last log position whose terms are in the table; `nil` for none.
    public var cursor: LogCursor?

    /// The prefix of terms for sealed values: such a term is added only while the session has its
    /// key, and removed with the key.
    public static let blindKind = "b"

    /// Creates a progress with these members.
    public init(mark: String, cursor: LogCursor?) { (self.mark, self.cursor) = (mark, cursor) }
}
