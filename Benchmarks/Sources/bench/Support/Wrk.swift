internal import Foundation
internal import Measuring

/// The load generator `wrk`.
enum Wrk {
    /// How many connections it has.
    static let connections = 32

    /// Returns how many responses a second come to requests for one URL.
    static func rate(of url: String, token: String, seconds: Int) throws -> Double {
        let process = try start(of: url, token: token, seconds: seconds, connections: connections)
        var rate: Double?
        while let line = try? process.line() {
            let words = line.split(separator: " ")
            if words.first == "Requests/sec:" { rate = words.last.flatMap { Double($0) } }
            if line.contains("Non-2xx") {
                throw ChildProcess.Failure(description: "wrk: \(line)")
            }
        }
        _ = process.wait()
        guard let rate else { throw ChildProcess.Failure(description: "wrk measured nothing") }
        return rate
    }

    /// Starts requests for one URL, without a pause.
    static func start(
        of url: String,
        token: String,
        seconds: Int,
        connections: Int
    ) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/wrk",
            [
                "-t1", "-c\(connections)", "-d\(seconds)s", "-H", "Authorization: Bearer \(token)",
                url,
            ]
        )
    }
}
