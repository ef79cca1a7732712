internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// The screen for stepping through a log: the events, the state beside them, and pending effects.
struct StepScreen {
    /// The number of events on a page.
    static let page = 10
    /// The number of columns from which on the state is beside the events; on narrower screens it
    /// is below them.
    static let wide = 72
    /// The maximum number of lines for pending effects.
    static let maximumPending = 5

    private let replay: Replay
    /// The sequence number of the current event; 0 before the first.
    private(set) var sequence: SequenceNumber
    /// The first visible line of the state; `nil` until the user scrolls: then changes are visible.
    private var top: Int?
    /// The first line of the state on the previous screen.
    private var shownFrom = 0
    /// The digits of a sequence number that is being typed.
    private var typed = ""
    /// Whether the list of keys is shown.
    private(set) var isHelp = false
    /// Whether each unchanged snapshot of the PSP has a row of its own.
    private var isUnfolded = false
    /// Whether long values are shown whole.
    private var isWrapped = false
    /// The events, with unchanged snapshots in one row.
    private let folded: [ClosedRange<SequenceNumber>]
    private let single: [ClosedRange<SequenceNumber>]

    private var count: SequenceNumber { SequenceNumber(replay.log.events.count) }
    private var rows: [ClosedRange<SequenceNumber>] { isUnfolded ? single : folded }

    init(_ replay: Replay, at sequence: SequenceNumber) {
        self.replay = replay
        self.sequence = min(max(0, sequence), SequenceNumber(replay.log.events.count))
        folded = replay.log.foldedRows
        single = replay.log.events.map { $0.sequence...$0.sequence }
    }

    /// The row of the current event; `nil` before the first event.
    private var row: Int? { rows.firstIndex { $0.contains(sequence) } }

    /// Handles a key.
    mutating func handle(_ key: Keyboard.Key) {
        // Every key closes the list of keys.
        guard !isHelp || key == .redraw else {
            isHelp = false
            return
        }
        switch key {
        case .digit(let digit):
            if typed.count < 6 { typed.append(digit) }
            return
        case .erase:
            if !typed.isEmpty { typed.removeLast() }
            return
        case .enter:
            if let wanted = SequenceNumber(typed) { move(to: wanted) } else { moveRows(by: 1) }
        case .forward: moveRows(by: 1)
        case .back: moveRows(by: -1)
        case .first: move(to: 0)
        case .last: move(to: count)
        case .pageForward: moveRows(by: Self.page)
        case .pageBack: moveRows(by: -Self.page)
        case .help: isHelp = true
        case .unfold: isUnfolded.toggle()
        case .wrap: (isWrapped, top) = (!isWrapped, nil)
        case .scrollDown: top = shownFrom + 1
        case .scrollUp: top = max(0, shownFrom - 1)
        case .redraw, .other, .leave, .interrupt: break
        }
        typed = ""
    }

    /// Moves by rows; at the last event of a row, all of its events have happened.
    private mutating func moveRows(by distance: Int) {
        let next = (row ?? -1) + distance
        guard next >= 0 else { return move(to: 0) }
        move(to: rows[min(next, rows.count - 1)].upperBound)
    }

    private mutating func move(to wanted: SequenceNumber) {
        let next = min(max(0, wanted), count)
        guard next != sequence else { return }
        (sequence, top) = (next, nil)
    }

    /// Returns the lines of a screen of a given size.
    mutating func lines(columns: Int, rows: Int, _ style: Style) -> [StyledText] {
        let (columns, rows) = (max(columns, 20), max(rows, 6))
        if isHelp { return helpLines(columns, rows, style) }
        let state = replay.log.state(at: sequence)
        let pending = Array(
            PendingWork(state, by: replay.decider).lines.prefix(Self.maximumPending)
        )
        let words = cutWords(columns, style).prefix(max(0, min(Self.maximumWords, rows / 6)))
        let body = max(1, rows - 3 - words.count - min(pending.count, max(1, rows / 4)))
        var lines = [style.paint(Screen.cut(title, to: columns), .heading)]
        lines += words.map { style.paint($0, .dim) }
        lines += bodyLines(columns, body, style)
        let rule = String(repeating: style.isUnicode ? "─" : "-", count: columns - 8)
        lines.append(style.paint("pending " + rule, .dim))
        for line in pending.prefix(rows - 3 - words.count - body) {
            lines.append(StyledText(Screen.cut("  " + line, to: columns)))
        }
        while lines.count < rows - 1 { lines.append(StyledText()) }
        lines.append(style.paint(Screen.cut(help(style), to: columns), .dim))
        return lines
    }

    private var title: String {
        let events = replay.log.events
        guard sequence > 0, let first = events.first else {
            return "before the first of \(count) events  \(replay.log.session)"
        }
        let event = events[sequence.count - 1]
        let clock = DisplayClock(offset: LocalTime.offset)
        return "event \(sequence) of \(count)  \((event.at - first.at).spoken) after the first  "
            + "\(clock.second(event.at))  \(replay.log.session)"
    }

    /// The description of the event, if its row in the list is too narrow for it.
    private func cutWords(_ columns: Int, _ style: Style) -> [String] {
        guard let row else { return [] }
        let text = Self.text(of: rows[row], in: replay)
        let room = eventColumns(columns)
        guard text.cellCount + Self.eventMargin > room else { return [] }
        return Screen.wrapped(text, to: columns - 2).map { "  " + $0 }
    }

    /// The maximum number of lines of an event's description.
    private static let maximumWords = 3
    /// The prefix of a row in the list: a mark, the number, blanks.
    private static let eventMargin = 7

    private func eventColumns(_ columns: Int) -> Int {
        columns >= Self.wide ? min(56, columns * 2 / 5) : columns
    }

    /// Returns the description in a row.
    private static func text(of row: ClosedRange<SequenceNumber>, in replay: Replay) -> String {
        let event = replay.log.events[row.lowerBound.count - 1].event
        let words = Screen.safe(
            "\(EventCodec.typeName(of: event)): \(EventWords(event, currency: replay.log.currency).words)"
        )
        return row.count == 1 ? words : words + ", \(row.count) times (to \(row.upperBound))"
    }

    private func helpLines(_ columns: Int, _ rows: Int, _ style: Style) -> [StyledText] {
        let arrows =
            style.isUnicode ? ("→", "←", "↑ ↓") : ("right", "left", "up, down")
        let keys: [(String, String)] = [
            (arrows.0 + "  l n space Enter", "next event"),
            (arrows.1 + "  h p b", "previous event"),
            ("g  Home", "before the first event"), ("G  End", "last event"),
            ("f u  page down, up", "\(Self.page) rows forward, back"),
            ("12 Enter", "go to the event with this number"),
            (arrows.2 + "  j k", "scroll the state"),
            ("e", "show or fold unchanged polls of the PSP"),
            ("w", "wrap or truncate long values"), ("q", "quit"),
            ("*  +  -", "changed, added or removed by the event"),
        ]
        var lines = [style.paint("Keys", .heading)]
        for (key, words) in keys.prefix(rows - 2) {
            lines.append(
                StyledText(Screen.cut("  " + Screen.padded(key, to: 24) + words, to: columns))
            )
        }
        while lines.count < rows - 1 { lines.append(StyledText()) }
        lines.append(style.paint(Screen.cut("press any key to go back", to: columns), .dim))
        return lines
    }

    private func help(_ style: Style) -> String {
        guard typed.isEmpty else { return "go to event \(typed): press Enter" }
        let keys =
            style.isUnicode
            ? ("→", "←", "↑↓") : ("right", "left", "up/down")
        return "\(keys.0) next  \(keys.1) back  g first  G last  N Enter: event N  "
            + "\(keys.2) scroll  ? keys  q quit"
    }

    private mutating func bodyLines(
        _ columns: Int,
        _ rows: Int,
        _ style: Style
    ) -> [StyledText] {
        let isWide = columns >= Self.wide
        let left = eventColumns(columns)
        let right = isWide ? columns - left - 3 : columns
        let eventRows = isWide ? rows : min(3, max(1, rows / 3))
        let stateRows = isWide ? rows : rows - eventRows
        let events = eventLines(left, eventRows, style)
        let state = StepState(replay, at: sequence).lines.flatMap {
            $0.painted(right, style, isWrapped: isWrapped)
        }
        let change = state.firstIndex(where: \.isChange) ?? 0
        let wanted = top ?? (change < stateRows ? 0 : change - stateRows / 2)
        shownFrom = min(wanted, max(0, state.count - stateRows))
        var shown = state[shownFrom...].prefix(stateRows).map(\.text)
        while shown.count < stateRows { shown.append(StyledText()) }
        guard isWide else { return events.map(\.text) + shown }
        let bar = style.paint(style.isUnicode ? "│" : "|", .dim)
        return zip(events, shown).map { event, state in
            let gap = String(repeating: " ", count: max(0, left - event.width))
            return event.text + (gap + " ") + bar + " " + state
        }
    }

    /// Returns the events around the current one.
    private func eventLines(
        _ columns: Int,
        _ rows: Int,
        _ style: Style
    ) -> [(text: StyledText, width: Int)] {
        let all = self.rows
        let chosen = row ?? -1
        // Row 0 is the state before the first event.
        let first = max(0, min(chosen + 1 - rows / 2, all.count - rows + 1))
        return (first..<first + rows).map { index in
            guard index <= all.count else { return (StyledText(), 0) }
            let isChosen = index - 1 == chosen
            let mark = isChosen ? (style.isUnicode ? "▶" : ">") : " "
            guard index > 0 else {
                let text = Screen.cut("\(mark)   0  before the first event", to: columns)
                return (style.paint(text, isChosen ? .heading : nil), text.cellCount)
            }
            let row = all[index - 1]
            let name = String("\(row.lowerBound)".reversed())
            let padded = String(Screen.padded(name, to: 4).reversed())
            let text = Screen.cut(
                "\(mark)\(padded)  \(Self.text(of: row, in: replay))",
                to: columns
            )
            return (style.paint(text, isChosen ? .heading : nil), text.cellCount)
        }
    }
}

extension StepState.Line {
    /// Returns the line, truncated or wrapped to a width; a sign marks what changed, so color is
    /// not needed.
    func painted(
        _ columns: Int,
        _ style: Style,
        isWrapped: Bool
    ) -> [(text: StyledText, isChange: Bool)] {
        let text = "\(path): \(value)"
        let lines =
            isWrapped
            ? Screen.wrapped(text, to: max(8, columns - 2))
            : [Screen.cut(text, to: columns - 2)]
        let role: Style.Role? =
            switch change {
            case .same: nil
            case .changed: .caution
            case .added: .good
            case .removed: .bad
            }
        return lines.map {
            (style.paint("\(change.rawValue) \($0)", role), change != .same)
        }
    }
}
