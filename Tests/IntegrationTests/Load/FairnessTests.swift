import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing

/// Many sessions that are polled concurrently.
@Suite(.timeLimit(.minutes(10)), .tags(.repeatedThoroughly)) struct FairnessTests {
    @Test func `none of 300 sessions is polled later than twice the poll interval`() async throws {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start()
            let interval = Duration.seconds(2)
            let watch = LockedValue(PollWatch())
            let bench = try await LoadBench(in: directory) {
                $0.sessionLimits.pollInterval = interval
                $0.sessionLimits.longestPollInterval = interval
            }
            bench.asked.observe { event in watch.withLock { $0.record(event) } }
            let sessions = try await bench.openPolled(
                300,
                at: sandbox
            )
            watch.withLock { $0.begin() }
            let start = (ContinuousClock.now, await bench.loopSeconds())
            try await until("each session was polled some times", within: .seconds(60)) {
                watch.withLock { $0.leastPolls } >= (Tier.isThorough ? 3 : 2)
            }
            let elapsed = (ContinuousClock.now - start.0) / .seconds(1)
            let end = await bench.loopSeconds()
            let seen = watch.withLock { $0 }
            #expect(seen.sessions == sessions.count)
            let worst = seen.worst / interval
            // A loop without enough processor time cannot be fair.
            let kept = (end.waiting - start.1.waiting) / elapsed
            if kept > 0.25, worst > 2 {
                await bench.shutdown()
                await sandbox.shutdown()
                try Test.cancel("the loop waited for a processor for \(kept) of the time")
            }
            let busy = (end.working - start.1.working) / elapsed
            #expect(busy < 0.9, "the loop was busy \(busy) of the time")
            #expect(worst <= 2, "a poll came \(worst) intervals after the answer before it")
            #expect(worst >= 1, "a poll came before it was due")
            await bench.shutdown()
            await sandbox.shutdown()
        }
    }
}

/// The time between a poll's response and the next poll, for each session.
struct PollWatch {
    private var answered: [String: ContinuousClock.Instant] = [:]
    private var polls: [String: Int] = [:]
    /// The longest such time.
    private(set) var worst = Duration.zero

    /// The number of sessions that were polled.
    var sessions: Int { polls.count }
    /// The smallest number of polls of any session.
    var leastPolls: Int { polls.values.min() ?? 0 }

    /// Discards the measurements made while the sessions were opened.
    mutating func begin() {
        polls = polls.mapValues { _ in 0 }
        worst = .zero
    }

    mutating func record(_ event: CountingProvider.Event) {
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
    /// Returns the seconds for which the loop's thread ran, and for which it was ready but not
    /// running.
    func loopSeconds() async -> (working: Double, waiting: Double) {
        await loop.spawn {
            // Of this thread: both in nanoseconds, and how often it was scheduled.
            let text = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
            let numbers = (text ?? "").split(separator: " ").compactMap { Double($0) }
            guard numbers.count >= 2 else { return (.infinity, 0) }
            return (numbers[0] / 1e9, numbers[1] / 1e9)
        }.value
    }
}
