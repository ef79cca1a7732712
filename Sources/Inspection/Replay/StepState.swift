package import EventLog

/// The state after an event, line by line, with the lines that the event changed.
package struct StepState: Sendable {
    /// A line of the state.
    package struct Line: Hashable, Sendable {
        /// What the event did to the line; the raw value is the sign that shows it.
        package enum Change: String, Sendable {
            case same = " "
            case changed = "*"
            case added = "+"
            case removed = "-"
        }

        /// What the event did to the line.
        package var change: Change
        /// The path of the value in the view.
        package var path: String
        /// The value, safe to show on a terminal.
        package var value: String
    }

    /// The lines of the state, in its order; removed ones follow the others.
    package private(set) var lines: [Line] = []

    /// Creates the state after the event with a sequence number.
    package init(_ replay: Replay, at sequence: SequenceNumber) {
        let now = Self.leaves(replay.view(at: sequence).json)
        let before = sequence > 0 ? Self.leaves(replay.view(at: sequence - 1).json) : now
        let known = Dictionary(before, uniquingKeysWith: { first, _ in first })
        let names = Set(now.map(\.0))
        for (path, value) in now where path != "session" && path != "lastSeq" {
            let change: Line.Change =
                known[path].map { $0 == value ? .same : .changed } ?? .added
            guard value != "null" || change != .same else { continue }
            lines.append(Line(change: change, path: path, value: value))
        }
        // A value that was absent before is shown in the line that replaced it.
        for (path, value) in before where !names.contains(path) && value != "null" {
            lines.append(Line(change: .removed, path: path, value: value))
        }
        fold(now)
    }

    /// The possible choices are long and rarely important, so they are one line at the end; the
    /// order of the others is kept.
    private mutating func fold(_ now: [(String, String)]) {
        let isMethod = { (line: Line) in
            line.path == "methods" || line.path.hasPrefix("methods[")
        }
        let methods = lines.filter(isMethod)
        lines.removeAll(where: isMethod)
        guard let first = methods.first else { return }
        var names: [String] = []
        for (path, value) in now where path.hasPrefix("methods[") && path.hasSuffix(".instrument") {
            if !names.contains(value) { names.append(value) }
        }
        let changes = Set(methods.map(\.change))
        let change = changes.count == 1 ? first.change : .changed
        lines.append(
            Line(
                change: change,
                path: "methods",
                value: names.isEmpty ? "none" : names.joined(separator: ", ")
            )
        )
    }

    /// Returns the values of a document, each with its path.
    private static func leaves(_ value: JSONValue, _ path: String = "") -> [(String, String)] {
        switch value {
        case .object(let members) where !members.isEmpty:
            return members.flatMap {
                leaves($0.value, path.isEmpty ? $0.name : "\(path).\($0.name)")
            }
        case .array(let items) where !items.isEmpty:
            return items.enumerated().flatMap { leaves($0.element, "\(path)[\($0.offset)]") }
        case .string(let text): return [(Screen.safe(path), Screen.safe(text))]
        default: return [(Screen.safe(path), Screen.safe(JSONDocument.text(value)))]
        }
    }
}
