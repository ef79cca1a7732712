/// Protects hosts while they fail, with a circuit breaker and a retry budget for each.
///
/// It is a value without a clock or a lock: the time is passed in with every call, so that a
/// simulated engine uses the same code. A request that an open breaker refuses was certainly not
/// sent, so it is safe to try again later, whatever it would have changed. Only failures of the
/// host as a whole count: no connection, no timely response, and the status codes of a gateway
/// without a service behind it. A failure that concerns one session says nothing about others.
public struct HostGuard: Sendable {
    /// The code of a request that an open breaker refused.
    public static let openCode = "http.circuit-open"
    /// The code of a retry that exceeded the host's budget.
    public static let budgetCode = "http.retry-budget"
    /// The maximum number of hosts that are guarded at the same time; requests to further hosts are
    /// not guarded.
    public static let maximumHosts = 64

    /// Whether a request may be sent.
    public enum Decision: Hashable, Sendable {
        /// It may be sent; its result must be recorded with this permission.
        case admitted(CircuitBreaker.Admission)
        /// It is refused, with this code.
        case refused(code: String)
        /// It may be sent and is not counted, because too many hosts are guarded.
        case unguarded
    }

    private let limits: CircuitBreaker.Limits
    private let budgetLimits: RetryBudget.Limits
    private var hosts: [String: Host] = [:]

    private struct Host: Sendable {
        var breaker: CircuitBreaker
        var budget: RetryBudget
    }

    /// Creates a guard without hosts.
    ///
    /// - Parameters:
    ///   - limits: When breakers open and for how long.
    ///   - budget: How many retries may be sent to a host.
    public init(
        limits: CircuitBreaker.Limits = CircuitBreaker.Limits(),
        budget: RetryBudget.Limits = RetryBudget.Limits()
    ) {
        self.limits = limits
        budgetLimits = budget
    }

    /// Decides whether a request to a host may be sent.
    ///
    /// - Parameters:
    ///   - host: The host with its port.
    ///   - isRepetition: Whether the same step was tried before.
    ///   - now: The current time.
    /// - Returns: The decision.
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
        // The breaker comes first: neither a refused request nor a trial request uses the budget.
        // Otherwise an exhausted budget would block all requests permanently.
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

    /// Records the result of an admitted request.
    ///
    /// - Parameters:
    ///   - result: What the result means for the host's health.
    ///   - isFree: Whether a retry does not use the budget, because the failure was harmless or the
    ///     request was never sent.
    ///   - admission: The permission with which the request was sent.
    ///   - host: The host with its port.
    ///   - now: The current time.
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
