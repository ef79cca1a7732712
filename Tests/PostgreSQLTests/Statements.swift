internal import CPQ
import Foundation

extension Cluster {
    /// Runs statements as the owner and returns their output, one row per line, with columns
    /// separated by `|`.
    ///
    /// Each call has a connection of its own, as if `psql` ran them, without starting a process.
    @discardableResult
    func sql(_ text: String, in database: String, as user: String = Cluster.owner) throws -> String
    {
        let target = "host=\(folder) port=\(port) user=\(user) dbname=\(database)"
        let connection = PQconnectdb(target)
        defer { PQfinish(connection) }
        func failure() -> ClusterError {
            ClusterError(what: PQerrorMessage(connection).map { String(cString: $0) } ?? "")
        }
        guard PQstatus(connection) == CONNECTION_OK else { throw failure() }
        // Notices are of no interest, and would be mixed with the tests' output.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard PQsendQuery(connection, text) == 1 else { throw failure() }
        var lines: [String] = []
        var failed: ClusterError?
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK: lines += Self.lines(of: result)
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default: failed = failure()
            }
        }
        if let failed { throw failed }
        guard PQstatus(connection) == CONNECTION_OK else { throw failure() }
        return lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the rows of a result, with nothing for a missing value.
    private static func lines(of result: OpaquePointer) -> [String] {
        (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetvalue(result, row, column).map { String(cString: $0) } ?? ""
            }.joined(separator: "|")
        }
    }
}
