import Foundation
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// redactionInvariant: a log means the same to the rules after redaction, at every prefix.
@Suite struct RedactorTests {
    private static let seeds: [UInt64] = (0..<10).map { 0x5EED_0700 + $0 * 1_009 }

    /// Redacts a log and compares both, as auditors and as rules read them.
    private func expectInvariant(
        _ log: [RecordedEvent],
        by decider: SessionDecider,
        _ comment: Comment
    ) throws {
        let planted = try PlantedLog(log)
        let redacted = try planted.redacted()
        let (head, damage) = LogVerifier<SessionEvent>.verify(redacted)
        #expect(damage == nil, comment)
        #expect(head.hash == planted.records.last?.hash, comment)
        let masked = Set(redacted.filter(\.isMasked).map(\.sequence))
        #expect(!masked.isEmpty, comment)
        #expect(try PlantedLog.redacted(redacted) == redacted, comment)
        let text = String(decoding: SampleLog.file(redacted), as: UTF8.self)
        for secret in [
            PlantedLog.card, PlantedLog.digits, PlantedLog.telephone, PlantedLog.token,
        ] {
            #expect(!text.contains(secret), comment)
        }
        let events = try redacted.map { try RecordReader.event(in: $0) }
        #expect(
            RulesSight.prefixes(of: events, by: decider)
                == RulesSight.prefixes(of: planted.events, by: decider),
            comment
        )
        let before = RulesSight.divergence(in: planted.events, by: decider)
        let after = RulesSight.divergence(in: events, by: decider, masked: masked)
        #expect(after?.sequence == before?.sequence, comment)
        #expect(
            after?.recorded.map(EventCodec.typeName) == before?.recorded.map(EventCodec.typeName)
        )
    }

    private func recorded(_ spec: DeciderSpec) -> [RecordedEvent] {
        spec.log.enumerated().map { index, entry in
            RecordedEvent(
                stream: spec.state.session,
                sequence: SequenceNumber(index + 1),
                at: entry.at,
                event: entry.event,
                metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
            )
        }
    }

    @Test(arguments: seeds)
    func `the rules decide the same on the redacted log of any payment`(
        base: UInt64
    ) throws {
        for seed in base..<(base + 5) {
            var sequence = CommandSequence(seed: seed)
            let spec = DeciderSpec { _, _ in }
                .when(.open(.sample()))
                .when(random: &sequence, count: 32) { _, _ in }
            try expectInvariant(recorded(spec), by: spec.decider, "seed \(seed)")
        }
    }

    @Test(arguments: GoldenPaymentTests.payments)
    func `the rules decide the same on the redacted log of a payment of an earlier build`(
        payment: GoldenPaymentTests.Golden
    ) throws {
        let file = PythonTool.root.appending(path: "Tests/Fixtures/Logs/\(payment.file).ndjson")
        let records = try GoldenLog.records(in: file)
        let decider = SessionDecider(catalogue: .sample)
        try expectInvariant(
            try records.map { try RecordReader.event(in: $0) },
            by: decider,
            "\(payment.file)"
        )
        // Unchanged, they contain nothing to mask.
        let redacted = try PlantedLog.redacted(records)
        #expect(redacted.allSatisfy { !$0.isMasked && $0.seals.isEmpty })
        #expect(redacted.map(\.canonical) == records.map(\.canonical))
    }

    @Test(arguments: GoldenLog.allCases)
    func `a redacted golden log verifies, and a Python script verifies it too`(
        log: GoldenLog
    ) throws {
        let events = try GoldenLog.records(in: log.file).map { try RecordReader.event(in: $0) }
        try expectInvariant(events, by: SessionDecider(catalogue: .sample), "\(log)")
        let redacted = SampleLog.file(try PlantedLog(events).redacted())
        let verdict = try PythonTool.verifyChain(redacted)
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.contains("text is masked"))
        #expect(try PythonTool.validate(redacted).status == 0)
    }

    @Test func `redaction changes only masked texts and removes the seals`() throws {
        let log = try SampleLog(seed: 0x5EED_0710, rounds: 4)
        let planted = try PlantedLog(try log.records.map { try RecordReader.event(in: $0) })
        for (before, after) in zip(planted.records, try planted.redacted()) {
            #expect(after.seals.isEmpty)
            #expect(after.hash == before.hash && after.previous == before.previous)
            #expect(
                SealedPlaces.numbered(in: after.canonical).map(\.number)
                    == SealedPlaces.numbered(in: before.canonical).map(\.number)
            )
            var (old, new) = (
                try RecordText(of: before, in: SessionEvent.self).value,
                try RecordText(of: after, in: SessionEvent.self).value
            )
            for path in after.masked {
                _ = old.change(path) { _ in "" }
                _ = new.change(path) { _ in "" }
            }
            #expect(old == new)
            #expect(try LogLine.decode(LogLine.encode(after)) == after)
        }
        let redacted = try planted.redacted()
        #expect(LogVerifier<SessionEvent>.verify(redacted).damage == nil)
    }

    @Test func `secrets in an event that this build does not know are masked as well`() throws {
        let stream = try #require(GoldenLog.stream)
        let data = #"{"deep":[{"text":"card 4111 1111 1111 1111"}],"number":7}"#
        let record = try RecordWriter.unsealedRecord(
            RecordedEvent(
                stream: stream,
                sequence: 1,
                at: Instant(microseconds: 1),
                event: .unknown(UnknownEvent(type: "later", version: 3, data: Array(data.utf8))),
                metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
            ),
            after: .empty
        )
        let redacted = try PlantedLog.redacted([record])
        #expect(redacted[0].masked == ["data"])
        let text = String(decoding: redacted[0].canonical, as: UTF8.self)
        #expect(text.contains(#""text":"card [card number]""#))
        #expect(LogVerifier<SessionEvent>.verify(redacted).damage == nil)
    }
}
