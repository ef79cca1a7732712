internal import EventLog

/// What the events so far say of a session's money: the part of the state that ``Money`` is read from.
///
/// It holds what was shown and what is in doubt, not what it means: that is ``SessionState/money``.
struct MoneyBook: Hashable, Sendable {
    /// What is in doubt, the oldest first.
    var doubts: [MoneyDoubt] = []
    /// The newest answer that shows how the session or order stands.
    var answer: Answer?
    /// What that answer of a native session shows.
    var shown = Shown.nothing
    /// When the newest request that changes something left.
    var requestLeftAt: Instant?
    /// The newest event that may have moved money or say that it moved, but for answers; 0 before the first.
    var activity: Int64 = 0
    /// What a person found out, until an answer or a new doubt says more.
    var finding: Finding?
    /// The amount that is to be paid, and its currency, as they were named last.
    var amount: Int64?
    var currency: String?
    /// How the money stood after the last event, since when, and the event that changed it.
    var standing = Money.Standing.intended
    var since: Instant?
    var sequence: Int64 = 0

    /// An answer of the PSP's.
    struct Answer: Hashable, Sendable {
        /// The event that keeps it.
        var sequence: Int64
        /// When it came.
        var at: Instant
    }

    /// What the PSP's view of a native session shows.
    enum Shown: Hashable, Sendable {
        /// No view was read.
        case nothing
        /// Nothing is under way.
        case idle
        /// An attempt is under way, whoever began it.
        case running
        /// The session is over, and paid.
        case paid
        /// The session is over, and not paid.
        case unpaid
    }

    /// What a person found out.
    struct Finding: Hashable, Sendable {
        var resolution: MoneyResolution
        var sequence: Int64
        var at: Instant
    }

    /// How long a request may take effect after it left, at the PSP or on its way: as long as nobody waits for any answer
    /// any more, and as long again.
    ///
    /// An answer to a reading that left earlier does not show what such a request still does.
    static let settlingTime: Duration = .seconds(60)

    /// How old the newest answer may be where a session ends unpaid.
    static let freshness: Duration = .seconds(60)

    /// Whether an answer was read at the end that comes now, after all that may have moved money.
    func isAnswered(at now: Instant) -> Bool {
        guard let answer else { return false }
        return answer.sequence > activity && now - answer.at <= Self.freshness
    }

    /// Whether the newest answer was read so long after every request that changes something that it shows what they did.
    var isAnsweredLongAfterRequests: Bool {
        guard let answer, let requestLeftAt else { return false }
        // The reading itself left at most so long before its answer came.
        return answer.at - requestLeftAt >= Self.settlingTime + Self.settlingTime
    }

    mutating func doubt(
        _ cause: MoneyDoubt.Cause,
        attempt: Int? = nil,
        sentAt: Instant? = nil,
        _ sequence: Int64,
        at now: Instant
    ) {
        finding = nil
        doubts.append(
            MoneyDoubt(
                cause: cause,
                attempt: attempt,
                sequence: sequence,
                at: now,
                sentAt: sentAt
            )
        )
    }

    /// An answer says that nothing is under way: it resolves what it can have seen.
    ///
    /// - Parameter left: When the request left that was answered.
    mutating func resolve(by left: Instant) {
        guard !doubts.isEmpty else { return }
        doubts.removeAll { doubt in
            doubt.resolvableAt.map { left >= $0 } ?? false
        }
    }
}

extension MoneyDoubt {
    /// From when on a reading shows what came of it; nil where a view without an attempt shows nothing about it.
    var resolvableAt: Instant? {
        switch cause {
        case .request: (sentAt ?? at) + MoneyBook.settlingTime
        case .refused, .attempt: at
        case .clientsWord, .transaction, .end: nil
        }
    }
}

extension MoneyBook.Shown {
    init(_ snapshot: Snapshot) {
        switch snapshot.end {
        case .complete: self = .paid
        case .cancel: self = .unpaid
        case .payment, .elsewhere, .unreadable, nil:
            self = snapshot.showsPaymentUnderWay ? .running : .idle
        }
    }
}
