/// The limits that the rules of a session apply; each has a default.
public struct SessionLimits: Hashable, Sendable {
    /// The initial time between two polls.
    ///
    /// - Note: Source: payment session API, polling: 2 s for the first 30 s, then growing to 10 s.
    public var pollInterval: Duration = .seconds(2)
    /// How long polling uses its initial interval.
    public var quickPolling: Duration = .seconds(30)
    /// The longest time between two polls.
    public var longestPollInterval: Duration = .seconds(10)
    /// How long a Swish attempt may take.
    public var swishAttempt: Duration = .seconds(600)
    /// How long an attempt with any other instrument may take.
    public var attempt: Duration = .seconds(900)
    /// How long the invisible 3-D Secure method request may take.
    public var threeDSMethod: Duration = .seconds(10)
    /// How long a session may be open.
    public var session: Duration = .seconds(24 * 3600)
    /// The time limit of a request.
    ///
    /// - Note: Source: payment session API, transport rules.
    public var requestDeadline: Duration = .seconds(10)
    /// The time limit of requests for which the PSP contacts the card's issuer.
    public var cardRequestDeadline: Duration = .seconds(30)
    /// How long a request may still take effect after its deadline, where nobody waited for its
    /// response.
    public var settling: Duration = .seconds(5)
    /// How often one request is tried.
    public var tries = 6
    /// How long failing requests are retried, for most operations.
    public var retryBudget: Duration = .seconds(20)
    /// How long the failing requests of a card payment are retried.
    public var cardRetryBudget: Duration = .seconds(30)
    /// How often a problem's acknowledgement is tried.
    public var acknowledgementTries = 3
    /// How often a method is expanded in one attempt.
    public var expansions = 2
    /// How often the presentation is changed in one attempt.
    public var customizations = 2
    /// How often the same request may succeed in a row without the session moving on to something
    /// else.
    public var repetitions = 3
    /// How often an attempt that has started and offers no operation is read before it is
    /// considered failed.
    public var looksAtBegunAttempt = 3
    /// How often the session is read, unchanged, after the PSP accepted the abort.
    public var readsAfterAbort = 5
    /// The maximum number of attempts in a session.
    public var attempts = 50
    /// The maximum number of client actions in a session.
    public var actions = 200
    /// The pauses before reading an order again whose payer has finished but which is not paid.
    ///
    /// - Note: Source: payment order API, confirming an order.
    public var confirmationPauses: [Duration] = [
        .seconds(2), .seconds(5), .seconds(15), .seconds(60),
    ]
    /// How long after the last activity an order with an open page is polled: one and a half times
    /// the period for which the PSP repeats its callbacks.
    ///
    /// - Note: Source: server callbacks, handling rules.
    public var orderBackstop: Duration = .seconds(1_900)
    /// The maximum number of consecutive refused captures, cancellations and reversals.
    ///
    /// - Note: Source: payment order API, capture: five failures in a row lock the order.
    public var refusedTransactions = 4
    /// The maximum number of client notes recorded about an order's page.
    public var notes = 200
    /// The maximum number of PSP callbacks recorded for an order.
    public var callbacks = 200
    /// How many events of a checkout are reserved for what the engine itself has to record.
    public var eventReserve: Int64 = 200
    /// The maximum number of events in a session.
    public var events: Int64 = 5000

    /// Creates limits with the default values.
    public init() {}
}
