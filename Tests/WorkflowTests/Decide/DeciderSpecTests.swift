import EventLog
import SwedbankPay
import Synchronization
import Testing
import WorkflowTesting

/// What a test of the rules reports when an event differs from the expected one.
@Suite struct DeciderSpecTests {
    /// The descriptions of failed expectations.
    final class Reports: Sendable {
        let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
    }

    let reports = Reports()

    var unprepared: DeciderSpec {
        let reports = reports
        return DeciderSpec { text, _ in reports.texts.withLock { $0.append(text) } }
            .when(.open(.sample())).when(response: .unprepared)
    }

    @Test func `whole events that are named as they are give no report`() {
        unprepared.then(.fetched(by: .session))
        #expect(reports.all == [])
    }

    @Test func `a wrong member of an event is reported with both values`() {
        unprepared.then(.fetched(by: .preparePayment))
        #expect(
            reports.all == [
                """
                event 1, fetched:
                    cause: expected prepare-payment, got session
                    durationMilliseconds: expected nil, got 50
                """
            ]
        )
    }

    @Test func `a wrong time is reported with both values`() throws {
        unprepared.when(outcome: .notSent).then(.failed(.preparePayment))
        let report = try #require(reports.all.first)
        #expect(report.hasPrefix("event 1, operationFailed:\n    retryAt: expected nil, got 2"))
        #expect(reports.all.count == 1)
    }

    @Test func `a missing event is reported`() {
        unprepared.then(.fetched(by: .session), .completed(.redirectToCompleteURL))
        #expect(reports.all == ["event 2: completed is missing"])
    }

    @Test func `an event that was not named is reported`() throws {
        unprepared.when(response: .withSwish).then(.succeeded(.preparePayment))
        let report = try #require(reports.all.first)
        #expect(report.contains("event 2: fetched was not named: fetched("))
        #expect(report.contains("event 3: methodsOffered was not named: methodsOffered("))
        #expect(reports.all.count == 1)
    }

    @Test func `an event of another type is reported with both types`() throws {
        unprepared.then(.completed(.redirectToCompleteURL))
        let report = try #require(reports.all.first)
        #expect(report.hasPrefix("event 1: expected completed, got fetched\n"))
    }

    @Test func `a refusal is reported instead of the expected events`() {
        unprepared.when(.open(.sample())).then(.completed(.redirectToCompleteURL))
        #expect(
            reports.all == [#"expected ["completed"], got the refusal the session is already open"#]
        )
    }

    @Test func `an event that needs a response which the test did not give never fits`() {
        unprepared.when(.abort(by: "payer")).then(.fetched(by: .session))
        #expect(reports.all.count == 1)
    }
}
