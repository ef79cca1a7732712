import EventLog
import Inspection
import SwedbankPay
import Testing

/// The summary over many logs.
@Suite struct CheckSummaryTests {
    @Test func `a check that did not come to its end does not say that all agrees`() {
        let summary = CheckSummary()
        summary.sweep.isWhole = false
        let text = summary.text(for: TextForm(isTerminal: true, columns: 80, style: .plain))
        #expect(text.words.hasPrefix("incomplete  sessions: 0"), "\(text)")
        #expect(summary.json["agrees"] == .bool(false))
    }
}
