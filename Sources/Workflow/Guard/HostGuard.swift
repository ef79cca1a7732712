/// Spares hosts while they fail: a circuit breaker and a budget of repetitions for each.
///
/// A value without a clock or a lock: time comes in with every call, so that a simulated engine uses the very same
/// one. What an open breaker keeps back was certainly not sent, so it is safe to try again later, whatever it would
/// have changed. Only failures of the host as a whole count: no connection, no answer in time, and the statuses of a
/// gateway without a service behind it. A refusal of one session says nothing about others.
public struct HostGuard: Sendable {
    /// The code of a request that was kept back.
    public static let openCode = "http.circuit-open"
    /// The code of a repetition that the host's budget did not pay for.
    public static let budgetCode = "http.retry-budget"
    /// How many hosts are watched at the same time; calls to any further one are not guarded.
    public static let maximumHosts = 64

    /// Whether a request may leave.
    public enum Decision: Hashable, Sendable {
        /// It may; what comes of it is to be handed back with this permission.
        case admitted(CircuitBreaker.Admission)
        /// It is kept back, with this code.
        case refused(code: String)
        /// It may, and nobody counts it: too many hosts are watched.
        case unguarded
    }

    private let limits: CircuitBreaker.Limits
    private let budgetLimits: RetryBudget.Limits
    private var hosts: [String: Host] = [:]

    private struct Host: Sendable {
        var breaker: CircuitBreaker
        var budget: RetryBudget
    }

    /// A guard that knows no host.
    ///
    /// - Parameters:
    ///   - limits: When breakers open and for how long.
    ///   - budget: How many repetitions a host may be asked for.
    public init(
        limits: CircuitBreaker.Limits = CircuitBreaker.Limits(),
        budget: RetryBudget.Limits = RetryBudget.Limits()
    ) {
        self.limits = limits
        budgetLimits = budget
    }

    /// Asks whether a request to a host may leave.
    ///
    /// - Parameters:
    ///   - host: Which host, with its port.
    ///   - isRepetition: Whether the same step was tried before.
    ///   - now: The time.
    public mutating func admission(
        to host: String,
        isRepetition: Bool,
        at now: CircuitBreaker.Time
    ) -> Decision {
        if hosts[host] == nil {
            if hosts.count >= Self.maximumHosts {
                hosts = hosts.filter { !$0.value.breaker.isIdle }
            }
            guard hosts.count < Self.maximumHosts else { return .unguarded }
            hosts[host] = Host(
                breaker: CircuitBreaker(limits: limits),
                budget: RetryBudget(limits: budgetLimits)
            )
        }
        // The breaker first: what it keeps back costs nothing, and neither does the one request that finds out whether the
        // host is back, or a budget that is used up would keep everything back for ever.
        guard var admission = hosts[host]?.breaker.admit(at: now) else {
            return .refused(code: Self.openCode)
        }
        if admission.isTrial { return .admitted(admission) }
        if !isRepetition {
            hosts[host]?.budget.deposit()
        } else if hosts[host]?.budget.withdraw(at: now) == false {
            return .refused(code: Self.budgetCode)
        }
        admission.isPaid = isRepetition
        return .admitted(admission)
    }

    /// Records what came of an admitted request.
    ///
    /// - Parameters:
    ///   - result: What it says about the host.
    ///   - isFree: Whether it says nothing against the next repetition, or never left.
    /// - Returns: Whether the host's breaker has closed with that: it is back.
    @discardableResult
    public mutating func record(
        _ result: CircuitBreaker.Result,
        isFree: Bool,
        of admission: CircuitBreaker.Admission,
        to host: String,
        at now: CircuitBreaker.Time
    ) -> Bool {
        hosts[host]?.breaker.record(result, of: admission, at: now)
        if admission.isPaid, isFree { hosts[host]?.budget.refund() }
        return admission.isTrial && hosts[host]?.breaker.isIdle == true
    }
}
