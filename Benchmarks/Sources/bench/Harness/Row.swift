/// One line of the table: what was measured, against what, and how far it reaches.
struct Row: Sendable {
    /// The name that `--only` takes.
    var name: String
    /// What was measured.
    var what: String
    /// What it is compared with, in the same run.
    var baseline: String
    /// The measured numbers.
    var figures: [Figure] = []
    /// What is to be reached, and whether it was.
    var goals: [Goal] = []
    /// How the numbers came about, where that isn't obvious.
    var notes: [String] = []
    /// Why nothing was measured; nothing when something was.
    var skipped: String?

    /// Adds a number.
    mutating func add(_ label: String, _ value: Double, _ unit: String) {
        figures.append(Figure(label: label, value: value, unit: unit))
    }

    /// Adds a goal that a number has to be at least.
    mutating func expect(_ label: String, _ value: Double, atLeast limit: Double, _ unit: String) {
        goals.append(
            Goal(label: label, value: value, limit: limit, isMinimum: true, unit: unit)
        )
    }

    /// Adds a goal that a number has to be at most.
    mutating func expect(_ label: String, _ value: Double, atMost limit: Double, _ unit: String) {
        goals.append(
            Goal(label: label, value: value, limit: limit, isMinimum: false, unit: unit)
        )
    }
}

/// A measured number.
struct Figure: Sendable {
    var label: String
    var value: Double
    var unit: String
}

/// A number that has something to reach.
struct Goal: Sendable {
    var label: String
    var value: Double
    var limit: Double
    /// Whether more is better.
    var isMinimum: Bool
    var unit: String

    /// Whether it was reached.
    var isMet: Bool { isMinimum ? value >= limit : value <= limit }
}
