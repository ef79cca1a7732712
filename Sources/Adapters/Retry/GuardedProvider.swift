internal import Synchronization
public import Workflow

/// A provider that is spared while it fails: a circuit breaker for each host.
///
/// What an open breaker keeps back was certainly not sent, so it is safe to try again later, whatever it would
/// have changed. Only failures of the host as a whole count: no connection, no answer in time, and the statuses
/// of a gateway without a service behind it. A refusal of one session says nothing about others.
///
/// - Note: Isolation: any.
public final class GuardedProvider: PaymentProvider {
    /// The code of a request that was kept back.
    public static let openCode = "http.circuit-open"
    /// How many hosts are watched at the same time; calls to any further one are not guarded.
    public static let maximumHosts = 64

    private let provider: any PaymentProvider
    private let limits: CircuitBreaker.Limits
    private let now: @Sendable () -> CircuitBreaker.Time
    private let breakers = Mutex<[String: CircuitBreaker]>([:])

    /// Guards a provider.
    ///
    /// - Parameters:
    ///   - provider: What makes the calls.
    ///   - limits: When breakers open and for how long.
    public convenience init(
        _ provider: any PaymentProvider,
        limits: CircuitBreaker.Limits = CircuitBreaker.Limits()
    ) {
        self.init(provider, limits: limits, now: { ContinuousClock.now })
    }

    init(
        _ provider: any PaymentProvider,
        limits: CircuitBreaker.Limits,
        now: @escaping @Sendable () -> CircuitBreaker.Time
    ) {
        self.provider = provider
        self.limits = limits
        self.now = now
    }

    /// Performs a request, or keeps it back.
    public func perform(_ request: ProviderRequest) async -> ProviderAnswer {
        guard let host = AddressParts(request.address)?.authority else {
            return await provider.perform(request)
        }
        switch admission(to: host) {
        case .unguarded: return await provider.perform(request)
        case .refused:
            return ProviderAnswer(
                outcome: .failed(reach: .notSent, code: Self.openCode, isTransient: true),
                secrets: SecretTable(),
                durationMilliseconds: 0
            )
        case .admitted(let admission):
            let answer = await provider.perform(request)
            let time = now()
            breakers.withLock {
                $0[host]?.record(Self.result(of: answer.outcome), of: admission, at: time)
            }
            return answer
        }
    }

    private enum Decision {
        case admitted(CircuitBreaker.Admission)
        case refused
        case unguarded
    }

    private func admission(to host: String) -> Decision {
        let time = now()
        return breakers.withLock { breakers in
            if breakers[host] == nil {
                if breakers.count >= Self.maximumHosts {
                    breakers = breakers.filter { !$0.value.isIdle }
                }
                guard breakers.count < Self.maximumHosts else { return .unguarded }
                breakers[host] = CircuitBreaker(limits: limits)
            }
            guard let admission = breakers[host]?.admit(at: time) else { return .refused }
            return .admitted(admission)
        }
    }

    /// What an outcome says about the host.
    static func result(of outcome: ProviderAnswer.Outcome) -> CircuitBreaker.Result {
        switch outcome {
        case .snapshot, .empty, .undecodable: .answered
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
