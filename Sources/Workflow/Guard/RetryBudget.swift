internal import EventLog

/// How many repetitions a host may be asked for: a share of the first requests, so that an outage does
/// not multiply the load that caused it.
///
/// A bucket of tokens: each first request puts in a part of a token, each second a few, each repetition takes out a whole
/// one and puts it back when the host answers it. So a host that works is asked as often as need be, also when everything
/// that is left to do after an outage is a repetition, and only failing repetitions use the budget up. It has no clock:
/// time comes in with every call.
public struct RetryBudget: Hashable, Sendable {
    /// How large it is; each value has a default.
    public struct Limits: Hashable, Sendable {
        /// How many repetitions a hundred first requests pay for.
        public var percent = 20
        /// How many repetitions a second pays for, whatever else happens.
        public var perSecond = 10
        /// How many repetitions it can save up, which is also what it begins with.
        public var capacity = 100

        /// The defaults, to be changed member by member.
        public init() {}
    }

    private let limits: Limits
    /// In millionths of a token.
    private var balance: Int64
    /// Up to when time has paid.
    private var paidUntil: CircuitBreaker.Time?

    /// A full budget.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        balance = Int64(limits.capacity) * Self.token
    }

    private static let token: Int64 = 1_000_000

    /// A request is made for the first time.
    public mutating func deposit() { add(Int64(limits.percent) * Self.token / 100) }

    /// Asks whether a request may be repeated now, and takes what that costs.
    public mutating func withdraw(at now: CircuitBreaker.Time) -> Bool {
        let elapsed = max((now - (paidUntil ?? now)).wholeMicroseconds, 0)
        // A token is a million millionths, a second a million microseconds.
        let (earned, isMuch) = elapsed.multipliedReportingOverflow(by: Int64(limits.perSecond))
        add(isMuch ? .max : earned)
        paidUntil = now
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    /// The repetition was answered, or never left: it costs nothing.
    public mutating func refund() { add(Self.token) }

    private mutating func add(_ amount: Int64) {
        let capacity = Int64(limits.capacity) * Self.token
        balance = amount >= capacity - balance ? capacity : balance + amount
    }
}
