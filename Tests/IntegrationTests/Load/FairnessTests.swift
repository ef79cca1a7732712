import Adapters
import Foundation
import Sandbox
import Testing
import Workflow

/// Many sessions that are polled at the same time.
@Suite(.timeLimit(.minutes(2))) struct FairnessTests {
    @Test func `among 300 sessions none is polled later than twice its due time`() async throws {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start()
            let interval = Duration.seconds(2)
            let watch = LockedValue(PollWatch())
            let bench = try await LoadBench(in: directory) {
                $0.sessionLimits.pollInterval = interval
                $0.sessionLimits.longestPollInterval = interval
            }
            bench.asked.observe { event in watch.withLock { $0.take(event) } }
            let sessions = try await bench.openPolled(
                300,
                at: sandbox,
                approvedAfter: .seconds(3600)
            )
            watch.withLock { $0.begin() }
            let start = (ContinuousClock.now, await bench.loopSeconds())
            try await until("each session was polled some times") {
                watch.withLock { $0.leastPolls } >= 3
            }
            let elapsed = ContinuousClock.now - start.0
            let busy = (await bench.loopSeconds() - start.1) / (elapsed / .seconds(1))
            let seen = watch.withLock { $0 }
            #expect(seen.sessions == sessions.count)
            let worst = seen.worst / interval
            // A loop without any time left can't be fair to anybody; this one is nowhere near.
            #expect(busy < 0.9, "the loop was busy \(busy) of the time")
            #expect(worst <= 2, "a poll came \(worst) intervals after the answer before it")
            #expect(worst >= 1, "a poll came before it was due")
            await bench.shutdown()
            await sandbox.shutdown()
        }
    }
}

/// The time between a poll's answer and the next poll, for each session.
struct PollWatch {
    private var answered: [String: ContinuousClock.Instant] = [:]
    private var polls: [String: Int] = [:]
    /// The longest such time.
    private(set) var worst = Duration.zero

    /// How many sessions were polled.
    var sessions: Int { polls.count }
    /// How often the session was polled that was polled least.
    var leastPolls: Int { polls.values.min() ?? 0 }

    /// Forgets what was measured while the sessions came in.
    mutating func begin() {
        polls = polls.mapValues { _ in 0 }
        worst = .zero
    }

    mutating func take(_ event: CountingProvider.Event) {
        guard event.rel == .getPayment else { return }
        if event.isAnswer {
            answered[event.address] = .now
            polls[event.address, default: 0] += 1
        } else if let last = answered[event.address] {
            worst = max(worst, .now - last)
        }
    }
}

extension LoadBench {
    /// The processor time that the loop's thread has had, in seconds.
    func loopSeconds() async -> Double {
        await loop.spawn {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }.value
    }
}
