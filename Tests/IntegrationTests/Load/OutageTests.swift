import Adapters
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// An outage of the PSP over HTTP, with many running payments.
@Suite(.guarantee(.boundedEverything), .timeLimit(.minutes(10))) struct LoadOutageTests {
    private static let sessions = 30

    /// Sessions continue through the outage, and quickly, so that the test is shorter than a real
    /// one.
    private static func configure(_ configuration: inout PaymentConfiguration) {
        configuration.sessionLimits.pollInterval = .milliseconds(100)
        configuration.sessionLimits.longestPollInterval = .milliseconds(100)
        configuration.sessionLimits.tries = 10_000
        configuration.sessionLimits.retryBudget = .seconds(600)
        configuration.retrySchedule.base = .milliseconds(50)
        configuration.retrySchedule.cap = .milliseconds(100)
        configuration.retrySchedule.floor = .milliseconds(20)
        configuration.retrySchedule.settling = .milliseconds(50)
    }

    @Test func `the breaker spares a PSP during an outage, and every payment completes afterwards`()
        async throws
    {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start()
            var breaker = CircuitBreaker.Limits()
            breaker.rest = .milliseconds(200)
            breaker.longestRest = .milliseconds(400)
            let bench = try await LoadBench(
                in: directory,
                breaker: breaker,
                configure: Self.configure
            )
            let sessions = try await bench.openPolled(
                Self.sessions,
                at: sandbox
            )
            await sandbox.injectFaults(with: [Fault(rel: "*", requests: .every, kind: .reset)])
            try await until("the breaker opens") {
                bench.asked.counts.codes["http.circuit-open"] != nil
            }

            // Requests in progress when it opened are separated by waiting for the first rest to
            // end.
            let before = (await sandbox.arrivals, bench.asked.counts.all, ContinuousClock.now)
            try await until("many requests are kept back") {
                bench.asked.counts.all >= before.1 + 300
            }
            let elapsed = ContinuousClock.now - before.2
            let arrived = await sandbox.arrivals - before.0
            // One trial per rest, and the requests that libcurl had when it opened.
            let trials = Int(elapsed / breaker.rest) + 1
            #expect(arrived <= trials + Self.sessions, "\(arrived) arrived in \(elapsed)")
            #expect(arrived >= 1, "no trial was made in \(elapsed)")

            await sandbox.injectFaults(with: [])
            try await bench.payEverything(at: sandbox)
            #expect(try await bench.outcomes(of: sessions) == [.completed: Self.sessions])
            let ledger = await sandbox.ledger
            #expect(ledger.paidOrders == Self.sessions)
            #expect(ledger.doubledOrders == [])
            await bench.shutdown()
            await sandbox.shutdown()
        }
    }

    @Test func `retries of requests that fail at the PSP stay within the retry budget`()
        async throws
    {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start()
            var budget = RetryBudget.Limits()
            budget.capacity = 10
            let bench = try await LoadBench(
                in: directory,
                budget: budget,
                configure: Self.configure
            )
            let sessions = try await bench.openPolled(
                Self.sessions,
                at: sandbox
            )
            // The engine is counted first and the PSP last, and the reverse at the end: what
            // arrived was sent.
            let asked = bench.asked.counts
            let before = (await sandbox.arrivals, asked, ContinuousClock.now)
            // These are responses, and thus do not open a breaker.
            await sandbox.injectFaults(with: [Fault(rel: "*", requests: .every, kind: .status(500))]
            )
            try await until("many repetitions are kept back") {
                bench.asked.counts.codes["http.retry-budget"] ?? 0 >= 300
            }
            let arrived = await sandbox.arrivals - before.0
            let after = bench.asked.counts
            let seconds = Int((ContinuousClock.now - before.2) / .seconds(1)) + 1
            let firsts = after.firsts - before.1.firsts
            let saved = firsts * budget.percent / 100 + budget.perSecond * seconds
            let allowed = budget.capacity + saved
            let first = before.1.underWay + firsts
            let repeated = bench.sent.counts.repetitions - before.1.repetitions
            #expect(repeated <= allowed, "\(repeated) repetitions left in \(seconds) s")
            #expect(arrived <= first + allowed, "\(arrived) arrived in \(seconds) s")
            #expect(after.all - before.1.all > arrived + 200, "nothing was kept back")

            await sandbox.injectFaults(with: [])
            try await bench.payEverything(at: sandbox)
            // The problem catalogue has problems that must not be retried for long.
            try await bench.retryUntilEnded(sessions)
            #expect(try await bench.outcomes(of: sessions) == [.completed: Self.sessions])
            #expect(await sandbox.ledger.doubledOrders == [])
            await bench.shutdown()
            await sandbox.shutdown()
        }
    }

    @Test func `requests beyond the queue limit fail with http.queue-full and are sent later`()
        async throws
    {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start()
            let bench = try await LoadBench(
                in: directory,
                configure: Self.configure,
                http: {
                    $0.maximumConcurrentRequests = 2
                    $0.maximumQueuedRequests = 4
                }
            )
            let sessions = try await bench.openPolled(
                Self.sessions,
                at: sandbox
            )
            await sandbox.injectFaults(
                with: [Fault(rel: "*", requests: .every, kind: .delay(.milliseconds(50)))]
            )
            try await until("the queue is full") {
                bench.sent.counts.codes["http.queue-full"] != nil
            }
            await sandbox.injectFaults(with: [])
            try await bench.payEverything(at: sandbox)
            #expect(try await bench.outcomes(of: sessions) == [.completed: Self.sessions])
            #expect(bench.asked.counts.codes["http.circuit-open"] == nil)
            #expect(await sandbox.ledger.doubledOrders == [])
            await bench.shutdown()
            await sandbox.shutdown()
        }
    }
}

extension SandboxServer {
    /// The number of requests that have arrived, disturbed ones included.
    var arrivals: Int {
        get async { await requests.values.reduce(0, +) }
    }
}
