internal import EventLog
public import SwedbankPay
internal import UVTransport
public import Workflow

/// Protects a failing provider with a circuit breaker and a retry budget for each host.
///
/// The rules are those of ``Workflow/HostGuard``; this class adds only the clock and the lock.
///
/// - Note: Isolation: any.
public final class GuardedProvider: PaymentProvider {
    private let provider: any PaymentProvider
    private let now: @Sendable () -> CircuitBreaker.Time
    private let hosts: ThreadLock<HostGuard>
    /// The hosts whose circuits close, as it happens, for one listener: ``SessionRecovery``.
    ///
    /// Without a listener they are dropped.
    public let closings: AsyncStream<String>
    private let closed: AsyncStream<String>.Continuation

    /// Creates a guard around a provider.
    ///
    /// - Parameters:
    ///   - provider: The provider that performs the requests.
    ///   - limits: When breakers open and for how long.
    ///   - budget: How many retries a host may receive.
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
        hosts = ThreadLock(HostGuard(limits: limits, budget: budget))
        (closings, closed) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(HostGuard.maximumHosts)
        )
    }

    deinit { closed.finish() }

    /// Performs a request, unless its host's breaker or budget holds it back.
    public func perform(_ request: ProviderRequest) async -> ProviderResponse {
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
            return ProviderResponse(
                outcome: .failed(reach: .notSent, code: code, isTransient: true),
                secrets: SecretTable(),
                durationMilliseconds: 0
            )
        case .admitted(let admission):
            let response = await provider.perform(request)
            let time = now()
            let isBack = hosts.withLock {
                $0.record(response.outcome, of: admission, to: host, at: time)
            }
            // Sessions know hosts without a port.
            if isBack, let name = AddressParts(request.address)?.host { closed.yield(name) }
            return response
        }
    }
}

extension AddressParts {
    /// Host and port, by which breakers distinguish hosts.
    fileprivate var authority: String? {
        host.map { $0 + ":" + (port ?? "") }
    }
}
