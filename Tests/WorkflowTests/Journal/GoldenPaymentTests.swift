import EventLog
import Foundation
import SwedbankPay
import Testing

/// Payments as they were written: they must verify and replay for ever.
@Suite struct GoldenPaymentTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        var file: String
        var outcome: Outcome
        var attempts: Int
        var testDescription: String { file }
    }

    static let payments = [
        Golden(file: "payment-swish-this-device", outcome: .completed, attempts: 1),
        Golden(file: "payment-saved-card-challenge", outcome: .completed, attempts: 1),
        Golden(file: "payment-declined-then-swish", outcome: .completed, attempts: 2),
        Golden(file: "payment-aborted", outcome: .canceled, attempts: 0),
    ]

    private static func records(of payment: Golden) throws -> [StoredRecord] {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Logs/\(payment.file).ndjson")
        return try Data(contentsOf: file).split(separator: 0x0A).map {
            try LogLine.decode(Array($0))
        }
    }

    @Test(arguments: payments)
    func `a kept payment verifies and folds to the same outcome`(
        _ payment: Golden
    ) throws {
        let records = try Self.records(of: payment)
        let session = try #require(records.first?.stream)
        #expect(LogVerifier<SessionEvent>.verify(records, stream: session).damage == nil)
        let events = try records.map { try EventCodec.decode($0.canonical) }
        for event in events {
            #expect(
                EventCodec.encode(event).canonical == records[event.sequence.count - 1].canonical
            )
        }
        let state = SessionState.folding(events, of: session)
        #expect(state.outcome == payment.outcome)
        #expect(state.attemptCount == payment.attempts)
    }
}
