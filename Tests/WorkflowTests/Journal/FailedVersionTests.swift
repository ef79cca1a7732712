import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// Version 2 of `failed` says who ended the session; version 1 is upcast as if it had.
@Suite struct FailedVersionTests {
    private static func record(_ data: String, version: Int, cause: String) throws -> RecordedEvent
    {
        RecordedEvent(
            stream: try #require(GoldenLog.stream),
            sequence: 9,
            at: Instant(microseconds: 1_763_640_000_000_000),
            event: .unknown(UnknownEvent(type: "failed", version: version, data: Array(data.utf8))),
            metadata: EventMetadata(build: "0.1.0", catalogue: "c", cause: cause, node: "n")
        )
    }

    @Test(arguments: [
        (#"{"reason":"configuration"}"#, "answer.e-1", Failed.Party.engine),
        (#"{"host":"shop.example","reason":"endReached"}"#, "answer.r-1", .engine),
        (#"{"reason":"orderFailed"}"#, "answer.r-2", .psp),
        (#"{"reason":"pageFailed"}"#, "report.a-3", .psp),
        (#"{"money":"none","reason":"endReached"}"#, "command.close", .person),
        // An earlier build did not record the money: the rest of the record determines it.
        (#"{"reason":"endReached"}"#, "command.close", .person),
    ])
    func `for version 1, members and cause determine who ended the session`(
        data: String,
        cause: String,
        party: Failed.Party
    ) throws {
        let old = EventCodec.encode(try Self.record(data, version: 1, cause: cause))
        guard case .failed(let failed) = try EventCodec.decode(old.canonical).event else {
            Issue.record("\(data) is not read as failed")
            return
        }
        #expect(failed.by == party)
        #expect(failed.isByHand == (party == .person))
        #expect((failed.money == nil) == !data.contains("money"))
        #expect((failed.host == nil) == !data.contains("host"))
    }

    @Test func `new records are written in version 2, and version 1 keeps its bytes`() throws {
        var event = try Self.record("{}", version: 1, cause: "command.close")
        event.event = .failed(Failed(reason: .endReached, money: .unknown))
        let text = String(decoding: EventCodec.encode(event).canonical, as: UTF8.self)
        #expect(text.contains(#""data":{"by":"person","money":"unknown","reason":"endReached"}"#))
        #expect(text.hasSuffix(#""type":"failed","v":2}"#))
        let old = try GoldenLog.records().filter { $0.type == "failed" }
        #expect(!old.isEmpty)
        for record in old {
            let line = String(decoding: LogLine.encode(record), as: UTF8.self)
            #expect(line.contains(#""type":"failed","v":1}"#))
            #expect(try LogLine.decode(Array(line.utf8)) == record)
        }
    }

    /// The events for a build that knows only version 1 of `failed`.
    private enum FirstBuild: LoggedEvent {
        case failed(EventData)
        case unknown(UnknownEvent)

        enum EventType: String, LoggedEventType { case failed }

        var eventType: EventType? { unknownEvent == nil ? .failed : nil }

        var unknownEvent: UnknownEvent? {
            if case .unknown(let event) = self { event } else { nil }
        }

        func writeData(to writer: inout CanonicalWriter) {
            if case .failed(let data) = self { data.write(to: &writer) }
        }

        static func read(
            _ type: EventType,
            from reader: inout CanonicalReader
        ) throws(EventDecodingError) -> FirstBuild { .failed(try EventData(from: &reader)) }
    }

    @Test func `a build that knows only version 1 keeps version 2 as an unknown event`() throws {
        let records = try GoldenLog.records(in: GoldenLog.failedByWhom.file)
        #expect(records.count == 3)
        #expect(LogVerifier<FirstBuild>.verify(records).damage == nil)
        for record in records {
            let event = try RecordReader.event(in: record, of: FirstBuild.self)
            let unknown = try #require(event.event.unknownEvent)
            #expect((unknown.type, unknown.version) == ("failed", 2))
            #expect(EventCodec.encode(event).canonical == record.canonical)
        }
        let old = try #require(try GoldenLog.records().first { $0.type == "failed" })
        #expect(try RecordReader.event(in: old, of: FirstBuild.self).event.unknownEvent == nil)
    }

    @Test(arguments: [1, 2])
    func `a secret in the host is masked in both versions`(version: Int) throws {
        let by = version == 1 ? "" : #""by":"engine","#
        let data = #"{\#(by)"host":"ann:hunter2@shop.example","reason":"endReached"}"#
        let event = try Self.record(data, version: version, cause: "answer.r-1")
        let head = StreamHead(sequence: event.sequence - 1, hash: .zero)
        let record = try RecordWriter.unsealedRecord(event, after: head)
        let redacted = try #require(try PlantedLog.redacted([record]).first)
        #expect(redacted.masked == ["data.host"])
        #expect(!String(decoding: redacted.canonical, as: UTF8.self).contains("hunter2"))
        #expect(try MaskClaim.fault(in: redacted, of: SessionEvent.self) == nil)
        #expect(throws: Never.self) { try RecordReader.event(in: redacted) }
    }

    @Test func `version 3 is kept as an unknown event by this build, and ends no session`() throws {
        let later = try Self.record(#"{"why":"later"}"#, version: 3, cause: "timer.due")
        let canonical = EventCodec.encode(later).canonical
        #expect(try EventCodec.decode(canonical) == later)
        // It ends no session: what this build cannot read, it leaves out.
        let ready = payment().ready()
        var state = ready.state
        state.apply(later.event, at: state.lastAt)
        #expect(state.sequence == ready.state.sequence + 1)
        #expect(state.outcome == nil && state.problem == nil)
        #expect(state.offers == ready.state.offers)
        #expect(ready.decider.phase(of: state) == ready.decider.phase(of: ready.state))
        let known = Failed(reason: .endReached, money: .unknown)
        state.apply(.failed(known), at: state.lastAt)
        #expect(state.outcome == .failed)
    }
}
