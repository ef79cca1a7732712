internal import EventLog

/// Limits retries to a host to a share of the first tries, so that an outage does not multiply the
/// load that caused it.
///
/// It is a token bucket: each first try adds a fraction of a token, each second adds a few tokens,
/// and each retry removes one token and returns it when the host responds. A healthy host can
/// therefore be retried as often as necessary, even when after an outage only retries remain to be
/// sent; only failing retries use up the budget. It has no clock: the time is passed in with every
/// call.
public struct RetryBudget: Hashable, Sendable {
    /// The size of the budget.
    public struct Limits: Hashable, Sendable {
        /// The number of retries that a hundred first tries pay for.
        public var percent = 20
        /// The number of retries that each second pays for.
        public var perSecond = 10
        /// The maximum number of retries that can be saved, which is also the initial number.
        public var capacity = 100

        /// Creates limits with the default values.
        public init() {}
    }

    private let limits: Limits
    /// The balance in millionths of a token.
    private var balance: Int64
    /// The time up to which tokens for elapsed seconds have been added.
    private var paidUntil: CircuitBreaker.Time?

    /// Creates a full budget.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        balance = Int64(limits.capacity) * Self.token
    }

    private static let token: Int64 = 1_000_000

    /// Adds the share for a request that is sent for the first time.
    public mutating func deposit() { add(Int64(limits.percent) * Self.token / 100) }

    /// Removes a token for a retry, and returns whether there was one.
    public mutating func withdraw(at now: CircuitBreaker.Time) -> Bool {
        let elapsed = max((now - (paidUntil ?? now)).wholeMicroseconds, 0)
        // A token is a million millionths, and a second a million microseconds.
        let (earned, isMuch) = elapsed.multipliedReportingOverflow(by: Int64(limits.perSecond))
        add(isMuch ? .max : earned)
        paidUntil = now
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    /// Gives back the token of a retry that received a response or was never sent.
    public mutating func refund() { add(Self.token) }

    private mutating func add(_ amount: Int64) {
        let capacity = Int64(limits.capacity) * Self.token
        balance = amount >= capacity - balance ? capacity : balance + amount
    }
}
