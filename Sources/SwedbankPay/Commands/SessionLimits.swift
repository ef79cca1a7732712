public import EventLog

/// The limits that the rules of a session apply; each has a default.
public struct SessionLimits: Hashable, Sendable {
    /// The initial time between two polls.
    ///
    /// - Note: Source: payment session API, polling: 2 s for the first 30 s, then growing to 10 s.
    public var pollInterval: Duration = .seconds(2)
    /// The duration for which polling uses its initial interval.
    public var quickPolling: Duration = .seconds(30)
    /// The longest time between two polls.
    public var longestPollInterval: Duration = .seconds(10)
    /// The time limit of a Swish attempt.
    public var swishAttempt: Duration = .seconds(600)
    /// The time limit of an attempt with any other instrument.
    public var attempt: Duration = .seconds(900)
    /// The time limit of the invisible 3-D Secure method request.
    public var threeDSMethod: Duration = .seconds(10)
    /// The time limit of a session.
    public var session: Duration = .seconds(24 * 3600)
    /// The time limit of a request.
    ///
    /// - Note: Source: payment session API, transport rules.
    public var requestDeadline: Duration = .seconds(10)
    /// The time limit of requests for which the PSP contacts the card's issuer.
    public var cardRequestDeadline: Duration = .seconds(30)
    /// The time after its deadline in which a request may still take effect, although its response
    /// is no longer awaited.
    public var settling: Duration = .seconds(5)
    /// The maximum number of tries of one request.
    public var tries = 6
    /// The period in which failing requests are retried, for most operations.
    public var retryBudget: Duration = .seconds(20)
    /// The period in which the failing requests of a card payment are retried.
    public var cardRetryBudget: Duration = .seconds(30)
    /// The maximum number of tries of a problem's acknowledgement.
    public var acknowledgementTries = 3
    /// The maximum number of times that the PSP expands a method in one attempt; a failed request
    /// is bounded by ``tries``.
    public var expansions = 2
    /// The maximum number of times that the PSP changes the presentation in one attempt.
    public var customizations = 2
    /// The maximum number of times that the same request succeeds in a row without any progress of
    /// the session.
    public var repetitions = 3
    /// The number of reads after which a started attempt without an operation is considered failed.
    public var readsOfBegunAttempt = 3
    /// The number of reads of an unchanged session after the PSP accepted the abort.
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
    /// The time after the last activity for which an order with an open page is polled: one and a
    /// half times the period in which the PSP repeats its callbacks.
    ///
    /// - Note: Source: server callbacks, handling rules.
    public var orderBackstop: Duration = .seconds(1_900)
    /// The maximum number of consecutive refused captures, cancellations and reversals.
    ///
    /// - Note: Source: payment order API, capture: five failures in a row lock the order.
    public var refusedTransactions = 4
    /// The time in which the PSP performs a transaction that it accepted to perform later.
    ///
    /// - Note: Source: payment order API, reversal: banks take up to three days.
    public var acceptedTransaction: Duration = .seconds(3 * 86_400)
    /// The maximum number of client notes recorded about an order's page.
    public var notes = 200
    /// The number of PSP callbacks for an order after which its log accepts only one in each
    /// ``orderBackstop``.
    public var callbacks = 200
    /// The number of events of a checkout that are reserved for the engine itself.
    public var eventReserve = 200
    /// The sequence number of the last event that a session may have.
    public var events: SequenceNumber = 5000

    /// Creates limits with the default values.
    public init() {}

    /// The time limit of an attempt with an instrument.
    package func attemptLimit(with instrument: Instrument) -> Duration {
        instrument.hasSwishLimit ? swishAttempt : attempt
    }
}
