/// What is known of a payment's money.
public enum MoneyStanding: String, Hashable, Sendable, CaseIterable {
    /// Nothing was taken, and nothing will be: the PSP says so, or nothing was ever begun.
    case none
    /// Somebody wants to pay; nothing is under way at the PSP that could take money.
    case intended
    /// Something was begun that may have taken money, and the PSP has not said what came of it.
    case unknown
    /// The PSP says that it is paid.
    case confirmed
}

/// The money of one session, as its log tells of it: how it stands, since when, and how much it is.
///
/// Exact, since it is a fold of the events: nothing is estimated, and an outcome that nobody knows stays unknown until the
/// PSP has said more, also after the session's end.
public struct MoneyAtRisk: Hashable, Sendable {
    /// What is known.
    public private(set) var standing = MoneyStanding.none
    /// Since when; nothing before the first event.
    public private(set) var since: Instant?
    /// The place of the event that said so last; 0 before the first.
    public private(set) var sequence: Int64 = 0
    /// The fold of the events.
    public private(set) var state: SessionState
    /// The amount in minor units, where the log says it: of an order always, of a native session only if a method names it.
    public private(set) var amount: Int64?
    /// The currency, where the log says it.
    public private(set) var currency: String?

    /// The money of a session that nothing has happened in.
    public init(session: SessionID) { state = SessionState(session: session) }

    /// The money after these events.
    public init(of session: SessionID, after events: some Sequence<RecordedEvent>) {
        self.init(session: session)
        for event in events { take(event) }
    }

    /// Takes the next event of the log.
    public mutating func take(_ recorded: RecordedEvent) {
        state.apply(recorded.event, at: recorded.at)
        note(recorded.event, at: recorded.at)
    }

    /// Takes an event after which the session is in a state.
    mutating func take(_ recorded: RecordedEvent, leadingTo state: SessionState) {
        self.state = state
        note(recorded.event, at: recorded.at)
    }

    private mutating func note(_ event: SessionEvent, at instant: Instant) {
        // What a later view leaves out stays known: an answer to a payment that is done names no methods.
        amount = namedAmount ?? amount
        currency = namedCurrency ?? currency
        let newest = standing(after: event)
        guard newest != standing || since == nil else { return }
        (standing, since, sequence) = (newest, instant, state.sequence)
    }

    private func standing(after event: SessionEvent) -> MoneyStanding {
        if state.confirmation != nil { return .confirmed }
        switch event {
        case .completed(let completed):
            return completed.evidence == .completeURLReached ? .unknown : .confirmed
        case .canceled: return .none
        case .failed(let failed) where failed.isByHand: return failed.money ?? standing
        // The order's own status is the PSP's word.
        case .failed(let failed) where failed.reason == .orderFailed: return .none
        // What may have been paid before the end is not known better by the end.
        case .failed, .expired: return standing == .unknown ? .unknown : .none
        default: break
        }
        guard state.outcome == nil else { return standing }
        return state.mayBePayingNow ? .unknown : .intended
    }

    /// The host of the PSP, or of the merchant backend before it.
    public var host: String? { state.opening?.host ?? state.checkout?.opening.host }

    private var namedCurrency: String? {
        state.confirmation?.currency ?? state.checkout?.order?.currency
            ?? state.checkout?.opening.terms.currency ?? state.snapshot?.particulars.currency
    }

    private var namedAmount: Int64? {
        if let amount = state.confirmation?.amount ?? state.checkout?.order?.amount {
            return amount
        }
        if let amount = state.checkout?.opening.terms.amount { return amount }
        let methods = state.snapshot?.methods ?? []
        let chosen = methods.first { $0.name == state.lastChoice?.method }?.amount
        return chosen ?? methods.lazy.compactMap(\.amount).first
    }
}

extension SessionState {
    /// Whether something is under way that may take money, or took it without our knowing.
    package var mayBePayingNow: Bool {
        if running?.start.rel == .startPaymentAttempt { return true }
        if let attempt, attempt.isStarted || attempt.mayHaveStarted { return true }
        if page != nil { return true }
        guard let checkout else { return false }
        return checkout.nativeSession != nil || checkout.left == .completed
            || actions.contains { action in
                guard action.isOpen, case .showMenu = action.kind else { return false }
                return true
            }
    }
}
