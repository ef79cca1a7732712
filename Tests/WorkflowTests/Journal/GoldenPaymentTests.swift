import EventLog
import Foundation
import SwedbankPay
import Testing

/// Payments of the first release, as they were written: they must verify and replay forever.
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
    func `a payment of an earlier build verifies and folds to the same outcome`(
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

    @Test(arguments: payments)
    func `a payment of an earlier build that is redacted verifies and folds to the same outcome`(
        _ payment: Golden
    ) throws {
        let records = try Self.records(of: payment)
        let session = try #require(records.first?.stream)
        let whole = try records.map { try RecordReader.event(in: $0) }
        let state = SessionState.folding(whole, of: session)
        let redacted = try PlantedLog.redacted(records)
        #expect(records.contains { !$0.seals.isEmpty })
        #expect(redacted.allSatisfy { $0.seals.isEmpty })
        #expect(LogVerifier<SessionEvent>.verify(redacted, stream: session).damage == nil)
        let rest = try redacted.map { try RecordReader.event(in: $0) }
        #expect(SessionState.folding(rest, of: session) == state)
        // With secrets in its texts, some of them are masked.
        let masked = try PlantedLog(whole).redacted()
        #expect(masked.contains { $0.isMasked })
        #expect(LogVerifier<SessionEvent>.verify(masked, stream: session).damage == nil)
        let other = SessionState.folding(
            try masked.map { try RecordReader.event(in: $0) },
            of: session
        )
        #expect(other.outcome == state.outcome && other.outcome == payment.outcome)
        #expect(other.attemptCount == state.attemptCount)
        #expect(other.money.standing == state.money.standing)
        #expect(other.sequence == state.sequence)
    }
}
