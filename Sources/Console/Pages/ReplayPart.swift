internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Which event a replay shows.
struct Replaying {
    let at: SequenceNumber
    /// Whether another one was wanted, which the log does not have.
    let isCorrected: Bool

    init(_ request: PageRequest, _ frame: PaymentFrame) {
        let last = Int64(frame.log.events.count)
        let wanted = request.query["at"].map { Int64($0) ?? -1 } ?? last
        let shown = min(max(wanted, 0), last)
        (at, isCorrected) = (SequenceNumber(rawValue: shown), shown != wanted)
    }
}

/// A payment as it was after any of its events, with what the event changed.
extension PaymentFrame {
    func replayPage(_ replaying: Replaying, by decider: SessionDecider) -> Page {
        let replay = Replay(log: log, decider: decider, disclosure: .masked)
        let note: HTML? =
            replaying.isCorrected
            ? "<p class=\"band caution\">\(words.noSuchEvent(log.events.count))</p>" : nil
        return page(
            .replay,
            """
            <h2>\(words.name(of: .replay))</h2>\(note)\(controls(at: replaying.at))
            <div id="replayed">\(event(at: replaying.at))\(state(StepState(replay, at: replaying.at), at: replaying.at))</div>
            """
        )
    }

    private func controls(at sequence: SequenceNumber) -> HTML {
        let (at, last) = (sequence.rawValue, Int64(log.events.count))
        func step(_ target: Int64, _ sign: String, _ title: String, _ relation: HTML) -> HTML {
            guard target != at, (0...last).contains(target) else {
                return "<span class=\"button off\" aria-hidden=\"true\">\(sign)</span> "
            }
            return """
                <a class="button" href="\(address(of: .replay))?at=\(target)" rel="\(relation)" aria-label="\(title)">\(sign)</a> \

                """
        }
        return """
            <time-slider><form method="get" action="\(address(of: .replay))" class="slider">
            \(step(0, "«", words.first, "first"))\(step(at - 1, "‹", words.previous, "prev"))
            <label for="at">\(words.afterEvent)</label>
            <input id="at" name="at" type="number" min="0" max="\(last)" value="\(at)" inputmode="numeric">
            <span>\(words.of(Int(last)))</span> <button>\(words.apply)</button>
            \(step(at + 1, "›", words.next, "next"))\(step(last, "»", words.last, "last"))
            </form></time-slider>

            """
    }

    private func event(at sequence: SequenceNumber) -> HTML {
        guard sequence > 0, let recorded = log.events.first(where: { $0.sequence == sequence })
        else {
            return "<p class=\"event\">\(words.beforeFirst)</p>"
        }
        let described = EventWords(recorded.event, currency: log.currency)
        return """
            <p class="event"><b>\(log.records[sequence.count - 1].type)</b> \(evidence([sequence])) \
            <span class="faint">\(clock.second(recorded.at))</span><br><span lang="en">\(described.words)</span></p>

            """
    }

    private func state(_ state: StepState, at sequence: SequenceNumber) -> HTML {
        let changed = state.lines.count { $0.change != .same }
        return DataTable(
            caption: words.changes(changed),
            columns: [
                .init(title: words.change, style: "mark"), .init(title: words.member, style: "key"),
                .init(title: words.value, style: "value"),
            ],
            rows: state.lines.map { line in
                let name = words.name(of: line.change)
                return [
                    "<span class=\"change-\(line.change.style)\">\(name)</span>",
                    "<code>\(line.path)</code>",
                    line.change == .removed ? "<del>\(line.value)</del>" : "\(line.value)",
                ]
            }
        ).html
    }
}

extension StepState.Line.Change {
    fileprivate var style: HTML {
        switch self {
        case .same: "same"
        case .changed: "changed"
        case .added: "added"
        case .removed: "removed"
        }
    }
}

extension Words {
    var first: String { self("Before the first event", "Före första händelsen") }
    var previous: String { self("Previous event", "Föregående händelse") }
    var next: String { self("Next event", "Nästa händelse") }
    var last: String { self("Last event", "Sista händelsen") }
    var afterEvent: String { self("After event", "Efter händelse") }
    var beforeFirst: String {
        self(
            "Before the first event: there is nothing yet.",
            "Före första händelsen: inget finns ännu."
        )
    }
    var change: String { self("Change", "Ändring") }
    var member: String { self("Member", "Fält") }
    var value: String { self("Value", "Värde") }
    func of(_ count: Int) -> String { self("of \(count)", "av \(count)") }
    func changes(_ count: Int) -> String {
        self("State after the event; changed: \(count)", "Läget efter händelsen; ändrat: \(count)")
    }
    func noSuchEvent(_ count: Int) -> String {
        self(
            "The log has no such event. It has 1 to \(count); the nearest is shown.",
            "Loggen har ingen sådan händelse. Den har 1 till \(count); den närmaste visas."
        )
    }
    func name(of change: StepState.Line.Change) -> String {
        switch change {
        case .same: ""
        case .changed: self("changed", "ändrad")
        case .added: self("added", "ny")
        case .removed: self("removed", "borta")
        }
    }
}
