internal import Inspection
internal import SwedbankPay

/// A log, folded up to any place.
struct Replay {
    let log: SessionLog
    let decider: SessionDecider
    let disclosure: Disclosure

    /// The view after the event at a place.
    func view(at sequence: Int64) -> SessionView {
        SessionView(log.state(at: sequence), by: decider, disclosing: disclosure)
    }

    /// Shows the session as it was.
    func tellView(at sequence: Int64, _ invocation: Invocation, asJSON: Bool) {
        let view = view(at: sequence)
        if asJSON {
            invocation.print(view.json)
        } else {
            invocation.output.write(
                ViewText(
                    view,
                    style: invocation.output.style,
                    program: invocation.program,
                    isDriving: false
                ).text
            )
            let style = invocation.output.style
            for line in StepOwed(log.state(at: sequence), by: decider).lines {
                invocation.print(style.paint(Screen.padded("owed", to: 11), .dim) + line)
            }
        }
    }

    /// Shows what changed between two places.
    func tellDifference(_ range: ClosedRange<Int64>, _ invocation: Invocation, asJSON: Bool) {
        let changes = ViewDifference(
            view(at: range.lowerBound).json,
            view(at: range.upperBound).json
        )
        if asJSON {
            invocation.print(
                .object([
                    .init("session", .string("\(log.session)")),
                    .init("from", .integer(range.lowerBound)),
                    .init("to", .integer(range.upperBound)), .init("changes", changes.json),
                ])
            )
        } else {
            changes.lines(invocation.output.style).forEach { invocation.print($0) }
        }
    }

    /// Shows each event and what it changed in the view.
    func tellSteps(upTo end: Int64, _ invocation: Invocation, asJSON: Bool) {
        var state = SessionState(session: log.session)
        var before = SessionView(state, by: decider, disclosing: disclosure).json
        let begin = log.events.first?.at ?? Instant(microseconds: 0)
        let style = invocation.output.style
        for recorded in log.events.prefix(Int(clamping: end)) {
            state.apply(recorded.event, at: recorded.at)
            let view = SessionView(state, by: decider, disclosing: disclosure).json
            if asJSON {
                let step = JSONValue.object([
                    .init("seq", .integer(recorded.sequence)),
                    .init("at", .string("\(recorded.at)")),
                    .init("type", .string(EventCodec.typeName(of: recorded.event))),
                    .init("view", view),
                    .init(
                        "owed",
                        .array(StepOwed(state, by: decider).lines.map { .string($0) })
                    ),
                ])
                invocation.print(line: step)
            } else {
                let line = EventWords(recorded.event).line(
                    at: recorded.at,
                    since: begin,
                    in: style
                )
                let place = Screen.padded("\(recorded.sequence)", to: 4)
                invocation.print(style.paint(place, .dim) + line)
                for change in ViewDifference(before, view).lines(style) {
                    invocation.print("               " + change)
                }
            }
            before = view
        }
    }
}

/// What is different between two views, member by member.
struct ViewDifference {
    /// One member that is different.
    struct Change: Hashable {
        var path: String
        var before: JSONValue?
        var after: JSONValue?
    }

    private(set) var changes: [Change] = []

    init(_ before: JSONValue, _ after: JSONValue) { compare(before, after, at: "") }

    /// The differences as JSON.
    var json: JSONValue {
        .array(
            changes.map {
                .object([
                    .init("path", .string($0.path)), .init("from", $0.before ?? .null),
                    .init("to", $0.after ?? .null),
                ])
            }
        )
    }

    /// The differences for people, without the place in the log, which changes with every event.
    func lines(_ style: Style) -> [StyledText] {
        changes.filter { $0.path != "lastSeq" }.map {
            let (before, after) = (Self.text($0.before), Self.text($0.after))
            return style.paint(Screen.safe($0.path), .accent) + ": " + before
                + style.paint(style.isUnicode ? " → " : " -> ", .dim) + after
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        Screen.cut(Screen.safe(value.map { JSONDocument.text($0) } ?? "nothing"), to: 120)
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
