import Foundation
import Testing

@testable import EventLog

/// The MACs of the logs that are kept.
@Suite struct GoldenMACTests {
    private static func records(of name: String) throws -> [StoredRecord] {
        try GoldenLog.records(in: PythonTool.root.appending(path: "Tests/Fixtures/\(name)"))
    }

    @Test(arguments: RequestLedgerTests.kept)
    func `every record of a kept log has a MAC that verifies, and a changed one is refused`(
        name: String
    ) throws {
        let keys = try GoldenLog.keys(of: name)
        let records = try Self.records(of: name)
        #expect(!records.isEmpty && records.allSatisfy { $0.mac != nil })
        let end = try #require(records.last)
        let head = keys.mac(of: StreamHead(sequence: end.sequence, hash: end.hash))
        #expect(keys.forgery(in: records, headMAC: head) == nil)
        let file = SampleLog.file(records)
        let key = try GoldenLog.dataKey(of: name).map { String(format: "%02x", $0) }.joined()
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
}
