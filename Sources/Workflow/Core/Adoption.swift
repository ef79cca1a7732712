internal import EventLog

/// Which due sessions an engine takes up, and how many at once.
///
/// It performs nothing itself. Whoever owns it lists due sessions, adopts what it chooses, and says
/// which sessions could not be adopted: these are not tried again before all others were.
struct Adoption: Sendable {
    /// How many sessions are wanted at a time.
    private let batch: Int
    /// How many due sessions are listed at most to find some that can be adopted.
    private let reach: Int
    /// Sessions that recently could not be adopted.
    private var refused: Set<SessionID> = []

    /// Creates the choices of an engine that has adopted nothing yet.
    ///
    /// - Parameters:
    ///   - batch: How many sessions are wanted at a time.
    ///   - reach: How many due sessions are listed at most.
    init(batch: Int, reach: Int = 4096) {
        (self.batch, self.reach) = (max(1, batch), max(1, reach))
    }

    /// What to do with a list of due sessions.
    enum Choice: Hashable, Sendable {
        /// List up to so many of them: those that cannot be adopted must not hide the ones after
        /// them.
        case list(Int)
        /// Adopt these, the longest overdue first.
        case adopt([SessionID])
    }

    /// The number of due sessions to list first.
    var firstLimit: Int { batch }

    /// Chooses among due sessions.
    ///
    /// - Parameters:
    ///   - found: The due sessions, the longest overdue first.
    ///   - limit: The maximum number that was listed.
    ///   - isTaken: Whether a session is in memory, or is not to be adopted for another reason.
    /// - Returns: What to do.
    mutating func choice(
        among found: [SessionID],
        limit: Int,
        _ isTaken: (SessionID) -> Bool
    ) -> Choice {
        let due = found.filter { !isTaken($0) && !refused.contains($0) }
        if due.count < batch, found.count >= limit, limit < reach {
            return .list(min(4 * limit, reach))
        }
        if due.isEmpty || refused.count >= reach { refused.removeAll() }
        return .adopt(Array(due.prefix(batch)))
    }

    /// A session could not be adopted here.
    mutating func refuse(_ session: SessionID) { refused.insert(session) }

    /// The sessions in waves: only a few at first, so that their requests are sent before the work
    /// on all others is done, and four times as many after each, whose reads and appends are
    /// batched.
    static func waves(of due: [SessionID]) -> [ArraySlice<SessionID>] {
        var (rest, size) = (due[...], firstWave)
        var waves: [ArraySlice<SessionID>] = []
        while !rest.isEmpty {
            waves.append(rest.prefix(size))
            rest = rest.dropFirst(size)
            size = min(4 * size, largestWave)
        }
        return waves
    }

    /// The number of sessions in the first wave.
    static let firstWave = 4
    /// The maximum number of sessions that are loaded at the same time.
    static let largestWave = 256
}
