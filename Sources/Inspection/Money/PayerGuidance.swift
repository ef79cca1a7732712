public import SwedbankPay

/// The message for the payer, and whether a new attempt is reasonable.
///
/// This is the only table for views, stories and pages. It depends on the money first, and on the
/// problem only if the money permits, so that no payer is asked to pay again while money may have
/// been taken.
public struct PayerGuidance: Hashable, Sendable {
    /// The message for the payer, never the PSP's own; `nil` only when there is no payer, as for a
    /// charge of a stored token.
    public var message: String?
    /// Whether a new attempt makes sense.
    public var newAttempt: ProblemAdvice.NewAttempt

    /// Creates a guidance with these members.
    public init(message: String?, newAttempt: ProblemAdvice.NewAttempt) {
        self.message = message
        self.newAttempt = newAttempt
    }

    /// The message while it is unknown whether money was taken.
    public static let doNotPayAgain =
        "The payment is being checked. Please do not pay again yet."

    /// Derives the guidance from the money, a problem and the advice on it.
    ///
    /// The message is `nil` only while the payer's next step determines it.
    ///
    /// - Parameters:
    ///   - money: The standing of the money.
    ///   - outcome: How the session ended; `nil` while it has not.
    ///   - problem: The standing problem, with the advice of the catalogue and of the engine's own
    ///     kinds of problem.
    public init(
        money: MoneyState,
        outcome: Outcome?,
        problem: (problem: Problem, advice: ProblemAdvice)?
    ) {
        let mayPay = money.permitsRetry && outcome == nil
        newAttempt = mayPay ? problem?.advice.newAttempt ?? .any : .never
        message =
            money.isVerification
            ? Self.verification(money, problem)
            : Self.payment(money, outcome, problem)
    }

    private static func payment(
        _ money: MoneyState,
        _ outcome: Outcome?,
        _ problem: (problem: Problem, advice: ProblemAdvice)?
    ) -> String? {
        switch money.standing {
        case .unknown:
            // The payment itself is certain when only a later change is not.
            return money.taken != nil && !money.isContradicted ? done : doNotPayAgain
        case .confirmed:
            if let taken = money.taken, taken.net == 0 {
                return taken.reversed ?? 0 > 0 ? refunded : released
            }
            // Without an amount, all of it was refunded.
            if money.finding == .refunded, money.taken?.net == nil { return refunded }
            if money.finding == .refunded { return refundedInPart }
            return outcome == .completed && problem == nil ? paid : done
        case .underWay: return problem.map { goingOn($0.problem) }
        case .none: return over(outcome, problem?.problem)
        case .intended: return problem?.advice.payerMessage
        }
    }

    /// A verification never includes a charge.
    private static func verification(
        _ money: MoneyState,
        _ problem: (problem: Problem, advice: ProblemAdvice)?
    ) -> String? {
        switch money.standing {
        case .unknown where money.taken == nil: beingVerified
        case .underWay: problem == nil ? nil : beingVerified
        case .confirmed, .unknown: verified
        case .none: notVerified
        case .intended: problem?.advice.payerMessage
        }
    }

    /// The message after an end when nothing can be read that would show whether money was taken.
    static let notToBeFound =
        "We could not find out whether you have paid. Please ask the shop before you pay again."
    private static let beingVerified =
        "Your details are being verified. Nothing is charged. Please wait."
    private static let notVerified =
        "Your details were not verified, and nothing was charged. Please start again."
    private static let paid = "The payment went through."
    private static let done = "The payment went through. Please do not pay again."
    private static let verified = "Your details were verified. Nothing was charged."
    private static let refunded = "The payment was refunded."
    private static let refundedInPart = "Part of the payment was refunded."
    private static let released = "The payment was canceled, and nothing was charged."

    fileprivate static let unfinished =
        "The payment is not finished yet. If you have paid, please wait and do not pay again."

    /// The message while the payment is in progress: how to continue it, never to start another
    /// one.
    private static func goingOn(_ problem: Problem) -> String {
        switch problem.kind {
        case .threeDSLoadFailed:
            "The bank's page could not be opened. Please try to open it again."
        case .challengeClosed:
            "The bank's check is not finished. Please open the bank's page again to continue."
        case .appLaunchFailed:
            "We could not open the payment app. Please open it yourself to continue."
        case .deadlineExceeded: unfinished
        case .abortNotAllowed: "The payment is being processed and cannot be canceled now."
        case .requestFailed, .inconsistency, .endReached, .configurationFailed,
            .methodNotAvailable, .walletFailed, .menuFailed, .checkInFailed, .orderMismatch,
            .notConfirmed, .paymentWithdrawn, nil:
            doNotPayAgain
        }
    }

    /// The message while there is no problem: what the payer must do, or that they only have to
    /// wait.
    fileprivate static func request(_ turn: Story.Turn, _ money: MoneyState) -> String {
        switch turn {
        case .payer(.app(let scheme)):
            "Please open the \(Instrument(appScheme: scheme)?.label ?? "payment") app "
                + "and approve the payment there."
        case .payer(.challenge):
            "Please confirm the payment on your bank's page, or in your bank's app."
        case .payer(.wallet(let name)):
            "Please approve the payment in \(Instrument(offering: name).label)."
        case .payer(.page): "Please finish the payment on the open page."
        case .payer(.checkIn):
            "Please identify yourself on the open page, or continue as a guest."
        case .payer(nil) where money.permitsRetry: "Please choose how to pay."
        case .payer(.methodCall), .payer(nil), .psp, .engine, .merchant, .support, .nobody:
            if money.permitsRetry {
                "Please wait a moment."
            } else if money.isVerification {
                beingVerified
            } else {
                "The payment is being processed. Please wait, and do not pay again."
            }
        }
    }

    /// The message after the end when no money was taken.
    private static func over(_ outcome: Outcome?, _ problem: Problem?) -> String {
        switch problem?.kind {
        case .configurationFailed, .orderMismatch, .paymentWithdrawn:
            return "Something went wrong. Please contact the shop."
        default: break
        }
        let end: String =
            switch outcome {
            case .canceled: "The payment was canceled"
            case .expired: "The time for this payment has passed"
            case .completed, .failed, nil: "This payment has ended"
            }
        return end + ", and nothing was charged. To pay, please start again."
    }
}

extension MoneyState {
    /// Whether something may be tried again: only while no money was taken and nothing is in
    /// progress that could take it.
    ///
    /// Everything that invites to pay, or says that something can be retried, depends on this.
    var permitsRetry: Bool { standing == .intended }
}

extension ProblemAdvice {
    /// Restricts the advice to what the state of the money permits.
    func guided(by guidance: PayerGuidance) -> ProblemAdvice {
        var advice = self
        advice.newAttempt = guidance.newAttempt
        advice.payerMessage = guidance.message ?? payerMessage
        return advice
    }
}

extension SessionDecider {
    /// Returns the message for the payer of a session now.
    public func guidance(for state: SessionState) -> PayerGuidance {
        // A charge of a stored token has no payer who could read a message or pay again.
        guard state.checkout?.chargesAtCreation != true else {
            return PayerGuidance(message: nil, newAttempt: .never)
        }
        var guidance = PayerGuidance(
            money: state.money,
            outcome: state.outcome,
            problem: state.problem.flatMap { standing in
                // Why another device's attempt failed is not for this payer.
                if standing.problem.origin == .session,
                    state.payment?.isOnlyPaidElsewhere == true
                {
                    return nil
                }
                return catalogueAdvice(onStandingProblemOf: state).map { (standing.problem, $0) }
            }
        )
        if state.outcome == nil, state.problem?.problem.kind == .requestFailed,
            state.actions.contains(where: \.isOpen), state.money.standing == .underWay,
            state.money.doubts.isEmpty, !state.money.isVerification
        {
            // The payer can still finish on the page or in the app that is open.
            guidance.message = PayerGuidance.unfinished
        }
        if let outcome = state.outcome, outcome != .completed, !state.money.isVerification,
            state.money.standing == .unknown, state.checkout?.readsOrders == false
        {
            guidance.message = PayerGuidance.notToBeFound
        }
        if guidance.message == nil {
            guidance.message = PayerGuidance.request(turn(in: state), state.money)
        }
        return guidance
    }

    /// The advice on the current problem for those who see the session; what the payer may do
    /// depends on the state of the money first.
    func advice(onStandingProblemOf state: SessionState) -> ProblemAdvice? {
        catalogueAdvice(onStandingProblemOf: state)?.guided(by: guidance(for: state))
    }
}
