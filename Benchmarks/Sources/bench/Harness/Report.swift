internal import Foundation

/// What one run measured, and the circumstances.
struct Report {
    var rows: [Row] = []
    var isQuick: Bool
    /// The disk before and after, in microseconds a synced append.
    var syncMicroseconds: [Double] = []
    /// The processor pressure when each row began and ended, in percent.
    var pressure: [Double] = []
    var load: [Double] = []

    /// The circumstances in a line.
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
        for row in rows { lines += Self.lines(of: row) }
        let missed = rows.filter { $0.skipped != nil || $0.goals.contains { !$0.isMet } }
        lines.append(
            missed.isEmpty
                ? "Every reach was met."
                : "Not reached or not measured: " + missed.map(\.name).joined(separator: ", ")
        )
        return lines.joined(separator: "\n")
    }

    private static func lines(of row: Row) -> [String] {
        var lines = ["\(row.name): \(row.what)", "    against: \(row.baseline)"]
        if let skipped = row.skipped { lines.append("    SKIPPED \(skipped)") }
        for figure in row.figures {
            lines.append("    \(figure.label): \(number(figure.value)) \(figure.unit)")
        }
        for goal in row.goals {
            let sign = goal.isMinimum ? "≥" : "≤"
            let mark = goal.isMet ? "ok    " : "MISSED"
            lines.append(
                "    \(mark) \(goal.label): \(number(goal.value)) \(goal.unit)"
                    + " (\(sign) \(number(goal.limit)))"
            )
        }
        for note in row.notes { lines.append("    note: \(note)") }
        return lines + [""]
    }

    /// A number with three digits that count.
    static func number(_ value: Double) -> String {
        switch abs(value) {
        case 1e6...: String(format: "%.2f M", value / 1e6)
        case 1e4...: String(format: "%.1f k", value / 1e3)
        case 100...: String(format: "%.0f", value)
        case 10...: String(format: "%.1f", value)
        default: String(format: "%.2f", value)
        }
    }

    /// The report as JSON.
    func json() throws -> Data {
        let document: [String: Any] = [
            "quick": isQuick,
            "processors": Machine.processors,
            "fsyncMicroseconds": finite(syncMicroseconds),
            "processorPressurePercent": finite(pressure),
            "load": finite(load),
            "rows": rows.map(document(of:)),
        ]
        return try JSONSerialization.data(
            withJSONObject: document,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
    }

    private func finite(_ values: [Double]) -> [Double] { values.filter(\.isFinite) }

    private func document(of row: Row) -> [String: Any] {
        var document: [String: Any] = [
            "name": row.name, "what": row.what, "baseline": row.baseline, "notes": row.notes,
            "figures": row.figures.map { figure -> [String: Any] in
                [
                    "label": figure.label, "unit": figure.unit,
                    "value": figure.value.isFinite ? figure.value as Any : NSNull(),
                ]
            },
            "goals": row.goals.map { goal -> [String: Any] in
                [
                    "label": goal.label, "unit": goal.unit, "limit": goal.limit,
                    "bound": goal.isMinimum ? "atLeast" : "atMost", "met": goal.isMet,
                    "value": goal.value.isFinite ? goal.value as Any : NSNull(),
                ]
            },
        ]
        document["skipped"] = row.skipped
        return document
    }
}
