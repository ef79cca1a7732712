import Foundation
import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct GoldenLogTests {
    @Test(arguments: GoldenLog.allCases)
    func `the golden logs are written byte for byte as they were released`(log: GoldenLog) throws {
        let written = try log.written()
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try Data(SampleLog.file(written)).write(to: log.file)
        }
        let stored = try Data(contentsOf: log.file)
        #expect(SampleLog.file(written) == [UInt8](stored))
    }

    @Test func `every event type has a record in a golden log`() throws {
        let written = try GoldenLog.allCases.flatMap { try $0.written() }
        #expect(Set(written.map(\.type)) == Set(EventType.allCases.map(\.name)))
    }

    @Test(arguments: GoldenLog.allCases)
    func `a golden log verifies, decodes and unseals`(log: GoldenLog) throws {
        let records = try GoldenLog.records(in: log.file)
        #expect(LogVerifier<SessionEvent>.verify(records, stream: GoldenLog.stream).damage == nil)
        #expect(try PythonTool.verifyChain(SampleLog.file(records)).status == 0)
        let keys = try GoldenLog.keys()
        var secrets = SecretTable()
        for record in records {
            let opened = RecordReader.unseal(record, with: keys)
            #expect(opened.failed.isEmpty)
            secrets.merge(opened.secrets)
        }
        let events = try records.map { try RecordReader.event(in: $0).event }
        #expect(events == log.events { Sealed(fingerprint: keys.fingerprint(of: $0)) })
        guard log == .everyEvent else { return }
        guard case .opened(let opened) = try #require(events.first) else {
            Issue.record("the log doesn't begin with opened")
            return
        }
        #expect(secrets[opened.sessionURL] == "https://api.example/psp/paymentsessions/secret")
    }

    @Test func `upcasters are applied in sequence, and the error names a missing one`() throws {
        let renamed = Upcaster(type: "t", from: 0) { record throws(EventDecodingError) in
            var data = record.data
            data["b"] = data["a"]
            data["a"] = nil
            return data
        }
        let doubled = Upcaster(type: "t", from: 1) { record throws(EventDecodingError) in
            var data = record.data
            guard case .integer(let number) = data["b"] else { throw .missing(member: "b") }
            data["b"] = .integer(number * 2)
            return data
        }
        let old = RecordedEvent(
            stream: try #require(GoldenLog.stream),
            sequence: 7,
            at: Instant(microseconds: 0),
            event: .unknown(
                UnknownEvent(type: "t", version: 0, data: Array("{\"a\":21,\"c\":\"å\"}".utf8))
            ),
            metadata: EventMetadata(build: "", catalogue: "", cause: "timer", node: "n")
        )
        let canonical = EventCodec.encode(old).canonical
        let data = try OlderRecord(try RecordEnvelope(of: canonical), of: canonical)
        #expect((data.sequence, data.at, data.metadata) == (7, old.at, old.metadata))
        let both = UpcasterRegistry([renamed, doubled])
        #expect(
            try both.upcast(data, of: "t", from: 0, to: 2) == Array("{\"b\":42,\"c\":\"å\"}".utf8)
        )
        for (steps, missing) in [([renamed], 1), ([doubled], 0)] {
            #expect(throws: EventDecodingError.noUpcaster(type: "t", version: missing)) {
                try UpcasterRegistry(steps).upcast(data, of: "t", from: 0, to: 2)
            }
        }
        #expect(throws: EventDecodingError.missing(member: "b")) {
            try both.upcast(data, of: "t", from: 1, to: 2)
        }
        #expect(throws: EventDecodingError.noUpcaster(type: "t", version: -1)) {
            try both.upcast(data, of: "t", from: -1, to: 2)
        }
    }
}
