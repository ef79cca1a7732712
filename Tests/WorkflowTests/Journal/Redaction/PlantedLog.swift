import Foundation
import Testing

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// A log with secrets in all text that may contain some, chained as if it had been written so.
struct PlantedLog {
    /// The planted secrets; none of them may be left after redaction.
    static let card = "4111 1111 1111 1111"
    static let digits = "4111111111111111"
    static let telephone = "+46739000001"
    static let token = "hunter2-is-secret"

    private(set) var records: [StoredRecord] = []
    private(set) var events: [RecordedEvent] = []
    /// The texts to which secrets were added: the rules copy some of them, and write others of
    /// their own.
    private var sources: Set<String> = []
    /// The new digests of responses, by the old ones.
    private var digests: [Digest256: Digest256] = [:]
    private var head = StreamHead.empty

    /// Plants secrets in a log.
    init(_ log: [RecordedEvent]) throws {
        for recorded in log {
            let plain = try RecordWriter.unsealedRecord(recorded, after: head)
            let event = try planted(plain)
            let record = try RecordWriter.unsealedRecord(event, after: head)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
            events.append(event)
        }
    }

    private mutating func planted(_ record: StoredRecord) throws -> RecordedEvent {
        var value = try RecordText(of: record, in: SessionEvent.self).value
        let paths = MaskableMembers<SessionEvent>.paths(
            of: record.type,
            version: EventType(name: record.type)?.version ?? 1
        )
        var sources = sources
        for (path, style) in paths.sorted(by: { $0.key < $1.key }) {
            // Who requested a last read is a name that the rules know.
            if record.type == "refetchRequested", path == "data.by" { continue }
            _ = value.change(path) { text in
                guard record.type != "problem" || sources.contains(text) else { return nil }
                sources.insert(text)
                return Self.planted(text, style)
            }
        }
        self.sources = sources
        var event = try EventCodec.decode(try value.canonical())
        event.event = renewed(event.event)
        return event
    }

    private static func planted(_ text: String, _ style: Mask.Style) -> String {
        switch style {
        case .text: "\(text) \(card), \(telephone)"
        case .word: digits + "x" + text.prefix(13)
        case .address:
            text.contains("://")
                ? text + (text.contains("?") ? "&" : "?") + "password=\(token)"
                : digits + "." + text
        }
    }

    /// Returns an event with the digest of the altered response.
    private mutating func renewed(_ event: SessionEvent) -> SessionEvent {
        switch event {
        case .fetched(var fetched):
            let digest = fetched.snapshot.map { SnapshotCodec.digest(of: $0) }
            if let digest { digests[fetched.digest] = digest }
            fetched.digest = digest ?? digests[fetched.digest] ?? fetched.digest
            return .fetched(fetched)
        case .checkout(.orderFetched(var fetched)):
            let digest = fetched.order.map { SnapshotCodec.digest(of: $0) }
            if let digest { digests[fetched.digest] = digest }
            fetched.digest = digest ?? digests[fetched.digest] ?? fetched.digest
            return .checkout(.orderFetched(fetched))
        default: return event
        }
    }

    /// Returns the log after redaction.
    func redacted() throws -> [StoredRecord] { try Self.redacted(records) }

    /// Returns records after redaction.
    static func redacted(_ records: [StoredRecord]) throws -> [StoredRecord] {
        var redactor = Redactor()
        return try records.map { try redactor.redact($0) }
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
        by decider: SessionDecider,
        masked: Set<SequenceNumber> = []
    ) -> ReplayCheck.Divergence? {
        guard let session = events.first?.stream else { return nil }
        var check = ReplayCheck(of: session, by: decider, masked: masked)
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
