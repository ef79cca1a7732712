import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

@testable import Inspection

/// The text of a session's view.
@Suite struct ViewTextTests {
    /// Returns the text of a payment's view, by the clock for the time at which it was opened.
    private func text(_ spec: DeciderSpec, opened clock: DisplayClock?) -> String {
        let view = SessionView(spec.state, by: spec.decider, disclosing: .masked)
        return ViewText(view, style: .plain, opened: clock).text.words
    }

    @Test func `a day begins at the reader's midnight`() {
        let ahead = DisplayClock { _ in .seconds(3600) }
        let begin = ahead.start(ofDay: "2026-12-02")
        #expect(begin?.description == "2026-12-01T23:00:00.000000Z")
        #expect(ahead.start(ofDay: "2026-13-02") == nil)
    }

    @Test func `the text says when the session was opened, by the reader's clock`() {
        let opened = payment().when(.open(.sample()))
        #expect(text(opened, opened: .utc).contains("opened     2026-11-20 12:00:00 UTC\n"))
        let ahead = DisplayClock { _ in .seconds(3600) }
        #expect(text(opened, opened: ahead).contains("opened     2026-11-20 13:00:00 +01:00\n"))
        #expect(!text(opened, opened: nil).contains("opened"))
    }

    @Test func `the text has the session's amount, or says that none is known`() {
        let unknown = payment().when(.open(.sample()))
        #expect(text(unknown, opened: .utc).contains("amount     no amount known\n"))
        var opened = Opened.sample()
        opened.amount = 64_900
        opened.currency = "SEK"
        let handedOver = payment().when(.open(opened))
        #expect(text(handedOver, opened: .utc).contains("amount     649.00 SEK\n"))
        let checkout = payment().when(.checkout(.open(.sample())))
        #expect(text(checkout, opened: .utc).contains("amount     100.00 SEK\n"))
        #expect(!text(checkout, opened: nil).contains("amount"))
    }
}
