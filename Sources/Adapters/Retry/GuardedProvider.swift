internal import Synchronization
public import Workflow

/// A provider that is spared while it fails: a circuit breaker and a budget of repetitions for each host.
///
/// What an open breaker keeps back was certainly not sent, so it is safe to try again later, whatever it would
/// have changed. Only failures of the host as a whole count: no connection, no answer in time, and the statuses
/// of a gateway without a service behind it. A refusal of one session says nothing about others.
///
/// - Note: Isolation: any.
public final class GuardedProvider: PaymentProvider {
    /// The code of a request that was kept back.
    public static let openCode = "http.circuit-open"
    /// The code of a repetition that the host's budget did not pay for.
    public static let budgetCode = "http.retry-budget"
    /// How many hosts are watched at the same time; calls to any further one are not guarded.
    public static let maximumHosts = 64

    private let provider: any PaymentProvider
    private let limits: CircuitBreaker.Limits
    private let budgetLimits: RetryBudget.Limits
    private let now: @Sendable () -> CircuitBreaker.Time
    private let hosts = Mutex<[String: Host]>([:])

    private struct Host {
        var breaker: CircuitBreaker
        var budget: RetryBudget
    }

    /// Guards a provider.
    ///
    /// - Parameters:
    ///   - provider: What makes the calls.
    ///   - limits: When breakers open and for how long.
    ///   - budget: How many repetitions a host may be asked for.
    public convenience init(
        _ provider: any PaymentProvider,
        limits: CircuitBreaker.Limits = CircuitBreaker.Limits(),
        budget: RetryBudget.Limits = RetryBudget.Limits()
    ) {
        self.init(provider, limits: limits, budget: budget, now: { ContinuousClock.now })
    }

    init(
        _ provider: any PaymentProvider,
        limits: CircuitBreaker.Limits,
        budget: RetryBudget.Limits = RetryBudget.Limits(),
        now: @escaping @Sendable () -> CircuitBreaker.Time
    ) {
        self.provider = provider
        self.limits = limits
        budgetLimits = budget
        self.now = now
    }

    /// Performs a request, or keeps it back.
    public func perform(_ request: ProviderRequest) async -> ProviderAnswer {
        guard let host = AddressParts(request.address)?.authority else {
            return await provider.perform(request)
        }
        switch admission(to: host, isRepetition: request.tryNumber > 1) {
        case .unguarded: return await provider.perform(request)
        case .refused(let code):
            return ProviderAnswer(
                outcome: .failed(reach: .notSent, code: code, isTransient: true),
                secrets: SecretTable(),
                durationMilliseconds: 0
            )
        case .admitted(let admission):
            let answer = await provider.perform(request)
            let time = now()
            hosts.withLock {
                $0[host]?.breaker.record(Self.result(of: answer.outcome), of: admission, at: time)
            }
            return answer
        }
    }

    private enum Decision {
        case admitted(CircuitBreaker.Admission)
        case refused(code: String)
        case unguarded
    }

    private func admission(to host: String, isRepetition: Bool) -> Decision {
        let time = now()
        return hosts.withLock { hosts in
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
            if !isRepetition {
                hosts[host]?.budget.deposit()
            } else if hosts[host]?.budget.withdraw() == false {
                return .refused(code: Self.budgetCode)
            }
            guard let admission = hosts[host]?.breaker.admit(at: time) else {
                return .refused(code: Self.openCode)
            }
            return .admitted(admission)
        }
    }

    /// What an outcome says about the host.
    static func result(of outcome: ProviderAnswer.Outcome) -> CircuitBreaker.Result {
        switch outcome {
        case .snapshot, .empty, .undecodable, .endpoints, .consumer, .order: .answered
        case .refused(let status, _, _): (502...504).contains(status) ? .failed : .answered
        case .failed(_, "http.queue-full", _): .unknown
        case .failed(_, _, let isTransient): isTransient ? .failed : .unknown
        }
    }
}

extension AddressParts {
    /// Host and port, as breakers tell hosts apart.
    fileprivate var authority: String? {
        host.map { $0 + ":" + (port ?? "") }
    }
}
