/// What a problem means for those who have to deal with it.
public struct ProblemAdvice: Hashable, Sendable {
    /// Who has to do something.
    public var actor: Actor
    /// Whether repeating the unchanged request later can help.
    ///
    /// Of a request whose outcome is uncertain the state is read first, whatever this says.
    public var isRetryable: Bool
    /// Whether the session is read before the request is repeated, even where its outcome is certain.
    ///
    /// This can only ask for more care: what may have taken effect is never repeated without reading first.
    public var asksFirst: Bool
    /// How long to wait at least: before the request is repeated or, where it is not, before the same instrument is
    /// tried again.
    ///
    /// A `Retry-After` of the PSP counts instead.
    public var delay: Duration
    /// How often, or for how long, the request is sent.
    public var cap: RetryCap
    /// Whether another try to pay makes sense.
    public var newAttempt: NewAttempt
    /// What a merchant may do who charged a stored token and was refused like this; nothing stands for another try within the
    /// limits of the card schemes.
    public var chargeAgain: ChargeAgain?
    /// The card schemes' limits of failed charges that this kind of problem tells were reached.
    public var chargeLimits: [ChargeLimit]
    /// What the payer may be told; never the PSP's own words.
    public var payerMessage: String
    /// What somebody who looks into it should know and do.
    public var operatorMessage: String
    /// Whether the catalogue has the kind of problem itself, not merely its family or status class.
    public var isKnown: Bool

    /// Whether another try to pay makes sense after a problem.
    public enum NewAttempt: String, Hashable, Sendable, CaseIterable {
        /// With the same instrument or another one.
        case any
        /// Only with another card or method.
        case other
        /// Something has to be put right first.
        case never = "none"
    }

    /// What a merchant may do after a charge of a stored token was refused, where that is not simply another try.
    ///
    /// - Note: Source: problem catalogue, limits for merchant-initiated card payments.
    public enum ChargeAgain: String, Hashable, Sendable, CaseIterable {
        /// The token must not be charged again.
        case never
        /// The card is blocked for as long as ``ProblemAdvice/delay`` says.
        case later
        /// The payer has to pay, with 3-D Secure; the token alone is refused.
        case withPayer
    }

    /// An advice with these members.
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

/// How many charges of one card without its payer may fail in a time before a card scheme blocks the card.
///
/// They are counted by acquiring agreement and card number, over all tokens and orders.
///
/// - Note: Source: problem catalogue, limits for merchant-initiated card payments.
public struct ChargeLimit: Hashable, Sendable {
    /// The card scheme.
    public var scheme: String
    /// How many may fail.
    public var failures: Int
    /// In which time.
    public var window: Duration

    /// A limit of a scheme.
    public init(scheme: String, failures: Int, window: Duration) {
        self.scheme = scheme
        self.failures = failures
        self.window = window
    }
}

extension ProblemAdvice {
    /// The statuses that ask to wait.
    static let waitingStatuses: Set<Int> = [408, 425, 429]

    /// The advice for a problem of which nothing is known but a status.
    ///
    /// Statuses from 400 to 499 are the merchant's to put right, but for those that ask to wait; all
    /// others are the PSP's. What is neither a refusal nor a failure of the PSP is not repeated without a person.
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
                    "The PSP asked to wait; go on no sooner than its Retry-After says.",
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
                    "The PSP or the way to it failed; back off, read the state, then try again.",
                isKnown: false
            )
        }
    }
}
