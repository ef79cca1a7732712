package import EventLog
package import SwedbankPay

/// A log as a time line with a lane for each participant.
package struct LaneChart: Explanation {
    /// A line of the chart: an event, or consecutive polls without a change.
    package struct Row: Hashable {
        package var recorded: RecordedEvent
        package var lanes: EventLanes
        package var words: EventWords
        /// The sequence number of the last of several polls.
        package var lastSequence: SequenceNumber
        package var count = 1
        /// The time since the row before.
        package var pause: Duration
    }

    package private(set) var rows: [Row] = []
    package let begin: Instant

    /// The shortest pause that has a line of its own.
    package static let pause = Duration.seconds(2)

    /// Creates the chart of a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - everyPoll: Whether each poll has a line of its own, even when it showed nothing new.
    package init(_ log: SessionLog, everyPoll: Bool) {
        begin = log.events.first?.at ?? Instant(microseconds: 0)
        var last = begin
        let currency = log.currency
        for recorded in log.events {
            defer { last = recorded.at }
            if !everyPoll, recorded.event.isIdlePoll, let index = rows.indices.last,
                rows[index].recorded.event.isIdlePoll
            {
                rows[index].count += 1
                rows[index].lastSequence = recorded.sequence
                continue
            }
            let description = EventDescription(recorded.event, currency: currency)
            rows.append(
                Row(
                    recorded: recorded,
                    lanes: description.lanes,
                    words: description.words,
                    lastSequence: recorded.sequence,
                    pause: recorded.at - last
                )
            )
        }
    }

    /// The events as JSON; consecutive polls without a change are one entry.
    package var json: JSONValue {
        .array(
            rows.map { row in
                .object([
                    .init("seq", .sequence(row.recorded.sequence)),
                    .init("lastSeq", .sequence(row.lastSequence)),
                    .init("at", .string("\(row.recorded.at)")),
                    .init("afterMilliseconds", .integer(after(row))),
                    .init("pauseMilliseconds", .integer(row.pause.wholeMilliseconds)),
                    .init(
                        "durationMilliseconds",
                        JSONValue(row.recorded.event.requestMilliseconds)
                    ),
                    .init("type", .string(EventCodec.typeName(of: row.recorded.event))),
                    .init("from", .string(row.lanes.from.name)),
                    .init("to", .string(row.lanes.to.name)),
                    .init("isProblem", .bool(row.words.lane == .problem)),
                    .init("text", .string(row.words.words)),
                ])
            }
        )
    }

    private func after(_ row: Row) -> Int64 { (row.recorded.at - begin).wholeMilliseconds }

    /// The chart on a terminal, or full tab-separated values elsewhere.
    package func text(for form: TextForm) -> StyledText {
        guard form.isTerminal else { return tabSeparated(form) }
        let offsets = rows.map { StoryReport.offset($0.recorded.at, begin) }
        let lanes = Form(form, offsets: offsets)
        var lines = [lanes.heading(form.clock.date(begin), form.clock.zone(at: begin))]
        for (row, offset) in zip(rows, offsets) {
            if row.pause >= Self.pause { lines.append(lanes.pause(row.pause)) }
            lines.append(
                lanes.line(
                    row,
                    clock: form.clock.clock(row.recorded.at),
                    offset: offset
                )
            )
        }
        return lines.lines
    }

    private func tabSeparated(_ form: TextForm) -> StyledText {
        var table = Table(columns: ["seq", "time", "after", "from", "to", "type", "what"])
        for row in rows {
            table.rows.append([
                row.count == 1
                    ? "\(row.recorded.sequence)" : "\(row.recorded.sequence)-\(row.lastSequence)",
                "\(row.recorded.at)", "\(after(row))", row.lanes.from.name, row.lanes.to.name,
                EventCodec.typeName(of: row.recorded.event), row.text,
            ])
        }
        return table.text(for: form)
    }
}

extension LaneChart.Row {
    /// The description, and the number of repetitions.
    package var text: String { count == 1 ? words.words : words.words + ", \(count) times" }
}

/// Draws a chart on a terminal of some width.
private struct Form {
    private let style: Style
    private let width: Int
    /// Narrow terminals show no time of day; very narrow ones use lanes of two columns.
    private let hasClock: Bool
    private let lane: Int
    /// The width of the longest offset, with a blank after it.
    private let offsetWidth: Int

    init(_ form: TextForm, offsets: [String]) {
        style = form.style
        width = max(32, form.columns ?? 100)
        hasClock = width >= 72
        lane = width >= 90 ? 7 : width >= 56 ? 4 : 2
        offsetWidth = offsets.map { $0.count + 1 }.reduce(Self.narrowestOffset, max)
    }

    private static let clockWidth = 10
    private static let narrowestOffset = 10

    private var lanesWidth: Int { lane * EventLanes.Lane.allCases.count }
    private var left: Int { (hasClock ? Self.clockWidth : 0) + offsetWidth }

    func heading(_ day: String, _ zone: String) -> StyledText {
        let names = EventLanes.Lane.allCases.map {
            Screen.padded(String($0.heading.prefix(lane == 7 ? 7 : lane - 1)), to: lane)
        }.joined()
        let date = hasClock ? day : ""
        return style.paint(
            Screen.padded(date, to: hasClock ? Self.clockWidth : 0)
                + Screen.padded(hasClock ? " " + zone : "", to: offsetWidth) + names
                + "what",
            .heading
        )
    }

    func pause(_ duration: Duration) -> StyledText {
        let sign = style.isUnicode ? "⋮" : ":"
        let lanes = EventLanes.Lane.allCases.map { _ in Screen.padded(sign, to: lane) }.joined()
        return style.paint(
            String(repeating: " ", count: left) + lanes + style.cut(duration.spoken, to: room),
            .dim
        )
    }

    private var room: Int { max(8, width - left - lanesWidth) }

    func line(_ row: LaneChart.Row, clock: String, offset: String) -> StyledText {
        let time = hasClock ? Screen.padded(clock, to: Self.clockWidth) : ""
        let role: Style.Role? =
            switch row.words.lane {
            case .problem: .bad
            case .end: .good
            case .client: .payer
            case .psp: .accent
            case .engine: nil
            }
        let words = style.cut(Screen.safe(row.text), to: room)
        return style.paint(time + Screen.padded(offset, to: offsetWidth), .dim)
            + lanes(row, role) + style.paint(words, role)
    }

    /// The lanes with a mark at the sender and an arrow to the recipient.
    private func lanes(_ row: LaneChart.Row, _ role: Style.Role?) -> StyledText {
        let (from, to) = (row.lanes.from.rawValue, row.lanes.to.rawValue)
        let (bar, dash): (Character, Character) = style.isUnicode ? ("│", "─") : ("|", "-")
        let right: Character = style.isUnicode ? "▶" : ">"
        let back: Character = style.isUnicode ? "◀" : "<"
        var cells = Array(repeating: Character(" "), count: lanesWidth)
        for index in EventLanes.Lane.allCases.indices { cells[index * lane] = bar }
        let (first, last) = (min(from, to) * lane, max(from, to) * lane)
        if first < last { for index in first...last { cells[index] = dash } }
        let mark = Character(
            row.words.lane.symbol(Style(isColored: false, isUnicode: style.isUnicode)).words
        )
        cells[from * lane] = mark
        if from != to { cells[to * lane] = from < to ? right : back }
        return style.paint(String(cells), role)
    }
}

extension SessionEvent {
    /// Whether it only says that a poll of the PSP showed nothing new.
    package var isIdlePoll: Bool {
        switch self {
        case .fetched(let fetched): fetched.snapshot == nil && fetched.cause.onlyReads
        case .checkout(.orderFetched(let fetched)): fetched.order == nil && fetched.cause.onlyReads
        default: false
        }
    }
}

extension SessionLog {
    /// The events in rows: each alone, but consecutive polls that showed nothing new are together.
    package var foldedRows: [ClosedRange<SequenceNumber>] {
        var rows: [ClosedRange<SequenceNumber>] = []
        var wasPoll = false
        for recorded in events {
            let isPoll = recorded.event.isIdlePoll
            if isPoll, wasPoll, let last = rows.popLast() {
                rows.append(last.lowerBound...recorded.sequence)
            } else {
                rows.append(recorded.sequence...recorded.sequence)
            }
            wasPoll = isPoll
        }
        return rows
    }
}

extension SessionEvent {

    /// The duration of the request that the event records.
    fileprivate var requestMilliseconds: Int64? {
        switch self {
        case .fetched(let fetched): fetched.durationMilliseconds
        case .operationSucceeded(let succeeded): succeeded.durationMilliseconds
        case .operationFailed(let failed): failed.durationMilliseconds
        case .checkout(.orderFetched(let fetched)): fetched.durationMilliseconds
        default: nil
        }
    }
}
