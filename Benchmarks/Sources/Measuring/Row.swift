internal import Foundation

/// One row of the table: what was measured, compared with what, and whether it reached its goals.
package struct Row: Sendable {
    /// The name for `--only`.
    package var name: String
    /// What was measured.
    package var what: String
    /// The baseline, measured in the same run.
    package var baseline: String
    /// The measured numbers.
    package var figures: [Figure] = []
    /// The goals, and whether they were reached.
    package var goals: [Goal] = []
    /// How the numbers were obtained, where that is not obvious.
    package var notes: [String] = []
    /// Why nothing was measured; `nil` if something was.
    package var skipped: String?

    /// Creates a row without numbers.
    package init(name: String, what: String, baseline: String) {
        self.name = name
        self.what = what
        self.baseline = baseline
    }

    /// Adds a number.
    package mutating func add(_ label: String, _ value: Double, _ unit: String) {
        figures.append(Figure(label: label, value: value, unit: unit))
    }

    /// Adds a minimum for a number.
    package mutating func expect(
        _ label: String,
        _ value: Double,
        atLeast limit: Double,
        _ unit: String
    ) {
        goals.append(
            Goal(label: label, value: value, limit: limit, isMinimum: true, unit: unit)
        )
    }

    /// Adds a maximum for a number.
    package mutating func expect(
        _ label: String,
        _ value: Double,
        atMost limit: Double,
        _ unit: String
    ) {
        goals.append(
            Goal(label: label, value: value, limit: limit, isMinimum: false, unit: unit)
        )
    }
}

/// A measured number.
package struct Figure: Sendable {
    package var label: String
    package var value: Double
    package var unit: String
}

/// A number with a limit.
package struct Goal: Sendable {
    package var label: String
    package var value: Double
    package var limit: Double
    /// Whether the goal is a minimum.
    package var isMinimum: Bool
    package var unit: String

    /// Whether the goal was reached.
    package var isMet: Bool { isMinimum ? value >= limit : value <= limit }
}

extension Row {
    /// Returns the row as text for a terminal.
    package var lines: [String] {
        var lines = ["\(name): \(what)", "    against: \(baseline)"]
        if let skipped { lines.append("    SKIPPED \(skipped)") }
        for figure in figures {
            lines.append("    \(figure.label): \(Self.number(figure.value)) \(figure.unit)")
        }
        for goal in goals {
            let sign = goal.isMinimum ? "≥" : "≤"
            let mark = goal.isMet ? "ok    " : "MISSED"
            lines.append(
                "    \(mark) \(goal.label): \(Self.number(goal.value)) \(goal.unit)"
                    + " (\(sign) \(Self.number(goal.limit)))"
            )
        }
        for note in notes { lines.append("    note: \(note)") }
        return lines + [""]
    }

    /// Returns a number with three significant digits.
    package static func number(_ value: Double) -> String {
        switch abs(value) {
        case 1e6...: String(format: "%.2f M", value / 1e6)
        case 1e4...: String(format: "%.1f k", value / 1e3)
        case 100...: String(format: "%.0f", value)
        case 10...: String(format: "%.1f", value)
        default: String(format: "%.2f", value)
        }
    }

    /// The row as a JSON object.
    package var document: [String: Any] {
        var document: [String: Any] = [
            "name": name, "what": what, "baseline": baseline, "notes": notes,
            "figures": figures.map { figure -> [String: Any] in
                [
                    "label": figure.label, "unit": figure.unit,
                    "value": figure.value.isFinite ? figure.value as Any : NSNull(),
                ]
            },
            "goals": goals.map { goal -> [String: Any] in
                [
                    "label": goal.label, "unit": goal.unit, "limit": goal.limit,
                    "bound": goal.isMinimum ? "atLeast" : "atMost", "met": goal.isMet,
                    "value": goal.value.isFinite ? goal.value as Any : NSNull(),
                ]
            },
        ]
        document["skipped"] = skipped
        return document
    }
}
