package import EventLog
internal import SwedbankPay

/// The differences between two views, member by member.
package struct ViewDifference {
    /// A member with different values.
    struct Change: Hashable {
        var path: String
        var before: JSONValue?
        var after: JSONValue?
    }

    private(set) var changes: [Change] = []

    package init(_ before: JSONValue, _ after: JSONValue) { compare(before, after, at: "") }

    /// The differences as JSON.
    package var json: JSONValue {
        .array(
            changes.map {
                .object([
                    .init("path", .string($0.path)), .init("from", $0.before ?? .null),
                    .init("to", $0.after ?? .null),
                ])
            }
        )
    }

    /// The differences as text, without `lastSeq`, which changes with every event.
    package func lines(_ style: Style) -> [StyledText] {
        changes.filter { $0.path != "lastSeq" }.map {
            let (before, after) = (Self.text($0.before), Self.text($0.after))
            return style.paint(Screen.safe($0.path), .accent) + ": " + before
                + style.paint(style.isUnicode ? " → " : " -> ", .dim) + after
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        Screen.cut(Screen.safe(value.map { JSONDocument.text($0) } ?? "none"), to: 120)
    }

    private mutating func compare(_ before: JSONValue, _ after: JSONValue, at path: String) {
        guard before != after else { return }
        switch (before, after) {
        case (.object(let left), .object(let right)):
            for member in left {
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                guard let other = after[member.name] else {
                    changes.append(Change(path: place, before: member.value, after: nil))
                    continue
                }
                compare(member.value, other, at: place)
            }
            for member in right where before[member.name] == nil {
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                changes.append(Change(path: place, before: nil, after: member.value))
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            for (index, pair) in zip(left, right).enumerated() {
                compare(pair.0, pair.1, at: "\(path)[\(index)]")
            }
        default: changes.append(Change(path: path, before: before, after: after))
        }
    }
}
