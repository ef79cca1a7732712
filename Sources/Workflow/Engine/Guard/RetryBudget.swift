/// How many repetitions a host may be asked for: a share of the first requests, so that an outage does
/// not multiply the load that caused it.
///
/// A bucket of tokens without a clock: each first request puts in a part of a token, each
/// repetition takes out a whole one.
public struct RetryBudget: Hashable, Sendable {
    /// How large it is; each value has a default.
    public struct Limits: Hashable, Sendable {
        /// How many repetitions a hundred first requests pay for.
        public var percent = 20
        /// How many repetitions it can save up, which is also what it begins with.
        public var capacity = 100

        /// The defaults, to be changed member by member.
        public init() {}
    }

    private let limits: Limits
    /// In hundredths of a token.
    private var balance: Int

    /// A full budget.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        balance = limits.capacity * 100
    }

    /// A request is made for the first time.
    public mutating func deposit() {
        balance = min(limits.capacity * 100, balance + limits.percent)
    }

    /// Asks whether a request may be repeated now.
    public mutating func withdraw() -> Bool {
        guard balance >= 100 else { return false }
        balance -= 100
        return true
    }
}
