import Foundation
import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// redactionInvariant: a log means the same to the rules after redaction, at every prefix.
@Suite(.guarantee(.redactionInvariant)) struct RedactionTests {
    private static let seeds: [UInt64] = (0..<10).map { 0x5EED_0700 + $0 * 1_009 }

    /// Redacts a log and compares both, as auditors and as rules read them.
    private func expectInvariant(_ records: [StoredRecord], _ comment: Comment) throws {
        let decider = SessionDecider(catalogue: .sample)
        let redacted = try Self.redacted(records)
        var restored = redacted
        for index in restored.indices { restored[index].seals = records[index].seals }
        #expect(restored == records && redacted.allSatisfy { $0.seals.isEmpty }, comment)
        let (head, damage) = LogVerifier<SessionEvent>.verify(redacted)
        #expect(damage == nil && head.hash == records.last?.hash, comment)
        #expect(try Self.redacted(redacted) == redacted, comment)
        for record in redacted { #expect(try LogLine.decode(LogLine.encode(record)) == record) }
        let events = try records.map { try RecordReader.event(in: $0) }
        let after = try redacted.map { try RecordReader.event(in: $0) }
        #expect(
            RulesSight.prefixes(of: after, by: decider)
                == RulesSight.prefixes(of: events, by: decider),
            comment
        )
        #expect(
            RulesSight.divergence(in: after, by: decider)
                == RulesSight.divergence(in: events, by: decider),
            comment
        )
    }

    private static func redacted(_ records: [StoredRecord]) throws -> [StoredRecord] {
        var redaction = LogRedaction()
        return try records.map { try redaction.redact($0) }
    }

    @Test(arguments: seeds)
    func `the rules decide the same on the redacted log of any payment`(base: UInt64) throws {
        for seed in base..<(base + 5) {
            var sequence = CommandSequence(seed: seed)
            let spec = DeciderSpec { _, _ in }
                .when(.open(.sample()))
                .when(random: &sequence, count: 32) { _, _ in }
            var head = StreamHead.empty
            let keys = try GoldenLog.keys()
            let records = try spec.log.map { entry in
                let record = try RecordWriter.unsealedRecord(
                    RecordedEvent(
                        stream: spec.state.session,
                        sequence: head.sequence + 1,
                        at: entry.at,
                        event: entry.event,
                        metadata: EventMetadata(
                            build: "1",
                            catalogue: "1",
                            cause: "test",
                            node: "n"
                        )
                    ),
                    after: head,
                    keys: keys
                )
                head = StreamHead(sequence: record.sequence, hash: record.hash)
                return record
            }
            try expectInvariant(records, "seed \(seed)")
        }
    }

    @Test(arguments: RequestLedgerTests.kept)
    func `a kept log that is redacted verifies with and without keys, also in Python`(
        name: String
    ) throws {
        let file = PythonTool.root.appending(path: "Tests/Fixtures/\(name)")
        let records = try GoldenLog.records(in: file)
        try expectInvariant(records, "\(name)")
        let redacted = try Self.redacted(records)
        let keys = try GoldenLog.keys(of: name)
        let end = try #require(redacted.last)
        let head = StreamHead(sequence: end.sequence, hash: end.hash)
        #expect(keys.forgery(in: redacted, headMAC: keys.mac(of: head)) == nil)
        let lines = SampleLog.file(redacted)
        let key = try GoldenLog.dataKey(of: name).map { String(format: "%02x", $0) }.joined()
        #expect(try PythonTool.verifyChain(lines, ["--data-key", key]).status == 0)
        #expect(try PythonTool.validate(lines).status == 0)
    }

    @Test func `an altered log is not redacted`() throws {
        var records = try GoldenLog.records()
        records[2].canonical.replace(Array("T".utf8), with: Array("t".utf8), maxReplacements: 1)
        #expect(throws: LogDamage.self) { try Self.redacted(records) }
    }
}

/// Compares two logs of a session from the rules' point of view.
enum RulesSight {
    /// Returns the results of the rules for each prefix of a log.
    static func prefixes(of events: [RecordedEvent], by decider: SessionDecider) -> [String] {
        guard let session = events.first?.stream else { return [] }
        var state = SessionState(session: session)
        return events.map { recorded in
            state.apply(recorded.event, at: recorded.at)
            let summary = decider.summary(of: state)
            let effects = decider.pendingEffects(of: state).map(words).joined(separator: ", ")
            let actions = state.actions.map { "\($0.id.rawValue) \($0.isOpen)" }
            return """
                \(state.sequence) \(summary.phase) \(String(describing: summary.outcome)) \
                \(summary.isSettled) \(String(describing: summary.dueAt)) \
                \(String(describing: summary.label)) \(state.attemptCount) \(actions) [\(effects)]
                """
        }
    }

    /// Describes a pending effect, without the text that it carries.
    private static func words(_ effect: Effect) -> String {
        switch effect {
        case .wait(let timer, let until): "wait \(timer) \(until)"
        case .request(let request):
            "call \(request.id.rawValue) \(request.rel.rawValue) \(request.method ?? "") \(request.href.fingerprint) "
                + "\(String(describing: request.notBefore)) \(request.tryNumber) \(request.isPoll) "
                + "\(String(describing: request.attempt))"
        }
    }

    /// Returns where a log's decisions first differ from those of the rules.
    static func divergence(
        in events: [RecordedEvent],
        by decider: SessionDecider
    ) -> ReplayCheck.Divergence? {
        guard let session = events.first?.stream else { return nil }
        var check = ReplayCheck(of: session, by: decider)
        do throws(ReplayCheck.Divergence) {
            for (index, event) in events.enumerated() {
                let next = index + 1 < events.count ? events[index + 1].event : nil
                try check.verify(event, followedBy: next)
            }
            try check.finish()
            return nil
        } catch {
            return error
        }
    }
}
