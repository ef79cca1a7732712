import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import Testing

/// This build repeats the decisions of earlier builds in real payments.
@Suite struct GoldenDecisionTests {
    @Test(arguments: [
        "swish-this-device", "saved-card-challenge", "declined-then-swish", "aborted",
    ])
    func `this build makes every decision of an earlier build in the same way`(
        _ payment: String
    ) throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Logs/payment-\(payment).ndjson")
        let events = try Data(contentsOf: file).split(separator: 0x0A).map {
            try EventCodec.decode(LogLine.decode(Array($0)).canonical)
        }
        let session = try #require(events.first?.stream)
        var check = ReplayCheck(of: session, by: SessionDecider(catalogue: .bundled))
        for (place, event) in events.enumerated() {
            let following = place + 1 < events.count ? events[place + 1].event : nil
            try check.verify(event, followedBy: following)
        }
        try check.finish()
        #expect(check.state.outcome != nil)
    }
}
