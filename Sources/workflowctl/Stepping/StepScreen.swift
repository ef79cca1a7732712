internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// What somebody sees who goes through a log: the events, the state beside them, and what is owed.
struct StepScreen {
    /// How many events a page has.
    static let page: Int64 = 10
    /// From how many columns on the state stands beside the events; on narrower screens it stands below.
    static let wide = 72
    /// How much of the screen what is owed may take.
    static let maximumOwed = 5

    private let replay: Replay
    /// The event that is looked at; 0 before the first.
    private(set) var place: Int64
    /// The first line of the state that is shown; nothing until somebody scrolls: then what changed can be seen.
    private var top: Int?
    /// Where the state that was drawn last began.
    private var shownFrom = 0
    /// The digits of a place that is being typed.
    private var typed = ""

    private var count: Int64 { Int64(replay.log.events.count) }

    init(_ replay: Replay, at place: Int64) {
        self.replay = replay
        self.place = min(max(0, place), Int64(replay.log.events.count))
    }

    /// Takes a key.
    mutating func take(_ key: Keyboard.Key) {
        switch key {
        case .digit(let digit):
            if typed.count < 6 { typed.append(digit) }
            return
        case .erase:
            if !typed.isEmpty { typed.removeLast() }
            return
        case .enter: move(to: Int64(typed) ?? place + 1)
        case .forward: move(to: place + 1)
        case .back: move(to: place - 1)
        case .first: move(to: 0)
        case .last: move(to: count)
        case .pageForward: move(to: place + Self.page)
        case .pageBack: move(to: place - Self.page)
        case .scrollDown: top = shownFrom + 1
        case .scrollUp: top = max(0, shownFrom - 1)
        case .redraw, .other, .leave, .interrupt: break
        }
        typed = ""
    }

    private mutating func move(to wanted: Int64) {
        let next = min(max(0, wanted), count)
        guard next != place else { return }
        (place, top) = (next, nil)
    }

    /// The lines of a screen of that size.
    mutating func lines(columns: Int, rows: Int, _ style: Style) -> [StyledText] {
        let (columns, rows) = (max(columns, 20), max(rows, 6))
        let state = replay.log.state(at: place)
        let owed = Array(OwedWords(state, by: replay.decider).lines.prefix(Self.maximumOwed))
        let body = max(1, rows - 3 - min(owed.count, max(1, rows / 4)))
        var lines = [style.paint(Screen.cut(title, to: columns), .heading)]
        lines += bodyLines(columns, body, style)
        let rule = String(repeating: style.isUnicode ? "─" : "-", count: columns - 5)
        lines.append(style.paint("owed " + rule, .dim))
        for line in owed.prefix(rows - 3 - body) {
            lines.append(StyledText(Screen.cut("  " + line, to: columns)))
        }
        while lines.count < rows - 1 { lines.append(StyledText()) }
        lines.append(style.paint(Screen.cut(help(style), to: columns), .dim))
        return lines
    }

    private var title: String {
        let events = replay.log.events
        guard place > 0, let first = events.first else {
            return "\(replay.log.session)  before the first of \(count) events"
        }
        let event = events[Int(place) - 1]
        return "\(replay.log.session)  event \(place) of \(count)  "
            + "\((event.at - first.at).spoken) after the first  \(event.at)"
    }

    private func help(_ style: Style) -> String {
        guard typed.isEmpty else { return "event \(typed), Enter goes there" }
        let keys =
            style.isUnicode
            ? ("→", "←", "↑↓") : ("right", "left", "up/down")
        return "\(keys.0) next  \(keys.1) back  g first  G last  N Enter: event N  "
            + "\(keys.2) scroll  q quit"
    }

    private mutating func bodyLines(
        _ columns: Int,
        _ rows: Int,
        _ style: Style
    ) -> [StyledText] {
        let isWide = columns >= Self.wide
        let left = isWide ? min(56, columns * 2 / 5) : columns
        let right = isWide ? columns - left - 3 : columns
        let eventRows = isWide ? rows : min(3, max(1, rows / 3))
        let stateRows = isWide ? rows : rows - eventRows
        let events = eventLines(left, eventRows, style)
        let state = StepState(replay, at: place).lines
        let change = state.firstIndex { $0.change != .same } ?? 0
        let wanted = top ?? (change < stateRows ? 0 : change - stateRows / 2)
        shownFrom = min(wanted, max(0, state.count - stateRows))
        var shown = state[shownFrom...].prefix(stateRows).map { $0.painted(right, style) }
        while shown.count < stateRows { shown.append(StyledText()) }
        guard isWide else { return events.map(\.text) + shown }
        let bar = style.paint(style.isUnicode ? "│" : "|", .dim)
        return zip(events, shown).map { event, state in
            let gap = String(repeating: " ", count: max(0, left - event.width))
            return event.text + (gap + " ") + bar + " " + state
        }
    }

    /// The events around the one that is looked at.
    private func eventLines(
        _ columns: Int,
        _ rows: Int,
        _ style: Style
    ) -> [(text: StyledText, width: Int)] {
        let first = max(0, min(place - Int64(rows / 2), count - Int64(rows) + 1))
        return (0..<Int64(rows)).map { row in
            let number = first + row
            guard number <= count else { return (StyledText(), 0) }
            let mark = number == place ? (style.isUnicode ? "▶" : ">") : " "
            guard number > 0 else {
                let text = Screen.cut("\(mark)   0  nothing yet", to: columns)
                return (style.paint(text, number == place ? .heading : nil), text.count)
            }
            let event = replay.log.events[Int(number) - 1].event
            let name = String("\(number)".reversed())
            let padded = String(Screen.padded(name, to: 4).reversed())
            let text = Screen.cut(
                "\(mark)\(padded)  \(EventCodec.typeName(of: event)): \(EventWords(event).words)",
                to: columns
            )
            return (style.paint(text, number == place ? .heading : nil), text.count)
        }
    }
}

/// The state after an event, line by line, and what of it that event changed.
struct StepState {
    /// A line of the state.
    struct Line: Hashable {
        enum Change: String { case same = " ", changed = "*", added = "+", removed = "-" }
        var change: Change
        var path: String
        var value: String

        /// The line, cut to a width; what changed has a sign of its own, so colour is not needed to see it.
        func painted(_ columns: Int, _ style: Style) -> StyledText {
            let text = Screen.cut("\(change.rawValue) \(path): \(value)", to: columns)
            switch change {
            case .same: return StyledText(text)
            case .changed: return style.paint(text, .caution)
            case .added: return style.paint(text, .good)
            case .removed: return style.paint(text, .bad)
            }
        }
    }

    private(set) var lines: [Line] = []

    /// The state after the event at a place.
    init(_ replay: Replay, at place: Int64) {
        let now = Self.leaves(replay.view(at: place).json)
        let before = place > 0 ? Self.leaves(replay.view(at: place - 1).json) : now
        let known = Dictionary(before, uniquingKeysWith: { first, _ in first })
        let names = Set(now.map(\.0))
        for (path, value) in now where path != "session" && path != "lastSeq" {
            let change: Line.Change =
                known[path].map { $0 == value ? .same : .changed } ?? .added
            guard value != "null" || change != .same else { continue }
            lines.append(Line(change: change, path: path, value: value))
        }
        // What was nothing is told by what came in its place.
        for (path, value) in before where !names.contains(path) && value != "null" {
            lines.append(Line(change: .removed, path: path, value: value))
        }
        // What can be chosen is long and seldom what matters; of the rest the order is kept.
        let isLong = { (line: Line) in line.path.hasPrefix("methods") }
        lines = lines.filter { !isLong($0) } + lines.filter(isLong)
    }

    /// The values of a document, each with its path.
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
