internal import SwedbankPay

/// The difference between expected and actual events, member by member.
struct EventDifference {
    /// A line for each difference; empty when the events are equal.
    let lines: [String]

    /// Compares two lists of events.
    init(expected: [SessionEvent], actual: [SessionEvent]) {
        var lines: [String] = []
        for index in 0..<max(expected.count, actual.count) {
            let number = "event \(index + 1)"
            switch (index < expected.count, index < actual.count) {
            case (true, true):
                let (wanted, got) = (expected[index], actual[index])
                if wanted == got { continue }
                if wanted.typeName != got.typeName {
                    lines.append("\(number): expected \(wanted.typeName), got \(got.typeName)")
                    lines.append("    got \(got)")
                } else {
                    lines.append("\(number), \(wanted.typeName):")
                    lines += Self.members(wanted, got).map { "    " + $0 }
                }
            case (true, false): lines.append("\(number): \(expected[index].typeName) is missing")
            case (false, _):
                lines.append("\(number): \(actual[index].typeName) was not named: \(actual[index])")
            }
        }
        self.lines = lines
    }

    private static func members(_ expected: SessionEvent, _ actual: SessionEvent) -> [String] {
        var (wanted, got) = ([Member](), [Member]())
        flatten(expected, at: "", into: &wanted)
        flatten(actual, at: "", into: &got)
        var lines: [String] = []
        for member in wanted {
            let other = got.first { $0.path == member.path }?.text ?? "nil"
            if other != member.text {
                lines.append("\(member.path): expected \(member.text), got \(other)")
            }
        }
        for member in got where !wanted.contains(where: { $0.path == member.path }) {
            lines.append("\(member.path): expected nil, got \(member.text)")
        }
        return lines.isEmpty ? ["expected \(expected), got \(actual)"] : lines
    }

    private struct Member {
        var path: String
        var text: String
    }

    private static func flatten(_ value: Any, at path: String, into members: inout [Member]) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let child = mirror.children.first else { return }
            return flatten(child.value, at: path, into: &members)
        }
        if let raw = value as? any RawRepresentable {
            return members.append(Member(path: path, text: "\(raw.rawValue)"))
        }
        let describesItself = value is any CustomStringConvertible && mirror.displayStyle == .struct
        if mirror.children.isEmpty || describesItself {
            return members.append(Member(path: path, text: "\(value)"))
        }
        for (index, child) in mirror.children.enumerated() {
            let label = child.label.map { $0.hasPrefix(".") ? "" : $0 } ?? "\(index)"
            let isCase = mirror.displayStyle == .enum && path.isEmpty
            let next = isCase || label.isEmpty ? path : path.isEmpty ? label : path + "." + label
            flatten(child.value, at: next, into: &members)
        }
    }
}
