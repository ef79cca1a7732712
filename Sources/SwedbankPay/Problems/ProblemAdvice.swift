/// The meaning of a problem for those who have to deal with it.
public struct ProblemAdvice: Hashable, Sendable {
    /// The party that has to act.
    public var actor: Actor
    /// Whether repeating the unchanged request later can help.
    ///
    /// After a request whose outcome is unknown, the state is read first, regardless of this value.
    public var isRetryable: Bool
    /// Whether the session is read before the request is repeated, even if its outcome is certain.
    ///
    /// This can only add caution: what may have taken effect is never repeated without reading
    /// first.
    public var asksFirst: Bool
    /// The minimum wait before the request is repeated or, if it is not, before the same instrument
    /// is tried again.
    ///
    /// A `Retry-After` of the PSP takes precedence.
    public var delay: Duration
    /// The maximum number of tries of the request, or the period in which they are made.
    public var cap: RetryCap
    /// Whether another try to pay makes sense.
    public var newAttempt: NewAttempt
    /// What a merchant may do after a charge of a stored token was refused in this way; `nil` means
    /// another try within the limits of the card schemes.
    public var chargeAgain: ChargeAgain?
    /// The limits of the card schemes on failed charges that this kind of problem shows to have
    /// been reached.
    public var chargeLimits: [ChargeLimit]
    /// The text for the payer; never the PSP's own message.
    public var payerMessage: String
    /// The information and the instructions for operators.
    public var operatorMessage: String
    /// Whether the catalogue contains the kind of problem itself, not merely its family or status
    /// class.
    public var isKnown: Bool

    /// Whether another try to pay makes sense after a problem.
    public enum NewAttempt: String, Hashable, Sendable, CaseIterable {
        /// Yes, with the same instrument or another one.
        case any
        /// Yes, but only with another card or method.
        case other
        /// No, something has to be corrected first.
        case never = "none"
    }

    /// What a merchant may do after a charge of a stored token was refused, when it is not simply
    /// another try.
    ///
    /// - Note: Source: problem catalogue, limits for merchant-initiated card payments.
    public enum ChargeAgain: String, Hashable, Sendable, CaseIterable {
        /// The token must not be charged again.
        case never
        /// The card is blocked for the duration of ``ProblemAdvice/delay``.
        case later
        /// The payer has to pay, with 3-D Secure; the token alone is refused.
        case withPayer
    }

    /// Creates advice with these members.
    public init(
        actor: Actor,
        isRetryable: Bool,
        asksFirst: Bool = false,
        delay: Duration = .zero,
        cap: RetryCap = RetryCap(),
        newAttempt: NewAttempt,
        chargeAgain: ChargeAgain? = nil,
        chargeLimits: [ChargeLimit] = [],
        payerMessage: String,
        operatorMessage: String,
        isKnown: Bool
    ) {
        self.actor = actor
        self.isRetryable = isRetryable
        self.asksFirst = asksFirst
        self.delay = delay
        self.cap = cap
        self.newAttempt = newAttempt
        self.chargeAgain = chargeAgain
        self.chargeLimits = chargeLimits
        self.payerMessage = payerMessage
        self.operatorMessage = operatorMessage
        self.isKnown = isKnown
    }
}

/// The number of failed charges of one card without its payer within a period after which a card
/// scheme blocks the card.
///
/// They are counted by acquiring agreement and card number, over all tokens and orders.
///
/// - Note: Source: problem catalogue, limits for merchant-initiated card payments.
public struct ChargeLimit: Hashable, Sendable {
    /// The card scheme.
    public var scheme: String
    /// The number of charges that may fail.
    public var failures: Int
    /// The period.
    public var window: Duration

    /// Creates a limit of a scheme.
    public init(scheme: String, failures: Int, window: Duration) {
        self.scheme = scheme
        self.failures = failures
        self.window = window
    }
}

extension ProblemAdvice {
    /// The statuses that request a delay.
    static let waitingStatuses: Set<Int> = [408, 425, 429]

    /// The advice for a problem when only its status is known.
    ///
    /// Statuses from 400 to 499 are for the merchant to correct, except for those that request a
    /// delay; all others are the PSP's. A problem that is neither a refusal nor a failure of the
    /// PSP is not repeated without an operator.
    ///
    /// - Note: Source: problem catalogue, lookup rules and parsing rules.
    package static func forStatusClass(of status: Int?) -> ProblemAdvice {
        switch status {
        case .some(let status) where waitingStatuses.contains(status):
            ProblemAdvice(
                actor: .psp,
                isRetryable: true,
                newAttempt: .any,
                payerMessage: "The payment service is busy. Please try again in a moment.",
                operatorMessage:
                    "The PSP asked the engine to wait; continue only after its Retry-After.",
                isKnown: false
            )
        case .some(400...499):
            ProblemAdvice(
                actor: .merchant,
                isRetryable: false,
                newAttempt: .any,
                payerMessage:
                    "This could not be completed. Try again or choose another way to pay.",
                operatorMessage:
                    "The PSP refused with a problem that is not in the catalogue; see its type and detail.",
                isKnown: false
            )
        default:
            ProblemAdvice(
                actor: .psp,
                isRetryable: true,
                asksFirst: true,
                cap: RetryCap(tries: (status ?? 0) >= 500 ? nil : 1),
                newAttempt: .any,
                payerMessage: "A technical problem occurred. Please try again in a moment.",
                operatorMessage:
                    "The PSP or the connection to it failed; wait, read the state, then try again.",
                isKnown: false
            )
        }
    }
}
