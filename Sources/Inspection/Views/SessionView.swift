public import EventLog
public import SwedbankPay

/// A session as clients, the command line and services are shown it.
///
/// The member names and the JSON form are a contract: `Schemas/session-view.schema.json`.
public struct SessionView: Sendable {
    /// The session.
    public var session: SessionID
    /// Where it stands.
    public var phase: Phase
    /// Whether nothing is outstanding on the engine's side.
    public var settled: Bool
    /// How it ended.
    public var outcome: Outcome?
    /// Whether a person ended it, who does not speak for the PSP.
    public var isClosedByHand: Bool
    /// What is known of the money.
    public var money: Money
    /// What the payer may be told, and whether another try makes sense.
    public var guidance: PayerGuidance
    /// The last event's place.
    public var lastSeq: Int64
    /// The merchant's reference.
    public var reference: String?
    /// The payer's language and region.
    public var culture: String?
    /// What the payer can choose.
    public var methods: [MethodOffer]
    /// The attempt under way, or the one that the session ended with.
    public var attempt: AttemptView?
    /// What the client has to do.
    public var actions: [ActionView]
    /// The problem that the payer has not moved on from.
    public var problem: StandingProblem?
    /// What the problem means for the payer, by the catalogue of the rules.
    public var advice: ProblemAdvice?
    /// Whether the payment order was read and says that it is paid; nothing while that is open, and where nobody reads it.
    public var confirmed: Bool?
    /// What only checkouts have.
    public var checkout: CheckoutView?
    /// How sealed values are shown.
    package let disclosure: Disclosure

    /// One try to pay, as clients are shown it.
    public struct AttemptView: Hashable, Sendable {
        /// Counted from 1.
        public var number: Int
        /// The instrument and method.
        public var choice: Choice
        /// For a wallet whose token was handed in: what the PSP answered to it, which the wallet's sheet shows.
        public var walletVerdict: WalletVerdict?
    }

    /// The view of a state.
    ///
    /// - Parameters:
    ///   - state: The fold of a session's events.
    ///   - decider: The rules, which know where it stands.
    ///   - disclosure: Whether the plaintexts that are at hand are shown.
    ///   - actionDisclosure: The same for what the client needs in order to act; nothing means as everything else.
    public init(
        _ state: SessionState,
        by decider: SessionDecider,
        disclosing disclosure: Disclosure,
        actions actionDisclosure: Disclosure? = nil
    ) {
        session = state.session
        phase = decider.phase(of: state)
        settled = decider.isSettled(state)
        outcome = state.outcome
        isClosedByHand = state.isClosedByHand
        money = state.money
        guidance = decider.guidance(for: state)
        lastSeq = state.sequence
        reference = state.reference
        culture = state.payment?.snapshot?.culture ?? state.checkout?.opening.terms.language
        confirmed =
            state.confirmation != nil
            ? true : state.outcome == .completed && state.knowsOrder ? false : nil
        checkout = state.checkout.map { CheckoutView($0, in: state, disclosing: disclosure) }
        methods = state.offers
        problem = state.problem
        advice = decider.advice(onStandingProblemOf: state)
        self.disclosure = disclosure
        attempt = state.payment.flatMap { AttemptView(in: $0) }
        actions = state.actions.filter(\.isOpen).map {
            ActionView(
                $0,
                in: state,
                by: decider,
                disclosing: actionDisclosure ?? disclosure
            )
        }
    }
}

extension SessionView.AttemptView {
    /// The attempt under way, or the one that the session ended with.
    init?(in payment: PaymentState) {
        if let running = payment.attempt {
            (number, choice) = (running.number, running.choice)
        } else if payment.outcome != nil, let choice = payment.lastChoice {
            (number, self.choice) = (payment.attemptCount, choice)
        } else {
            return nil
        }
        let ofAttempt = payment.actions.filter { [number] in $0.attempt == number }
        walletVerdict = ofAttempt.last { $0.verdict != nil }?.verdict
    }
}
