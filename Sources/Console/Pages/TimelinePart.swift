internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The time line of a payment with a lane for each participant, and its diagram.
extension PaymentFrame {
    /// The maximum number of rows of a time line.
    private static let rowLimit = 500

    func timelinePage(everyPoll: Bool) -> Page {
        let chart = LaneChart(log, everyPoll: everyPoll)
        let hasPolls = LaneChart(log, everyPoll: false).rows.contains { $0.count > 1 }
        let address = self.address(of: .timeline)
        let toggle: HTML? =
            !hasPolls
            ? nil
            : everyPoll
                ? "<p><a class=\"button\" href=\"\(address)\">\(words.foldPolls)</a></p>"
                : "<p><a class=\"button\" href=\"\(address)?all=true\">\(words.everyPoll)</a></p>"
        let more: HTML? =
            chart.rows.count > Self.rowLimit
            ? "<p class=\"band\">\(words.cut(Self.rowLimit))</p>" : nil
        return page(
            .timeline,
            """
            <h2>\(words.name(of: .timeline))</h2>
            <p class="hint">\(words.timesAre(clock.zone(at: chart.begin), clock.date(chart.begin)))</p>\(toggle)
            <div class="lanes" aria-hidden="true"><span></span><span></span>\(EventLanes.Lane.allCases.html { lane in
                "<span>\(words.name(of: lane))</span>"
            })</div>
            <ol class="timeline">\(chart.rows.prefix(Self.rowLimit).html { row(of: $0, since: chart.begin) })</ol>\(more)
            """
        )
    }

    private func row(of row: LaneChart.Row, since begin: Instant) -> HTML {
        let pause: HTML? =
            row.pause >= LaneChart.pause
            ? "<li class=\"pause\">\(words.pause(words.duration(row.pause)))</li>\n" : nil
        let (from, to) = (row.lanes.from, row.lanes.to)
        let direction =
            from == to
            ? words.name(of: from) : "\(words.name(of: from)) → \(words.name(of: to))"
        let sequences =
            row.count == 1
            ? [row.recorded.sequence] : Array(row.recorded.sequence...row.lastSequence)
        return """
            \(pause)<li class="lane-\(row.words.lane.rawValue)"><time datetime="\(row.recorded.at.description)">\
            \(clock.clock(row.recorded.at)) <span class="faint">\(StoryReport.offset(row.recorded.at, begin))</span></time>
            <span class="arrow from-\(min(from, to).rawValue) span-\(abs(to.rawValue - from.rawValue))\(from > to ? " left" as HTML : "")" aria-hidden="true"></span>
            <span class="told"><span class="who">\(direction): </span><span lang="en">\(row.text)</span></span> \(evidence(sequences))</li>

            """
    }

    var diagramPage: Page {
        let drawing = SVGDrawing(SequenceDiagram(log), by: clock)
        return page(
            .diagram,
            """
            <h2>\(words.name(of: .diagram))</h2><p class="hint">\(words.diagramHint)</p>
            <div class="drawing" tabindex="0" role="region" aria-label="\(words.name(of: .diagram))" lang="en">\(HTML(trusted: drawing.embedded))</div>
            """
        )
    }
}

extension Words {
    var foldPolls: String {
        self("Fold polls without a change", "Fäll ihop avläsningar utan ändring")
    }
    var everyPoll: String { self("Show every poll", "Visa varje avläsning") }
    var diagramHint: String {
        self(
            "The same events as in the time line, which says them in words.",
            "Samma händelser som i tidslinjen, som beskriver dem i ord."
        )
    }
    func timesAre(_ zone: String, _ date: String) -> String {
        self("Times are \(zone), from \(date) on.", "Tiderna är \(zone), från och med \(date).")
    }
    func pause(_ duration: String) -> String { self("\(duration) later", "\(duration) senare") }
    func cut(_ count: Int) -> String {
        self(
            "Only the first \(count) are shown; the events show the rest.",
            "Bara de första \(count) visas; händelserna visar resten."
        )
    }
    func name(of lane: EventLanes.Lane) -> String {
        switch lane {
        case .payer: self("payer", "betalare")
        case .app: "app"
        case .engine: self("engine", "motor")
        case .psp: "PSP"
        case .bank: "bank"
        }
    }
}
