internal import EventLog

/// The events so far as they concern a session's money: the part of the state from which
/// ``MoneyState`` is derived.
///
/// It holds what was shown and what is in doubt, but does not interpret it; ``SessionState/money``
/// does.
struct MoneyBook: Hashable, Sendable {
    /// The doubts, oldest first.
    var doubts: [MoneyDoubt] = []
    /// The newest response that shows the status of the session or order.
    var response: Response?
    /// The payment in that response, for a native session.
    var shown = Shown.nothing
    /// When the newest request that changes something was sent.
    var requestLeftAt: Instant?
    /// The newest event, other than a response, that may have moved money or reported that it
    /// moved; 0 before the first.
    var activity: SequenceNumber = 0
    /// An operator's finding, until a response or a new doubt supersedes it.
    var finding: Finding?
    /// A finding that counts once another person confirms it.
    var proposal: OperatorActed?
    /// The amount to be paid, and its currency, as last named.
    var amount: Amount?
    var currency: String?
    /// The standing after the last event, since when, and the event that changed it.
    var standing = MoneyState.Standing.intended
    var since: Instant?
    var sequence: SequenceNumber = 0

    /// When the newest response arrived that said that it is paid.
    var confirmedAt: Instant?
    /// Whether it was reported that a later response says otherwise.
    var isWithdrawalTold = false

    /// A response of the PSP.
    struct Response: Hashable, Sendable {
        /// The sequence number of the event that records it.
        var sequence: SequenceNumber
        /// When it arrived.
        var at: Instant
        /// When the request that it responds to was sent.
        var sentAt: Instant
    }

    /// The payment in the PSP's view of a native session.
    enum Shown: Hashable, Sendable {
        /// No view was read.
        case nothing
        /// No attempt is in progress.
        case idle
        /// An attempt is in progress, whoever started it.
        case running
        /// The session has ended and is paid.
        case paid
        /// The session has ended and is not paid.
        case unpaid
    }

    /// An operator's finding.
    struct Finding: Hashable, Sendable {
        var resolution: MoneyResolution
        var sequence: SequenceNumber
        var at: Instant
        /// Whether only captures, cancellations or reversals were in doubt: then the order's
        /// amounts stay as the PSP reports them.
        var isOfTransactions = false
    }

    /// Whether money is under way, or may have been taken.
    var mayBeTaken: Bool { standing == .underWay || standing == .unknown }

    /// The operator's finding about the whole payment; `nil` when there is none.
    var statement: Finding? { finding.flatMap { $0.isOfTransactions ? nil : $0 } }

    /// The time after it was sent in which a request may take effect: until its response is no
    /// longer awaited, and as long again.
    ///
    /// The response to a read that was sent earlier does not show what such a request may still do.
    static let settlingTime: Duration = .seconds(60)

    /// The maximum age of the newest response when a session ends unpaid.
    static let freshness: Duration = .seconds(60)

    /// Whether, at an ending now, a response was read after everything that may have moved money.
    ///
    /// - Parameters:
    ///   - now: The time of the ending.
    ///   - limit: The time before which the payer could still pay in any case; a read that was sent
    ///     earlier does not show what happened until then.
    /// - Returns: Whether the newest response shows how it ended.
    func isAnswered(at now: Instant, after limit: Instant? = nil) -> Bool {
        guard let response, limit.map({ response.sentAt >= $0 }) ?? true else { return false }
        return response.sequence > activity && now - response.at <= Self.freshness
    }

    /// Records a response.
    ///
    /// - Parameters:
    ///   - sequence: The sequence number of its event.
    ///   - now: When it arrived.
    ///   - spent: The duration of a read; `nil` when the request changed something.
    mutating func record(_ sequence: SequenceNumber, at now: Instant, spent: Duration?) {
        let sentAt = spent.map { now + (.zero - $0) } ?? requestLeftAt ?? now
        response = Response(sequence: sequence, at: now, sentAt: sentAt)
    }

    /// Whether the newest response was read so long after every request that changes something that
    /// it shows their results.
    var hasResponseLongAfterRequests: Bool {
        guard let response, let requestLeftAt else { return false }
        // The read itself was sent at most this long before its response arrived.
        return response.at - requestLeftAt >= Self.settlingTime + Self.settlingTime
    }

    mutating func doubt(
        _ cause: MoneyDoubt.Cause,
        attempt: Int? = nil,
        sentAt: Instant? = nil,
        amount: Amount? = nil,
        _ sequence: SequenceNumber,
        at now: Instant
    ) {
        precondition(sequence > 0, "a doubt before the first event")
        precondition(doubts.last.map { $0.sequence <= sequence } ?? true, "doubts out of order")
        finding = nil
        doubts.append(
            MoneyDoubt(
                cause: cause,
                attempt: attempt,
                sequence: sequence,
                at: now,
                sentAt: sentAt,
                amount: amount
            )
        )
    }

    /// Checks what holds after every event, whatever a log says.
    func check(at last: SequenceNumber, _ now: Instant) {
        precondition(finding == nil || doubts.isEmpty, "a finding beside \(doubts.count) doubts")
        precondition(activity <= last && sequence <= last, "money moved after event \(last)")
        precondition(
            response.map { $0.sequence <= last && $0.at <= now } ?? true,
            "a response after event \(last)"
        )
        precondition(requestLeftAt.map { $0 <= now } ?? true, "a request after event \(last)")
    }

    /// Removes the doubts that are resolved by a response without an attempt in progress.
    ///
    /// - Parameter left: When the request was sent that received the response.
    mutating func resolve(by left: Instant) {
        guard !doubts.isEmpty else { return }
        doubts.removeAll { doubt in
            doubt.resolvableAt.map { left >= $0 } ?? false
        }
    }
}

extension MoneyDoubt {
    /// The time from which a read shows the result; `nil` when a view without an attempt does not
    /// show it.
    var resolvableAt: Instant? {
        switch cause {
        case .request: (sentAt ?? at) + MoneyBook.settlingTime
        case .refused, .attempt: at
        case .clientsWord, .transaction, .end, .unknownTransaction, .lostTransaction,
            .contradiction:
            nil
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
