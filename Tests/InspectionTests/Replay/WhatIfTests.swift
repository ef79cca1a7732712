import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// A payment under rules other than its own.
@Suite struct WhatIfTests {
    /// A payment step by step; the events of each input have a cause of their own.
    struct History {
        var spec: DeciderSpec
        var events: [RecordedEvent] = []

        init(_ limits: SessionLimits = SessionLimits()) { spec = payment(limits: limits) }

        /// The history with one more input.
        func then(_ step: (DeciderSpec) -> DeciderSpec) -> History {
            var next = self
            next.spec = step(spec)
            for entry in next.spec.log[events.count...] {
                next.events.append(
                    RecordedEvent(
                        stream: spec.state.session,
                        sequence: SequenceNumber(next.events.count) + 1,
                        at: entry.at,
                        event: entry.event,
                        metadata: EventMetadata(
                            build: "1.0.0",
                            catalogue: "sample",
                            cause: "input.\(events.count)",
                            node: "n"
                        )
                    )
                )
            }
            return next
        }

        func under(_ change: (inout SessionLimits) -> Void) -> WhatIf {
            var limits = spec.decider.limits
            change(&limits)
            return WhatIf(
                of: events,
                session: spec.state.session,
                under: SessionDecider(catalogue: .sample, limits: limits),
                insteadOf: spec.decider
            )
        }
    }

    private let lost = ProviderResponse.Outcome.failed(
        reach: .notSent,
        code: "http.unreachable",
        isTransient: true
    )

    /// The session could not be read twice; then it was, the payer chose in advance, and paid.
    private func stormy(_ limits: SessionLimits = SessionLimits()) -> History {
        History(limits).then { $0.when(.open(.sample(preferences: [.swish(msisdn: nil)]))) }
            .then { $0.when(outcome: lost) }.then { $0.when(outcome: lost) }
            .then { $0.when(response: .withSwish) }.then { $0.when(response: .paid) }
    }

    @Test func `under the same limits a payment ends as recorded`() {
        let history = stormy()
        #expect(history.spec.state.outcome == .completed)
        let same = history.under { _ in }
        #expect(same.endsAlike && same.parting == nil)
        #expect(same.alternative == history.spec.state)
    }

    @Test func `limits that are never reached change nothing`() {
        let longer = stormy().under {
            $0.session = .seconds(100 * 3600)
            $0.tries = 60
            $0.attempt = .seconds(9000)
        }
        #expect(longer.endsAlike && longer.parting == nil)
    }

    @Test func `a payment that a retry saved stays open with a problem under a limit of one try`()
        throws
    {
        let once = stormy().under { $0.tries = 1 }
        let parting = try #require(once.parting)
        // The first failure is the same fact; its consequences differ.
        #expect(parting.decided?.typeName == "problem")
        #expect(once.ending == .open)
        #expect(!once.endsAlike)
        #expect(once.alternative.problem?.problem.kind == .requestFailed)
        #expect(once.recorded.outcome == .completed)
    }

    @Test func `the ending is unknown where other limits would reject a recorded command`() {
        let chosen = History().then { $0.when(.open(.sample())) }
            .then { $0.when(outcome: lost) }.then { $0.when(response: .withSwish) }
            .then { $0.when(.attempt(.swish(msisdn: nil))) }.then { $0.when(response: .paid) }
        #expect(chosen.spec.state.outcome == .completed)
        let once = chosen.under { $0.tries = 1 }
        guard case .unknown(let gap) = once.ending, case .refusal = gap.reason else {
            Issue.record("\(once.ending)")
            return
        }
        #expect(!once.endsAlike)
    }

    @Test func `the ending is unknown where other limits need a request that was never sent`() {
        var few = SessionLimits()
        few.tries = 2
        let given = History(few).then { $0.when(.open(.sample())) }
            .then { $0.when(outcome: lost) }.then { $0.when(outcome: lost) }
            .then { $0.after(.seconds(25 * 3600)).when(.timerFired(.sessionLimit)) }
            .then { $0.when(outcome: lost) }.then { $0.when(outcome: lost) }
            .then { $0.when(.timerFired(.sessionLimit)) }
        #expect(given.spec.state.outcome == .expired)
        let more = given.under { $0.tries = 6 }
        guard case .unknown(let gap) = more.ending else {
            Issue.record("\(more.ending)")
            return
        }
        #expect(gap.reason == .request(.session))
        #expect(given.under { $0.tries = 2 }.endsAlike)
    }

    @Test
    func `the ending is unknown where a shorter session limit needs a read that the log lacks`()
        throws
    {
        let late = History().then { $0.when(.open(.sample())) }
            .then { $0.when(response: .withSwish) }
            .then { $0.after(.seconds(7200)).when(.attempt(.swish(msisdn: nil))) }
            .then { $0.when(response: .paid) }
        #expect(late.spec.state.outcome == .completed)
        let short = late.under { $0.session = .seconds(3600) }
        guard case .unknown(let gap) = short.ending else {
            Issue.record("\(short.ending)")
            return
        }
        #expect(gap.reason == .request(.session))
        #expect(try #require(short.parting).recorded?.typeName == "attemptStarted")
        // Half a day is sufficient.
        #expect(late.under { $0.session = .seconds(12 * 3600) }.endsAlike)
    }
}
