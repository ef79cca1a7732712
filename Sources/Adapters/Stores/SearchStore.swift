public import EventLog

/// A table of terms by which sessions are found.
///
/// Whoever searches first adds what was appended since; appending itself does not
/// touch it.
public protocol SearchStore: Sendable {
    /// How far the table follows the log; nil before it was begun.
    func searchProgress() async throws(EventStoreError) -> SearchProgress?

    /// Removes all terms, so that the table is filled again from the first record.
    ///
    /// - Parameter mark: By which rules and keys its terms are made from now on.
    func restartSearch(_ mark: String) async throws(EventStoreError)

    /// Adds terms and says how far the table follows the log, all or none.
    ///
    /// - Parameters:
    ///   - terms: Of each session; those that are there stay.
    ///   - progress: How far the terms reach. When the table has another mark by now nothing is written.
    func addTerms(
        _ terms: [SessionID: Set<String>],
        upTo progress: SearchProgress
    ) async throws(EventStoreError)

    /// The sessions that have a term which begins like one of these, newest first.
    ///
    /// - Parameter limit: How many terms are looked at for each beginning.
    func sessions(
        withTermsBeginning beginnings: [String],
        limit: Int
    ) async throws(EventStoreError) -> [SessionID]
}

/// How far a table of terms follows the log.
public struct SearchProgress: Hashable, Sendable {
    /// By which rules and keys the terms are made.
    public var mark: String
    /// The last position whose terms are in the table.
    public var position: Int64

    /// How a term begins that is of a sealed value: it is added only while the session has its key, and goes with the key.
    public static let blindKind = "b"

    /// Progress of a table.
    public init(mark: String, position: Int64) { (self.mark, self.position) = (mark, position) }
}
