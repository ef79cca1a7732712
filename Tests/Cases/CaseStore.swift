import Foundation
import Testing

@testable import Adapters
@testable import EventLog
@testable import EventStores
@testable import SwedbankPay
@testable import workflowctl

/// A store with all cases, and a clock two hours after the last of them.
struct CaseStore {
    let url: String
    let now: Instant

    /// Creates a store, passes it to a closure, and removes it.
    static func with(_ body: (CaseStore) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "cases-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let last = try #require(SupportCase.allCases.last)
        let end = last.payment(by: SessionDecider(catalogue: .bundled)).state.lastAt
        let store = CaseStore(url: "sqlite:\(folder)/cases.db", now: end + .seconds(7_200))
        try await fill(folder + "/cases.db")
        try await body(store)
    }

    /// Writes the cases as an engine of the store would have left them.
    private static func fill(_ path: String) async throws {
        let store = try await SQLiteEventStore(path: path)
        let decider = SessionDecider(catalogue: .bundled)
        for story in SupportCase.allCases {
            let file = CaseTests.folder.appendingPathComponent(story.rawValue + ".ndjson")
            let records = try Data(contentsOf: file).split(separator: 0x0A).map {
                var record = try LogLine.decode(Array($0))
                // The store has no data keys, so its records have no MACs.
                record.mac = nil
                return record
            }
            var state = SessionState(session: try #require(records.first).stream)
            for record in records {
                let recorded = try RecordReader.event(in: record)
                state.apply(recorded.event, at: recorded.at)
            }
            try await store.append(
                StreamAppend(
                    stream: state.session,
                    expectedVersion: 0,
                    records: records,
                    summary: decider.summary(of: state)
                )
            )
        }
        await store.close()
    }

    /// Returns the session of a case.
    static func session(_ story: SupportCase) -> String {
        "\(story.payment(by: SessionDecider(catalogue: .bundled)).state.session)"
    }

    /// Opens its file, to be read and altered without any check.
    func file() throws -> SQLiteConnection {
        try SQLiteConnection(
            path: String(url.dropFirst("sqlite:".count)),
            readOnly: false,
            busyTimeout: .seconds(5)
        )
    }

    /// Runs a command on the store.
    func run(
        _ arguments: String...,
        columns: Int? = nil
    ) async throws -> (status: workflowctl.ExitStatus, text: String) {
        try await run(arguments, columns: columns)
    }

    /// Runs a command on the store.
    func run(
        _ arguments: [String],
        columns: Int? = nil
    ) async throws -> (status: workflowctl.ExitStatus, text: String) {
        try await Terminal.run(["--store", url] + arguments, columns: columns, now: now)
    }
}
