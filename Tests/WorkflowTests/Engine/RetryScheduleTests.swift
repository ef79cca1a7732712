import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// When the engine continues after failures.
@Suite struct RetryScheduleTests {
    let schedule = RetrySchedule()
    let now = ManualClock.noon

    private func pauses(
        after outcome: ProviderResponse.Outcome?,
        tries: Int
    ) -> [Duration] {
        var generator = SplitMix64(seed: 42)
        return (0..<2000).map { _ in
            schedule.retryAt(after: outcome, tries: tries, now: now, using: &generator) - now
        }
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 4), (3, 8), (4, 8), (60, 8), (-1, 1), (.max, 8)])
    func `pauses are random from 250 ms to a ceiling that doubles from 1 to 8 seconds`(
        tries: Int,
        ceiling: Int
    ) throws {
        let drawn = pauses(after: .notSent, tries: tries)
        let shortest = try #require(drawn.min())
        let longest = try #require(drawn.max())
        #expect(shortest == .milliseconds(250))
        #expect(longest < .seconds(ceiling))
        #expect(longest > .milliseconds(ceiling * 990))
        #expect(Set(drawn).count > 1000)
    }

    @Test(arguments: [ProviderResponse.Outcome?.none, .some(.lost), .some(.refused(503))])
    func `after an unknown outcome the pause is at least one second`(
        outcome: ProviderResponse.Outcome?
    ) {
        #expect(pauses(after: outcome, tries: 0).allSatisfy { $0 == .seconds(1) })
        let later = pauses(after: outcome, tries: 3)
        #expect(later.min() == .seconds(1))
        #expect(later.allSatisfy { $0 < .seconds(8) })
    }

    @Test(arguments: [
        (429, Duration.seconds(7), Duration.seconds(7)),
        (429, .zero, .milliseconds(250)),
        (429, .seconds(-5), .milliseconds(250)),
        (429, .seconds(86400), .seconds(300)),
        (503, .seconds(7), .seconds(7)),
        (503, .zero, .seconds(1)),
        (503, .milliseconds(300), .seconds(1)),
    ])
    func `the PSP's Retry-After is honored within bounds`(
        status: Int,
        asked: Duration,
        granted: Duration
    ) {
        let outcome = ProviderResponse.Outcome.refused(
            status: status,
            document: .sample("something"),
            retryAfter: asked
        )
        #expect(Set(pauses(after: outcome, tries: 2)) == [granted])
    }

    @Test func `the catalogue's delay comes before the jitter, within bounds`() {
        var generator = SplitMix64(seed: 42)
        func pause(_ delay: Duration, _ asked: Duration? = nil) -> Duration {
            let outcome = ProviderResponse.Outcome.refused(
                status: 400,
                document: .sample("something"),
                retryAfter: asked
            )
            return schedule.retryAt(
                after: outcome,
                delay: delay,
                tries: 1,
                now: now,
                using: &generator
            ) - now
        }
        let drawn = (0..<200).map { _ in pause(.seconds(5)) }
        #expect(drawn.allSatisfy { $0 >= .seconds(5) && $0 < .seconds(7) })
        #expect(Set(drawn).count > 100)
        #expect(pause(.seconds(86_400)) < .seconds(302))
        #expect(pause(.seconds(-5)) >= .milliseconds(250))
        #expect(pause(.seconds(5), .seconds(1)) == .seconds(1))
    }

    @Test func `the same seed gives the same pauses`() {
        #expect(pauses(after: .lost, tries: 5) == pauses(after: .lost, tries: 5))
    }
}
