import Foundation
import Testing

@testable import Adapters

/// A plan of the server for a statement, with the number of blocks that it read.
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

    /// Executes a statement and returns the plan that PostgreSQL used.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - values: The arguments as SQL literals, separated by commas.
    ///   - mode: The server's `plan_cache_mode`; `nil` leaves the default.
    ///   - beforehand: SQL that is executed between `PREPARE` and `EXECUTE`.
    ///   - database: The database.
    /// - Returns: The plan, with what was measured.
    /// - Throws: An error when the statement fails or its plan cannot be read.
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

    /// Expects no sequential scan, and at most this number of blocks.
    func expectKeys(blocks most: Int) {
        for node in root.all where node.relation != nil {
            #expect(node.kind != "Seq Scan", "\(node): \(words)")
        }
        #expect(blocks <= most, "\(blocks) blocks: \(words)")
    }

    /// The total of all nodes, including blocks that were in memory.
    private var blocks: Int { (root.hits ?? 0) + (root.reads ?? 0) }

    /// Expects that sessions are read by this index only, and at most this number of them; a row
    /// costs a few blocks.
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
    /// The SQL name of the type.
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
