import Adapters
import EventLog
import LogFixtures
import SwedbankPay
import Testing

@testable import Inspection

/// The session's view after every event, as in the page.
@Suite struct ReportStatesTests {
    @Test func `the states on the report page are those of a replay`() throws {
        let log = try GoldenLogs.log(in: GoldenLogs.text("payment-declined-then-swish"))
        let decider = SessionDecider(catalogue: .bundled, limits: SessionLimits())
        let states = ReportStates(log, by: decider)
        #expect(states.views.count == log.events.count + 1)
        func value(_ path: String, at place: Int) -> String? {
            states.views[place].map { states.rows[$0] }.first { $0.path == path }?.value
        }
        for place in 0...log.events.count {
            let view = SessionView(
                log.state(at: SequenceNumber(place)),
                by: decider,
                disclosing: .masked
            )
            #expect(value("phase", at: place) == view.phase.rawValue)
            #expect(value("outcome", at: place) == view.outcome?.rawValue)
            #expect(
                value("attempt.instrument", at: place) == view.attempt?.choice.instrument.rawValue
            )
        }
        #expect(value("problem.actor", at: 14) == "payer")
        #expect(states.last.contains { $0.path == "outcome" && $0.value == "completed" })
        // Unchanged rows are stored once.
        #expect(Set(states.rows).count == states.rows.count)
    }
}
