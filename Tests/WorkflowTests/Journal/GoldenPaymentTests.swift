import Foundation
import Testing

@testable import EventLog
@testable import SwedbankPay

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

    /// What a reader in another language finds in a log.
    private struct Found: Decodable {
        var attempts: Int
        var outcome: String?
        var records: Int
        var reference: String?
        var session: String
        var sound: Bool
        var fault: String?
    }

    @Test(arguments: RequestLedgerTests.kept)
    func `a reader in another language finds in a kept log what this one finds`(
        name: String
    ) throws {
        let file = PythonTool.root.appending(path: "Tests/Fixtures/\(name)")
        let records = try GoldenLog.records(in: file)
        let session = try #require(records.first?.stream)
        let events = try records.map { try RecordReader.event(in: $0) }
        let state = SessionState.folding(events, of: session)
        func read(_ records: [StoredRecord]) throws -> (Int32, Found) {
            let result = try PythonTool.read(
                SampleLog.file(records),
                GoldenLog.dataKey(of: name)
            )
            return (
                result.status, try JSONDecoder().decode(Found.self, from: Data(result.output.utf8))
            )
        }
        let (status, found) = try read(records)
        #expect(status == 0 && found.sound, "\(found)")
        #expect(found.session == "\(session)" && found.records == records.count)
        #expect(found.outcome == state.outcome?.rawValue)
        #expect(found.attempts == events.count { $0.event.typeName == "attemptStarted" })
        #expect(found.reference == state.reference || state.reference == nil)
        var altered = records
        altered[records.count - 1].mac = .zero
        let (other, forged) = try read(altered)
        #expect(other == 1 && !forged.sound && forged.fault != nil, "\(forged)")
    }
}
