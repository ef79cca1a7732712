import EventLog
import Inspection
import SwedbankPay
import Testing

/// The summary over many logs.
@Suite struct CheckSummaryTests {
    @Test func `the summary of an incomplete check does not report agreement`() {
        let summary = CheckSummary()
        summary.sweep.isWhole = false
        let text = summary.text(for: TextForm(isTerminal: true, columns: 80, style: .plain))
        #expect(text.words.hasPrefix("incomplete  sessions: 0"), "\(text)")
        #expect(summary.json["agrees"] == .bool(false))
    }
}
