import Foundation
import Testing

@testable import Adapters
@testable import EventStores

/// How the server finds the rows of a statement, and how much it reads.
struct Plan {
    private struct Node: Decodable {
        var kind: String
        var relation: String?
        var index: String?
        var rows: Double
        var loops: Double
        var hits: Int?
        var reads: Int?
        var parts: [Node]?

        enum CodingKeys: String, CodingKey {
            case kind = "Node Type"
            case relation = "Relation Name"
            case index = "Index Name"
            case rows = "Actual Rows"
            case loops = "Actual Loops"
            case hits = "Shared Hit Blocks"
            case reads = "Shared Read Blocks"
            case parts = "Plans"
        }

        var all: [Node] { [self] + (parts ?? []).flatMap(\.all) }
    }

    private struct Whole: Decodable {
        var root: Node

        enum CodingKeys: String, CodingKey { case root = "Plan" }
    }

    private let root: Node
    private let words: String

    /// Executes a statement, and returns its plan.
    ///
    /// `values` are written in SQL, separated by commas; `mode` is the server's `plan_cache_mode`.
    /// `beforehand` is SQL to run between preparing and executing the statement.
    static func of(
        _ statement: PQStatement,
        _ values: String,
        mode: String? = nil,
        beforehand: String = "",
        in database: Database
    ) throws -> Plan {
        let types = statement.parameters.map(\.word).joined(separator: ", ")
        let words = try database.sql(
            """
            \(mode.map { "SET plan_cache_mode = \($0);" } ?? "")
            PREPARE found (\(types)) AS \(statement.sql);
            \(beforehand)
            EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE found (\(values));
            """
        )
        let start = try #require(words.firstRange(of: "[\n  {"))
        let plans = try JSONDecoder().decode(
            [Whole].self,
            from: Data(words[start.lowerBound...].utf8)
        )
        return Plan(root: try #require(plans.first).root, words: words)
    }

    /// Expects that no table is scanned, and that at most a number of blocks is read.
    func expectKeys(blocks most: Int) {
        for node in root.all where node.relation != nil {
            #expect(node.kind != "Seq Scan", "\(node): \(words)")
        }
        #expect(blocks <= most, "\(blocks) blocks: \(words)")
    }

    /// Expects that a page of sessions is read by an index, and little beside it.
    func expectPage(rows: Int, _ what: String) {
        for node in root.all where node.relation == "sessions" {
            #expect(node.kind != "Seq Scan", "\(what): \(words)")
            #expect(node.rows * node.loops <= Double(8 * rows), "\(what): \(words)")
        }
        #expect(blocks <= 100 + 8 * rows, "\(what): \(blocks) blocks: \(words)")
    }

    /// The blocks of all parts together; what is read in memory counts as well.
    private var blocks: Int { (root.hits ?? 0) + (root.reads ?? 0) }

    /// Expects that sessions are read only by this index, and only so many; a row costs a few
    /// blocks.
    func expectIndex(_ index: String, rows: Int) {
        let reading = root.all.filter { $0.relation == "sessions" || $0.index == index }
        #expect(reading.count == 1, "\(words)")
        for node in reading {
            #expect(node.kind.hasPrefix("Index"), "\(words)")
            #expect(node.index == index, "\(words)")
            #expect(node.rows * node.loops <= Double(rows), "\(words)")
        }
        #expect(blocks <= 100 + 8 * rows, "\(blocks) blocks: \(words)")
    }
}

extension PQValue.TypeID {
    /// The type's name in SQL.
    fileprivate var word: String {
        switch self {
        case .bytes: "bytea"
        case .integer: "bigint"
        case .text: "text"
        case .identity: "uuid"
        case .blobs: "bytea[]"
        case .integers: "bigint[]"
        case .texts: "text[]"
        case .identities: "uuid[]"
        }
    }
}
