import Foundation
import Testing

@testable import EventLog
@testable import SwedbankPay

/// The logs that fix the stored form: together one record of each type, and their session.
///
/// None of them is ever changed: a type that is added later gets a log of its own.
enum GoldenLog: String, CaseIterable {
    case everyEvent = "every-event"
    case paymentPage = "payment-page"
    case addressKnown = "address-known"
    case checkout = "checkout"
    case moneyResolved = "money-resolved"
    case failedByWhom = "failed-by-whom"

    static let stream = SessionID("0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f")
    static let file = everyEvent.file

    var file: URL { PythonTool.root.appending(path: "Tests/Fixtures/Logs/\(rawValue).ndjson") }

    /// Returns the events of the log.
    func events(_ seal: (String) -> Sealed) -> [SessionEvent] {
        switch self {
        case .everyEvent: GoldenEvents.all(seal)
        case .paymentPage: GoldenEvents.paymentPage(seal)
        case .checkout: GoldenEvents.checkout(seal)
        case .moneyResolved:
            MoneyResolution.Verdict.allCases.map { verdict in
                .operatorActed(
                    OperatorActed(
                        by: "ann",
                        action: OperatorActed.resolving,
                        reason: "admin: looked up",
                        resolution: MoneyResolution(
                            verdict: verdict,
                            amount: verdict == .notPaid ? nil : 12_500
                        )
                    )
                )
            }
        case .addressKnown: [.refetchRequested(RefetchRequested(by: "workflowctl"))]
        case .failedByWhom:
            [
                .failed(Failed(reason: .endReached, by: .person, money: MoneyState.Standing.none)),
                .failed(Failed(reason: .endReached, by: .engine, host: "shop.example")),
                .failed(Failed(reason: .orderFailed, by: .psp)),
            ]
        }
    }

    /// Returns the keys with which it was sealed and its records were authenticated.
    static func keys() throws -> SessionKeys { try keys(of: everyEvent.rawValue) }

    /// Returns the keys of a kept log.
    static func keys(of name: String) throws -> SessionKeys {
        try #require(SessionKeys(dataKey: dataKey(of: name)))
    }

    /// Returns the data key of a kept log: the one in `data-keys.json` for payments
    /// that were made against the sandbox, otherwise the bytes 0 to 31.
    static func dataKey(of name: String) throws -> [UInt8] {
        let key = PythonTool.root.appending(path: "Tests/Fixtures/Logs/data-keys.json")
        let keys = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: key))
        let log = name.split(separator: "/").last.map(String.init) ?? name
        guard let text = keys[log] else { return Array(0..<32) }
        return try #require(Digest256(hexadecimal: text)).bytes
    }

    /// Reads the records of a log file.
    static func records(in file: URL = file) throws -> [StoredRecord] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
            try LogLine.decode([UInt8]($0))
        }
    }

    /// Returns the records as this build writes them.
    func written() throws -> [StoredRecord] {
        let stream = try #require(Self.stream)
        var secrets = SecretTable()
        let keys = try Self.keys()
        let events = events { secrets.seal($0, with: keys) }
        let random = CountingBytes()
        var records: [StoredRecord] = []
        var head = StreamHead.empty
        for (index, event) in events.enumerated() {
            let recorded = RecordedEvent(
                stream: stream,
                sequence: head.sequence + 1,
                at: Instant(microseconds: 1_763_640_000_123_456 + Int64(index) * 1_500_000),
                event: event,
                metadata: EventMetadata(
                    build: "1.0.0",
                    catalogue: "2026-11-20",
                    cause: "command.open",
                    node: "node-å",
                    trace: index % 2 == 0 ? "" : "4bf92f3577b34da6a3ce929d0e0e4736"
                )
            )
            let record = try RecordWriter.record(
                recorded,
                after: head,
                keys: keys,
                secrets: secrets,
                random: random
            )
            records.append(record)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
        return records
    }
}
