import Foundation
import TestSupport

/// One session's log, read from the output of `workflowctl export` without any code of the engine.
struct PaymentLog {
    struct Record {
        var sequence: Int
        var type: String
        var at: String
        var data: [String: Any]
        var previous: String
        var hash: String
        var cause: String

        func text(_ name: String) -> String? { data[name] as? String }
    }

    var session: String
    var records: [Record]

    /// Reads the logs in a file, by session.
    static func read(_ path: String) throws -> [String: PaymentLog] {
        var logs: [String: PaymentLog] = [:]
        for line in try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A) {
            guard let members = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                let record = members["record"] as? [String: Any],
                let stream = record["stream"] as? String, let number = record["seq"] as? Int
            else { throw CampaignError("a line of \(path) is no record") }
            let meta = record["meta"] as? [String: Any]
            logs[stream, default: PaymentLog(session: stream, records: [])].records.append(
                Record(
                    sequence: number,
                    type: record["type"] as? String ?? "",
                    at: record["at"] as? String ?? "",
                    data: record["data"] as? [String: Any] ?? [:],
                    previous: members["prev"] as? String ?? "",
                    hash: members["hash"] as? String ?? "",
                    cause: meta?["cause"] as? String ?? ""
                )
            )
        }
        return logs
    }

    /// Reads the hash of each record in a file, which `verify` has compared with the record, by
    /// session.
    static func hashes(in path: String) throws -> [String: [String]] {
        try read(path).mapValues { $0.records.map(\.hash) }
    }

    /// Reads the logs of a store.
    static func read(of place: Place, store: String? = nil) async throws -> [String: PaymentLog] {
        let path = place.folder + "/export.ndjson"
        let exported = try await place.tool(["export", "-o", path], store: store)
        guard exported.status == 0 else { throw CampaignError(exported.words) }
        return try read(path)
    }

    /// The merchant's reference.
    var reference: String? {
        records.first { $0.type == "opened" || $0.type == "checkoutOpened" }?.text("reference")
    }

    var isCheckout: Bool { records.first?.type == "checkoutOpened" }

    /// The PSP's identifier of a checkout's order.
    var order: String? {
        for record in records where record.type == "orderFetched" {
            let order = record.data["order"] as? [String: Any]
            if let id = order?["id"] as? String {
                return id.split(separator: "/").last.map(String.init)
            }
        }
        return nil
    }

    /// The types of events that end a session.
    static let ends: Set<String> = ["completed", "canceled", "failed", "expired"]

    /// The outcome.
    var outcome: String? { records.first { Self.ends.contains($0.type) }?.type }

    /// The number of requests that were about to leave, by their kind.
    var started: [String: Int] {
        records.reduce(into: [:]) { counts, record in
            if record.type == "operationStarted" {
                counts[record.text("rel") ?? "", default: 0] += 1
            }
        }
    }

    /// The attempts whose start was about to leave.
    var startedAttempts: Set<Int> {
        Set(
            records.compactMap { record in
                guard record.type == "operationStarted",
                    record.text("rel") == "start-payment-attempt"
                else { return nil }
                return record.data["attempt"] as? Int
            }
        )
    }

    /// The events, in lines for a person.
    var timeline: String {
        records.map { record in
            let words = [
                "rel", "outcome", "try", "reach", "code", "number", "instrument", "action",
            ]
            .compactMap { name in record.data[name].map { "\(name)=\($0)" } }
            return "    \(record.sequence) \(record.at) \(record.type) "
                + words.joined(separator: " ") + " (\(record.cause))"
        }.joined(separator: "\n")
    }
}
