/// The bounds that the rules of a session keep; each has a default.
public struct SessionLimits: Hashable, Sendable {
    /// The time between two polls at first.
    ///
    /// Source: payment session API, polling: 2 s for the first 30 s, then growing to 10 s.
    public var pollInterval: Duration = .seconds(2)
    /// How long polling keeps its first interval.
    public var quickPolling: Duration = .seconds(30)
    /// The longest time between two polls.
    public var longestPollInterval: Duration = .seconds(10)
    /// How long a Swish attempt may take.
    public var swishAttempt: Duration = .seconds(600)
    /// How long an attempt with any other instrument may take.
    public var attempt: Duration = .seconds(900)
    /// How long the invisible 3-D Secure method call may take.
    public var threeDSMethod: Duration = .seconds(10)
    /// How long a session may be open.
    public var session: Duration = .seconds(24 * 3600)
    /// How long a request may take.
    ///
    /// Source: payment session API, transport rules.
    public var requestDeadline: Duration = .seconds(10)
    /// The same for requests for which the PSP asks the card's issuer.
    public var cardRequestDeadline: Duration = .seconds(30)
    /// How long a request may still take effect after its deadline, where nobody waited for its answer.
    public var settling: Duration = .seconds(5)
    /// How often one request is tried.
    public var tries = 6
    /// How long failing requests are tried again, for most operations.
    public var retryBudget: Duration = .seconds(20)
    /// The same for the requests of a card payment.
    public var cardRetryBudget: Duration = .seconds(30)
    /// How often a problem's acknowledgement is tried.
    public var acknowledgementTries = 3
    /// How often a method is expanded in one attempt.
    public var expansions = 2
    /// How often the presentation is changed in one attempt.
    public var customizations = 2
    /// How often the same request may succeed in a row without the session moving on to something else.
    public var repetitions = 3
    /// How often an attempt that has begun and offers nothing is looked at before that is the end.
    public var looksAtBegunAttempt = 3
    /// How often the session is read, unchanged, after the PSP took the request to give up.
    public var readsAfterAbort = 5
    /// How many attempts a session may have.
    public var attempts = 50
    /// How many client actions a session may have.
    public var actions = 200
    /// The pauses before an order is read again whose payer has finished, while it is not paid.
    ///
    /// Source: payment order API, confirming an order.
    public var confirmationPauses: [Duration] = [
        .seconds(2), .seconds(5), .seconds(15), .seconds(60),
    ]
    /// How long after the last sign an order is looked at whose page is open: half as long again as the PSP repeats
    /// its callbacks.
    ///
    /// Source: server callbacks, handling rules.
    public var orderBackstop: Duration = .seconds(1_900)
    /// How many captures, cancellations and reversals in a row may be refused.
    ///
    /// Source: payment order API, capture: five failures in a row lock the order.
    public var refusedTransactions = 4
    /// How many notes of the client about an order's page are recorded.
    public var notes = 200
    /// How many calls of the PSP about an order are recorded.
    public var callbacks = 200
    /// How many events of a checkout are kept for what the engine itself has to record.
    public var eventReserve: Int64 = 200
    /// How many events a session may have.
    public var events: Int64 = 5000

    /// The defaults, to be changed member by member.
    public init() {}
}
