public import EventLog

/// What an engine knows of what others append to its store: what it asks next, and which sessions
/// in memory have to be read again.
///
/// It asks nothing itself. Whoever owns it asks the store for its change counter from time to time;
/// when there is news, it asks ``question`` and passes on the answer.
public struct Following: Sendable {
    /// A question to a store.
    public enum Question: Hashable, Sendable {
        /// The newest log position, and then the ends of the logs of all sessions in memory: in
        /// this order, so that no record falls in between.
        case ends
        /// The records after a log position.
        case changes(after: LogCursor, limit: Int)
    }

    /// What an engine has of a session.
    public enum Memory: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// Its log is being read, which may have missed the newest records.
        case loading
        /// Its log up to this record, or what is being appended to it.
        case upTo(SequenceNumber)
    }

    /// The maximum number of records read at once; the rest follows with the next question.
    private let batch: Int
    /// The change counter when everything was known; `nil` as long as there is more to ask.
    private var counter: Int64?
    /// The log position up to which everything was read; `nil` at first: sessions may already be
    /// in memory.
    private var cursor: LogCursor?
    /// The ends of logs that were being read when they were heard of: they are compared again.
    private var unlearned: [SessionID: SequenceNumber] = [:]

    /// Creates the knowledge of an engine that has asked nothing yet.
    public init(batch: Int = 4096) { self.batch = max(1, batch) }

    /// Whether there may be something new when the store's change counter has this value.
    public func hasNews(_ counter: Int64) -> Bool { counter != self.counter }

    /// What to ask the store now.
    public var question: Question {
        cursor.map { .changes(after: $0, limit: batch) } ?? .ends
    }

    /// Learns the answer to ``Question/changes(after:limit:)``.
    ///
    /// - Parameters:
    ///   - changes: The answer.
    ///   - counter: The change counter before the question.
    ///   - memory: What the engine has of a session.
    /// - Returns: The sessions in memory to which others have appended.
    public mutating func learn(
        _ changes: StoreChanges,
        counter: Int64,
        _ memory: (SessionID) -> Memory
    ) -> [SessionID] {
        unlearned.merge(changes.heads) { max($0, $1) }
        cursor = changes.cursor
        let behind = compare(memory)
        self.counter = changes.isComplete && unlearned.isEmpty ? counter : nil
        return behind
    }

    /// Learns the answer to ``Question/ends``.
    ///
    /// - Parameters:
    ///   - ends: The last sequence numbers of the sessions in memory.
    ///   - isWhole: Whether no end is missing, and no session's log was being read.
    ///   - newest: The newest log position before they were read; `nil` in a store that has no
    ///     order of all records.
    ///   - counter: The change counter before the question.
    ///   - memory: What the engine has of a session.
    /// - Returns: The sessions in memory to which others have appended.
    public mutating func learn(
        ends: [SessionID: SequenceNumber],
        isWhole: Bool,
        newest: LogCursor?,
        counter: Int64,
        _ memory: (SessionID) -> Memory
    ) -> [SessionID] {
        unlearned = ends
        let behind = compare(memory)
        let hasAll = isWhole && unlearned.isEmpty
        (cursor, self.counter) = hasAll ? (newest, counter) : (nil, nil)
        return behind
    }

    /// Begins again with the ends of all logs: the store has refused the log position, since it is
    /// of another epoch or of an earlier state.
    public mutating func beginAgain() { (cursor, counter) = (nil, nil) }

    /// Compares the ends of logs with what is in memory, and keeps those of sessions that are
    /// being loaded.
    private mutating func compare(_ memory: (SessionID) -> Memory) -> [SessionID] {
        var behind: [SessionID] = []
        for (session, sequence) in unlearned.sorted(by: { $0.key < $1.key }) {
            switch memory(session) {
            case .loading: continue
            case .nothing: break
            // Up to this number the records are ours; if they are another writer's, our append ends
            // in a conflict.
            case .upTo(let mine): if sequence > mine { behind.append(session) }
            }
            unlearned[session] = nil
        }
        return behind
    }
}
