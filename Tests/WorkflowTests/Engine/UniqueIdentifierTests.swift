import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// No two pending requests and timers of a state have the same identifier.
@Suite struct UniqueIdentifierTests {
    /// Rules that only wait.
    struct WaitingRules: WorkflowRules {
        typealias State = SessionState
        typealias Event = SessionEvent
        typealias Input = SessionInput
        typealias Request = OperationRequest
        typealias Rejection = SwedbankPay.Rejection

        var waits: [SessionTimer]

        func next(in state: SessionState) -> NextStep<WaitingRules> { .rest }

        func facts(
            of input: SessionInput,
            in state: SessionState,
            next: () -> NextStep<WaitingRules>,
            at now: Instant
        ) throws(SwedbankPay.Rejection) -> [SessionEvent] { [] }

        func evolve(_ state: inout SessionState, by event: SessionEvent, at time: Instant) {
            state.apply(event, at: time)
        }

        func timers(in state: SessionState) -> [(timer: SessionTimer, until: Instant)] {
            waits.map { (timer: $0, until: ManualClock.noon + .seconds(1)) }
        }
    }

    /// Loads a session whose state has these timers, and returns the number of sessions in memory.
    static func load(with timers: [SessionTimer]) -> Int {
        var core = EngineCore(rules: WaitingRules(waits: timers), seed: 1)
        let state = SessionState(session: CoreTranscript.session(1))
        _ = core.handle(.loaded(state, isWatched: true), at: ManualClock.noon)
        return core.sessionCount
    }

    @Test func `a state may wait for several timers`() {
        #expect(Self.load(with: [.attemptLimit(number: 1), .attemptLimit(number: 2)]) == 1)
    }

    @Test func `rules that give two timers the same identifier are stopped`() async {
        await #expect(processExitsWith: .failure) {
            _ = UniqueIdentifierTests.load(
                with: [.attemptLimit(number: 1), .attemptLimit(number: 1)]
            )
        }
    }

    @Test func `a forged log that names two actions alike stops nothing`() {
        let action = ActionID(rawValue: "a-2")
        let requested = TaskRequested(
            action: action,
            key: TaskKey(digest: .zero),
            attempt: 1,
            task: IntegrationTask(rel: .scaMethodRequest)
        )
        var state = SessionState(session: CoreTranscript.session(1))
        for event in [
            SessionEvent.opened(.sample()), .threeDSMethodRequested(requested),
            .threeDSMethodRequested(requested),
        ] {
            state.apply(event, at: ManualClock.noon)
        }
        var transcript = CoreTranscript()
        let rules = transcript.core.rules
        #expect(
            rules.timers(in: state).map { $0.timer } == [.methodLimit(action), .sessionLimit]
        )
        #expect(transcript.give(.loaded(state, isWatched: true)) == ["ask for the lease"])
        // The report ends the newer one, and nothing waits for the older one any more.
        state.apply(
            .threeDSMethodCompleted(
                ThreeDSMethodCompleted(action: action, indicator: .completed)
            ),
            at: ManualClock.noon
        )
        #expect(state.actions.map(\.isOpen) == [true, false])
        #expect(rules.timers(in: state).map { $0.timer } == [.sessionLimit])
    }
}
