import EventLog
import SwedbankPay
import Synchronization
import Testing
import Workflow

@testable import SwedbankPayHTTP

@Suite struct GuardedProviderTests {
    /// A provider whose outcome a test sets, and which counts its requests.
    private final class SwitchedProvider: PaymentProvider {
        let outcome = Mutex<ProviderResponse.Outcome>(.empty(status: 204))
        let calls = Mutex(0)

        func perform(_ request: ProviderRequest) async -> ProviderResponse {
            calls.withLock { $0 += 1 }
            return ProviderResponse(
                outcome: outcome.withLock { $0 },
                secrets: SecretTable(),
                durationMilliseconds: 1
            )
        }
    }

    private static let down = ProviderResponse.Outcome.failed(
        reach: .maybeSent,
        code: "http.timeout",
        isTransient: true
    )

    @Test func `a failing host is not called for a while, others are, and calls to it resume`()
        async throws
    {
        let bench = try RequestBench()
        let provider = SwitchedProvider()
        let time = Mutex(CircuitBreaker.Time.zero)
        let guarded = GuardedProvider(
            provider,
            limits: CircuitBreaker.Limits(),
            now: { time.withLock { $0 } }
        )
        provider.outcome.withLock { $0 = Self.down }
        let here = bench.request(.getPayment, address: "https://a.payex.com/1")
        for _ in 0..<20 { #expect(await guarded.perform(here).outcome == Self.down) }
        #expect(
            await guarded.perform(here).outcome
                == .failed(reach: .notSent, code: "http.circuit-open", isTransient: true)
        )
        #expect(provider.calls.withLock { $0 } == 20)

        provider.outcome.withLock { $0 = .empty(status: 204) }
        let elsewhere = bench.request(.getPayment, address: "https://b.payex.com/1")
        #expect(await guarded.perform(elsewhere).outcome == .empty(status: 204))
        time.withLock { $0 = $0 + .seconds(2) }
        #expect(await guarded.perform(here).outcome == .empty(status: 204))
        #expect(await guarded.perform(here).outcome == .empty(status: 204))
        #expect(provider.calls.withLock { $0 } == 23)
    }

    @Test func `retries stop when the host's retry budget is used up, and first requests go on`()
        async throws
    {
        let bench = try RequestBench()
        let provider = SwitchedProvider()
        var budget = RetryBudget.Limits()
        budget.capacity = 2
        budget.percent = 50
        budget.perSecond = 0
        let broken = ProviderResponse.Outcome.refused(
            status: 500,
            document: ProblemDocument(type: "about:blank"),
            retryAfter: nil
        )
        provider.outcome.withLock { $0 = broken }
        let guarded = GuardedProvider(provider, budget: budget)
        let first = bench.request(.getPayment, address: "https://a.payex.com/1")
        var again = first
        again.tryNumber = 2
        let refused = ProviderResponse.Outcome.failed(
            reach: .notSent,
            code: "http.retry-budget",
            isTransient: true
        )
        for _ in 0..<2 { #expect(await guarded.perform(again).outcome == broken) }
        #expect(await guarded.perform(again).outcome == refused)
        #expect(await guarded.perform(first).outcome == broken)
        #expect(await guarded.perform(again).outcome == refused)
        #expect(await guarded.perform(first).outcome == broken)
        #expect(await guarded.perform(again).outcome == broken)
        #expect(provider.calls.withLock { $0 } == 5)
    }

    @Test func `failures of single sessions never block the host for others`() async throws {
        let bench = try RequestBench()
        let provider = SwitchedProvider()
        let guarded = GuardedProvider(provider)
        let blank = ProblemDocument(type: "about:blank")
        let outcomes: [ProviderResponse.Outcome] = [
            .refused(status: 500, document: blank, retryAfter: nil),
            .refused(status: 409, document: blank, retryAfter: nil),
            .failed(reach: .maybeSent, code: "http.canceled", isTransient: false),
            .failed(reach: .notSent, code: "http.queue-full", isTransient: true),
            .undecodable(status: 200, raw: nil),
        ]
        for outcome in outcomes {
            provider.outcome.withLock { $0 = outcome }
            for _ in 0..<30 {
                #expect(await guarded.perform(bench.request(.session)).outcome == outcome)
            }
        }
    }

    @Test(arguments: [502, 503, 504])
    func `a gateway's 502, 503 or 504 counts as a failure of the host`(status: Int) {
        let outcome = ProviderResponse.Outcome.refused(
            status: status,
            document: ProblemDocument(type: "about:blank"),
            retryAfter: nil
        )
        #expect(HostGuard.result(of: outcome) == .failed)
    }

    @Test func `hosts beyond the number that can be watched are still called`() async throws {
        let bench = try RequestBench()
        let provider = SwitchedProvider()
        provider.outcome.withLock { $0 = Self.down }
        let guarded = GuardedProvider(provider)
        for host in 0...HostGuard.maximumHosts {
            let request = bench.request(.session, address: "https://h\(host).payex.com/")
            #expect(await guarded.perform(request).outcome == Self.down)
        }
        let calls = HostGuard.maximumHosts + 1
        #expect(provider.calls.withLock { $0 } == calls)
    }
}
