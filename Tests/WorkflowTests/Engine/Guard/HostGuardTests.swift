import SwedbankPay
import Testing
import Workflow

/// Requests that the guard of a host holds back, and requests that it never does.
@Suite struct HostGuardTests {
    /// A guard of one host, whose requests all have the same outcome.
    private struct Host {
        var hosts: HostGuard
        var now = CircuitBreaker.Time.zero

        init(budget: RetryBudget.Limits = RetryBudget.Limits()) {
            hosts = HostGuard(budget: budget)
        }

        /// Sends a request; returns the code that held it back, or `nil`.
        mutating func request(
            repeats: Bool,
            _ outcome: ProviderResponse.Outcome
        ) -> String? {
            switch hosts.admission(to: "psp:443", isRepetition: repeats, at: now) {
            case .unguarded: return "unguarded"
            case .refused(let code): return code
            case .admitted(let permission):
                hosts.record(outcome, of: permission, to: "psp:443", at: now)
                return nil
            }
        }

        /// Repeats a request until it is held back; returns how often it was sent, up to a maximum.
        mutating func repetitions(_ outcome: ProviderResponse.Outcome, limit: Int = 1000) -> Int {
            for count in 0..<limit where request(repeats: true, outcome) != nil { return count }
            return limit
        }
    }

    private static let down = ProviderResponse.Outcome.failed(
        reach: .maybeSent,
        code: "http.timeout",
        isTransient: true
    )
    private static let fine = ProviderResponse.Outcome.empty(status: 204)
    /// A response, and thus nothing that opens a breaker.
    private static let broken = ProviderResponse.Outcome.refused(
        status: 500,
        document: ProblemDocument(type: "about:blank"),
        retryAfter: nil
    )

    private static func budget(_ capacity: Int, perSecond: Int = 0) -> RetryBudget.Limits {
        var budget = RetryBudget.Limits()
        budget.capacity = capacity
        budget.perSecond = perSecond
        return budget
    }

    @Test func `trials of an open breaker cost no budget, and a recovered host is used again`() {
        var host = Host(budget: Self.budget(30))
        for _ in 0..<20 { #expect(host.request(repeats: true, Self.down) == nil) }
        #expect(host.request(repeats: true, Self.down) == HostGuard.openCode)
        // Trials cost nothing, so there are more than the budget has left.
        for _ in 0..<20 {
            host.now += .seconds(30)
            #expect(host.request(repeats: true, Self.down) == nil)
            #expect(host.request(repeats: true, Self.down) == HostGuard.openCode)
        }
        host.now += .seconds(30)
        #expect(host.request(repeats: true, Self.fine) == nil)
        for _ in 0..<100 { #expect(host.request(repeats: true, Self.fine) == nil) }
    }

    @Test func `requests that an open breaker holds back cost no budget`() {
        var host = Host(budget: Self.budget(30))
        for _ in 0..<20 { _ = host.request(repeats: true, Self.down) }
        for _ in 0..<1000 {
            #expect(host.request(repeats: true, Self.fine) == HostGuard.openCode)
        }
        host.now += .seconds(2)
        #expect(host.request(repeats: true, Self.fine) == nil)
        #expect(host.repetitions(Self.broken) == 10)
    }

    @Test func `successful retries cost no budget, those that fail use it up`() {
        var host = Host(budget: Self.budget(5))
        #expect(host.repetitions(Self.fine) == 1000)
        #expect(host.repetitions(Self.broken) == 5)
        #expect(host.request(repeats: true, Self.fine) == HostGuard.budgetCode)
        // Five first requests pay for one retry.
        for _ in 0..<5 { #expect(host.request(repeats: false, Self.broken) == nil) }
        #expect(host.repetitions(Self.broken) == 1)
    }

    @Test(arguments: [
        (
            ProviderResponse.Outcome.failed(
                reach: .notSent,
                code: "http.queue-full",
                isTransient: true
            ), true
        ),
        (
            .refused(status: 409, document: ProblemDocument(type: "about:blank"), retryAfter: nil),
            true
        ),
        (
            .refused(status: 429, document: ProblemDocument(type: "about:blank"), retryAfter: nil),
            false
        ),
        (.failed(reach: .maybeSent, code: "http.canceled", isTransient: false), false),
    ])
    func `retries with http.queue-full or 409 are free, with 429 or http.canceled they are not`(
        outcome: ProviderResponse.Outcome,
        isFree: Bool
    ) {
        var host = Host(budget: Self.budget(5))
        #expect(host.repetitions(outcome, limit: 100) == (isFree ? 100 : 5))
    }

    @Test func `the retry budget refills with time, up to its capacity`() {
        var host = Host(budget: Self.budget(5, perSecond: 2))
        #expect(host.repetitions(Self.broken) == 5)
        host.now += .milliseconds(1499)
        #expect(host.repetitions(Self.broken) == 2)
        host.now += .milliseconds(1)
        #expect(host.repetitions(Self.broken) == 1)
        host.now += .seconds(1_000_000_000_000)
        #expect(host.repetitions(Self.broken) == 5)
        // A clock that goes back adds nothing to the budget, and breaks nothing.
        host.now = .zero
        #expect(host.repetitions(Self.broken) == 0)
    }
}
