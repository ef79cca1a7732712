internal import EventLog
internal import Inspection
internal import Service
internal import SwedbankPay

/// Which events a page shows, and whether they are open.
struct EventRange {
    /// The number of events of a page.
    static let limit = 20

    let shown: ClosedRange<SequenceNumber>?
    /// Whether they are the evidence of a statement.
    let isEvidence: Bool

    init(_ request: PageRequest, _ frame: PaymentFrame) {
        let count = Int64(frame.log.events.count)
        func number(_ name: String) -> Int64? { request.query[name].flatMap { Int64($0) } }
        let first = min(max(number("from") ?? 1, 1), max(1, count))
        let wanted = number("to") ?? first + Int64(Self.limit) - 1
        let last = min(max(wanted, first), count, first + Int64(Self.limit) - 1)
        isEvidence = number("to") != nil
        shown =
            count == 0
            ? nil : SequenceNumber(rawValue: first)...SequenceNumber(rawValue: last)
    }
}

/// The events of a payment as they are recorded: also those that this build does not know.
extension PaymentFrame {
    func eventsPage(_ range: EventRange) -> Page {
        guard let shown = range.shown else {
            return page(.events, "<p class=\"empty\">\(words.none)</p>")
        }
        let address = self.address(of: .events)
        let (first, last) = (shown.lowerBound.rawValue, shown.upperBound.rawValue)
        let count = Int64(log.events.count)
        var ways = HTML.none
        if range.isEvidence || first > 1 {
            ways += "<a class=\"button\" href=\"\(address)\">\(words.allEvents(Int(count)))</a> "
        }
        if last < count {
            ways +=
                "<a class=\"button\" rel=\"next\" href=\"\(address)?from=\(last + 1)\">\(words.later)</a>"
        }
        let records = log.records[(shown.lowerBound.count - 1)..<shown.upperBound.count]
        return page(
            .events,
            """
            <h2>\(words.events(Int(first), Int(last), Int(count)))</h2>
            <p class="hint">\(words.sealedHint)</p>
            <div class="events">\(records.html { event(of: $0, isOpen: range.isEvidence) })</div>
            <p class="pages">\(ways)</p>
            """
        )
    }

    private func event(of record: StoredRecord, isOpen: Bool) -> HTML {
        let recorded = log.events[record.sequence.count - 1]
        var isUnknown = false
        if case .unknown = recorded.event { isUnknown = true }
        let described = EventWords(recorded.event, currency: log.currency)
        let mark: HTML = isOpen || isUnknown ? " open" : ""
        return """
            <details id="e\(record.sequence.rawValue)"\(mark)><summary><b>\(record.sequence.rawValue)</b> \
            <code>\(record.type)</code> <span class="faint">\(clock.second(recorded.at))</span> \
            <span lang="en">\(described.words)</span></summary>
            <pre tabindex="0">\(lines: Self.text(of: record))</pre></details>

            """
    }

    /// The line of the log without its seals, indented.
    private static func text(of record: StoredRecord) -> String {
        let line = PaymentAPI.shownLine(of: record)
        guard let value = try? JSONValue(parsing: line) else {
            return String(decoding: line, as: UTF8.self)
        }
        return JSONDocument.text(value, indented: true)
    }
}

extension Words {
    var later: String { self("Later events", "Senare händelser") }
    var sealedHint: String {
        self(
            "As they are recorded. Secret and personal values are sealed: $sealed stands in their place.",
            "Som de är registrerade. Hemliga och personliga värden är förseglade: $sealed står i deras ställe."
        )
    }
    func allEvents(_ count: Int) -> String {
        self("All \(count) events", "Alla \(count) händelser")
    }
    func events(_ first: Int, _ last: Int, _ count: Int) -> String {
        first == last
            ? self("Event \(first) of \(count)", "Händelse \(first) av \(count)")
            : self(
                "Events \(first) to \(last) of \(count)",
                "Händelser \(first) till \(last) av \(count)"
            )
    }
}
