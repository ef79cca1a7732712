import Foundation
import Testing
import Workflow
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// Logs of payments whose newest response says something else than an earlier one.
///
/// `GOLDEN=write` writes them.
@Suite struct AnswerLogTests {
    enum Kept: String, CaseIterable {
        case takenBack = "answer-takes-payment-back"
        case reversedInPart = "answer-reversed-in-part"
        case readAfterLimit = "answer-after-the-limit"
        case refundFailed = "answer-refund-failed-later"
        case paidThoughRefused = "answer-paid-though-refused"
    }

    @Test(arguments: Kept.allCases)
    func `a log about a newest response is kept as the rules record it`(kept: Kept) throws {
        let spec = spec(of: kept)
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Logs/\(kept.rawValue).ndjson")
        let written = try lines(of: spec)
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try Data(written).write(to: file)
        }
        #expect(try [UInt8](Data(contentsOf: file)) == written)
        let money = spec.state.money
        switch kept {
        case .takenBack:
            #expect(money.standing == .none && money.taken == nil)
            #expect(spec.state.problem?.problem.kind == .paymentWithdrawn)
        case .reversedInPart: #expect(money.taken?.capturable == 6_000 && money.taken?.net == 6_000)
        case .readAfterLimit:
            #expect(spec.state.outcome == .completed && money.standing == .confirmed)
        case .refundFailed:
            #expect(money.requested.map(\.state) == [.refused] && money.taken?.net == 10_000)
        case .paidThoughRefused:
            #expect(spec.state.outcome == .completed)
            #expect(money.paidWith == .possible(attempt: 1, .card, because: .refused))
        }
    }

    private func spec(of kept: Kept) -> DeciderSpec {
        let answers = NewestAnswerTests()
        switch kept {
        case .takenBack:
            var failed = OrderSnapshot.sample
            failed.status = .failed
            failed.operations = []
            return answers.reread(answers.paid(), failed)
        case .reversedInPart:
            let done: [(type: String, amount: Amount?)] = [("Capture", 4_000), ("Reversal", 4_000)]
            let order = answers.order(.reversed, done, capturable: 6_000, reversible: 0)
            return answers.reread(answers.paid(), order)
        case .readAfterLimit:
            return payment().ready().after(SessionLimits().session - .seconds(40))
                .when(.refetch(by: "host")).when(response: .withSwishAndCard)
                .whenDue(.sessionLimit).when(response: .paid)
        case .refundFailed:
            var failed = answers.captured
            failed.failedTransactions = [FailedTransaction(type: "Reversal", number: 9)]
            return answers.reread(answers.accepted, failed)
        case .paidThoughRefused:
            return CardTests().authenticating(preset: "Y").when(response: .challenging())
                .when(client: .challengeCompleted(cRes: .sample("cres")))
                .when(outcome: .refused(400)).when(response: .paid)
        }
    }

    /// The lines of a log file, each with the MAC of the kept logs' key.
    private func lines(of spec: DeciderSpec) throws -> [UInt8] {
        let keys = try #require(SessionKeys(dataKey: Array(0..<32)))
        let stream = try #require(SessionID("0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"))
        var head = StreamHead.empty
        var lines: [UInt8] = []
        for entry in spec.log {
            let recorded = RecordedEvent(
                stream: stream,
                sequence: head.sequence + 1,
                at: entry.at,
                event: entry.event,
                metadata: EventMetadata(
                    build: "1.0.0",
                    catalogue: "sample",
                    cause: "input",
                    node: "node"
                )
            )
            let record = try RecordWriter.unsealedRecord(recorded, after: head, keys: keys)
            lines += LogLine.encode(record) + [UInt8(ascii: "\n")]
            head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
        return lines
    }
}
