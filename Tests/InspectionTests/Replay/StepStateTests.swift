import EventLog
import LogFixtures
import SwedbankPay
import Testing
import WorkflowTesting

@testable import Inspection

/// The state after an event, with what the event changed.
@Suite struct StepStateTests {
    @Test func `the state after an event shows each line that the event changed or added`() throws {
        let log = try GoldenLogs.log(in: GoldenLogs.text("payment-declined-then-swish"))
        let started = try #require(
            log.events.first { event in
                if case .attemptStarted = event.event { true } else { false }
            }
        )
        let decider = SessionDecider(catalogue: .sample)
        let replay = Replay(log: log, decider: decider, disclosure: .masked)
        let lines = StepState(replay, at: started.sequence).lines
        #expect(lines.contains { $0.path == "phase" && $0.change == .changed })
        #expect(lines.contains(.init(change: .added, path: "attempt.number", value: "1")))
        // The choices are one line, and what changes with every event has none.
        #expect(!lines.contains { $0.path.hasPrefix("methods[") || $0.path == "lastSeq" })
        #expect(StepState(replay, at: 0).lines.allSatisfy { $0.change == .same })
    }
}
