internal import EventLog
public import SwedbankPay
internal import Synchronization
public import Workflow

/// A provider that is spared while it fails: a circuit breaker and a budget of repetitions for each host.
///
/// The rules are those of ``Workflow/HostGuard``; here are only the clock and the lock around them.
///
/// - Note: Isolation: any.
public final class GuardedProvider: PaymentProvider {
    private let provider: any PaymentProvider
    private let now: @Sendable () -> CircuitBreaker.Time
    private let hosts: Mutex<HostGuard>
    /// The hosts whose circuits close, as they do, for one listener: ``SessionRecovery``.
    ///
    /// What nobody listens to is forgotten.
    public let closings: AsyncStream<String>
    private let closed: AsyncStream<String>.Continuation

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
        let start = ContinuousClock.now
        self.init(
            provider,
            limits: limits,
            budget: budget,
            now: { start.duration(to: ContinuousClock.now) }
        )
    }

    init(
        _ provider: any PaymentProvider,
        limits: CircuitBreaker.Limits,
        budget: RetryBudget.Limits = RetryBudget.Limits(),
        now: @escaping @Sendable () -> CircuitBreaker.Time
    ) {
        self.provider = provider
        self.now = now
        hosts = Mutex(HostGuard(limits: limits, budget: budget))
        (closings, closed) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(HostGuard.maximumHosts)
        )
    }

    deinit { closed.finish() }

    /// Performs a request, or keeps it back.
    public func perform(_ request: ProviderRequest) async -> ProviderAnswer {
        guard let host = AddressParts(request.address)?.authority else {
            return await provider.perform(request)
        }
        let time = now()
        let decision = hosts.withLock {
            $0.admission(to: host, isRepetition: request.tryNumber > 1, at: time)
        }
        switch decision {
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
            let isBack = hosts.withLock {
                $0.record(answer.outcome, of: admission, to: host, at: time)
            }
            // Sessions know hosts without a port.
            if isBack, let name = AddressParts(request.address)?.host { closed.yield(name) }
            return answer
        }
    }
}

extension AddressParts {
    /// Host and port, as breakers tell hosts apart.
    fileprivate var authority: String? {
        host.map { $0 + ":" + (port ?? "") }
    }
}
