internal import Foundation
internal import Measuring

/// The results of one run, and its circumstances.
struct Report {
    var rows: [Row] = []
    var isQuick: Bool
    /// The disk's speed before and after, in microseconds per synced append.
    var syncMicroseconds: [Double] = []
    /// The processor pressure at the beginning and end of each row, in percent.
    var pressure: [Double] = []
    var load: [Double] = []
    /// The instructions per event of each kind of work, where they were counted.
    var instructions: [String: Int] = [:]

    /// The state of the machine in a line.
    var circumstances: String {
        """
        \(Machine.processors) processors; fsync probe \(list(syncMicroseconds, "%.0f")) µs; \
        CPU pressure \(list([pressure.min() ?? .nan, pressure.max() ?? .nan], "%.0f")) %, \
        load \(list([load.min() ?? .nan, load.max() ?? .nan], "%.1f"))\(isQuick ? "; quick run" : "")
        """
    }

    private func list(_ values: [Double], _ format: String) -> String {
        values.map { String(format: format, $0) }.joined(separator: "–")
    }

    /// The report as text for a terminal.
    var text: String {
        var lines = ["", circumstances, ""]
        for row in rows { lines += row.lines }
        let missed = rows.filter { $0.skipped != nil || $0.goals.contains { !$0.isMet } }
        lines.append(
            missed.isEmpty
                ? "Every reach was met."
                : "Not reached or not measured: " + missed.map(\.name).joined(separator: ", ")
        )
        return lines.joined(separator: "\n")
    }

    /// The report as JSON.
    func json() throws -> Data {
        let document: [String: Any] = [
            "quick": isQuick,
            "processors": Machine.processors,
            "fsyncMicroseconds": finite(syncMicroseconds),
            "processorPressurePercent": finite(pressure),
            "load": finite(load),
            "instructionsPerEvent": instructions,
            "rows": rows.map(\.document),
        ]
        return try JSONSerialization.data(
            withJSONObject: document,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
    }

    /// Reads lines of a kind of work and its instructions per event.
    mutating func readInstructions(in file: String) throws {
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let count = Int(words[1]) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            instructions[String(words[0])] = count
        }
    }

    private func finite(_ values: [Double]) -> [Double] { values.filter(\.isFinite) }
}
