import Foundation
import Testing

@testable import EventLog

/// The MACs of the logs that are kept.
@Suite struct GoldenMACTests {
    /// Logs from before records had MACs, which stay readable.
    static let older: Set<String> = [
        "Logs/before-version-1.ndjson", "Logs/payment-aborted.ndjson",
        "Logs/payment-declined-then-swish.ndjson", "Logs/payment-saved-card-challenge.ndjson",
        "Logs/payment-swish-this-device.ndjson",
    ]

    private static func records(of name: String) throws -> [StoredRecord] {
        try GoldenLog.records(in: PythonTool.root.appending(path: "Tests/Fixtures/\(name)"))
    }

    @Test(arguments: RequestLedgerTests.kept.filter { !older.contains($0) })
    func `every record of a kept log has a MAC that verifies, and a changed one is refused`(
        name: String
    ) throws {
        let keys = try GoldenLog.keys()
        let records = try Self.records(of: name)
        #expect(!records.isEmpty && records.allSatisfy { $0.mac != nil })
        let end = try #require(records.last)
        let head = keys.mac(of: StreamHead(sequence: end.sequence, hash: end.hash))
        #expect(keys.forgery(in: records, headMAC: head) == nil)
        let file = SampleLog.file(records)
        let key = (0..<32).map { String(format: "%02x", $0) }.joined()
        #expect(try PythonTool.verifyChain(file, ["--data-key", key]).status == 0)
        // Rewritten by someone who has no key: the chain is intact, the MAC is the earlier one.
        var rewritten = records
        let last = rewritten.count - 1
        rewritten[last].canonical.replace(
            Array("T".utf8),
            with: Array("t".utf8),
            maxReplacements: 1
        )
        rewritten[last].hash = HashChain.hash(
            rewritten[last].previous,
            rewritten[last].canonical
        )
        #expect(rewritten[last].hash != records[last].hash)
        #expect(keys.forgery(in: rewritten, headMAC: head) == records[last].sequence)
    }

    @Test func `the logs from before records had MACs have none, and are all known`() throws {
        #expect(Self.older.isSubset(of: RequestLedgerTests.kept))
        for name in Self.older {
            #expect(try Self.records(of: name).allSatisfy { $0.mac == nil }, "\(name)")
        }
    }
}
