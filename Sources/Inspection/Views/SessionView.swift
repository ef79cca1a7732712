public import EventLog
public import SwedbankPay

/// A session as shown to clients, services and on the command line.
///
/// The member names and the JSON form are a contract: `Schemas/session-view.schema.json`.
public struct SessionView: Sendable {
    /// The session.
    public var session: SessionID
    /// The phase of the session.
    public var phase: Phase
    /// Whether nothing is pending on the engine's side.
    public var settled: Bool
    /// The outcome, once the session has ended.
    public var outcome: Outcome?
    /// Whether an operator closed the session, without confirmation from the PSP.
    public var isClosedByHand: Bool
    /// The standing of the money.
    public var money: MoneyState
    /// The message for the payer, and whether a new attempt is reasonable.
    public var guidance: PayerGuidance
    /// The sequence number of the last event.
    public var lastSeq: SequenceNumber
    /// The merchant's reference.
    public var reference: String?
    /// The payer's language and region.
    public var culture: String?
    /// The methods that the payer can choose.
    public var methods: [MethodOffer]
    /// The attempt under way, or the last one of an ended session.
    public var attempt: AttemptView?
    /// The actions that the client has to perform.
    public var actions: [ActionView]
    /// The problem that the payer has not moved on from.
    public var problem: CurrentProblem?
    /// The meaning of the problem for the payer, according to the catalogue.
    public var advice: ProblemAdvice?
    /// Whether the payment order was read and is paid; `nil` before that is known, and when the
    /// order cannot be read.
    public var confirmed: Bool?
    /// The members that only checkouts have.
    public var checkout: CheckoutView?
    /// Whether the session was imported: it can be read here, but never driven, whatever its log
    /// says.
    package var isImported = false
    /// The other paid sessions of the same order, which may be duplicates.
    package var possibleDuplicates: [SessionID] = []
    /// The commands that the rules accept now: no other is proposed.
    package let accepts: AcceptedCommands
    /// Whether sealed values are shown.
    package let disclosure: Disclosure
    /// When the session was opened; `nil` before that.
    package let openedAt: Instant?

    /// An attempt as shown to clients.
    public struct AttemptView: Hashable, Sendable {
        /// The number of the attempt, from 1.
        public var number: Int
        /// The instrument and method.
        public var choice: Choice
        /// For a wallet whose token was submitted: the PSP's verdict, which the wallet's sheet
        /// shows.
        public var walletVerdict: WalletVerdict?
    }

    /// Creates the view of a state.
    ///
    /// - Parameters:
    ///   - state: The fold of a session's events.
    ///   - decider: The rules, which determine the phase.
    ///   - disclosure: Whether available plaintexts are shown.
    ///   - actionDisclosure: The same for what the client needs in order to act; `nil` means the
    ///     same as `disclosure`.
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
        confirmed = state.isConfirmed
        accepts = decider.acceptedCommands(in: state)
        checkout = state.checkout.map {
            CheckoutView($0, in: state, disclosing: disclosure)
        }
        methods = state.offers
        problem = state.problem
        advice = decider.advice(onStandingProblemOf: state)
        self.disclosure = disclosure
        openedAt = state.openedAt.microseconds > 0 ? state.openedAt : nil
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

extension SessionState {
    /// Whether the payment order was read and is paid; `nil` before that is known, and when the
    /// order cannot be read.
    var isConfirmed: Bool? {
        // What the PSP took back is not confirmed any more.
        self.confirmation != nil
            ? money.taken != nil : outcome == .completed && knowsOrder ? false : nil
    }
}

extension SessionView.AttemptView {
    /// The attempt under way, or the last one of an ended session.
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
