import Foundation
import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct GoldenLogTests {
    @Test(arguments: GoldenLog.allCases)
    func `the golden logs are written byte for byte as they were released`(log: GoldenLog) throws {
        let written = try log.written()
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

    @Test func `a log from before the first version reads through its upcaster and still verifies`()
        throws
    {
        let file = PythonTool.root.appending(path: "Tests/Fixtures/Logs/before-version-1.ndjson")
        let records = try GoldenLog.records(in: file)
        let upcasters = UpcasterRegistry([Self.attemptBeforeVersion1])
        let events = try records.map {
            try EventCodec.decode($0.canonical, upcasters: upcasters).event
        }
        #expect(
            events == [
                .attemptStarted(AttemptStarted(number: 1, choice: .swish(msisdn: nil))),
                .attemptStarted(
                    AttemptStarted(
                        number: 2,
                        choice: .card(rank: 3, token: Sealed(fingerprint: .zero))
                    )
                ),
                .retryRequested(RetryRequested(by: "payer")),
            ]
        )
        #expect(LogVerifier<SessionEvent>.verify(records, upcasters: upcasters).damage == nil)
        #expect(
            LogVerifier<SessionEvent>.verify(records).damage?.kind
                == .unreadable(.noUpcaster(type: "attemptStarted", version: 0))
        )
        #expect(try PythonTool.verifyChain(SampleLog.file(records)).status == 0)
        #expect(try PythonTool.validate(SampleLog.file(records)).status == 0)
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

    /// Before version 1, an attempt had the PSP's name of the method, and its number was `attempt`.
    static let attemptBeforeVersion1 = Upcaster(type: "attemptStarted", from: 0) {
        record throws(EventDecodingError) in
        var data = record.data
        guard case .string(let method) = data["method"] else { throw .missing(member: "method") }
        data["number"] = data["attempt"]
        data["attempt"] = nil
        data["method"] = nil
        let instrument = Instrument(offering: PaymentMethodName(rawValue: method))
        data["instrument"] = .string(instrument.rawValue)
        return data
    }
}
