internal import EventLog
package import SwedbankPay
internal import Workflow

/// A session as one self-contained HTML page.
///
/// Everything is readable without its script, which only adds the selection of an event. The page's
/// policy permits only the script and the style, by their hashes: the page makes no requests.
package struct ReportPage {
    private let log: SessionLog
    private let states: ReportStates
    private let view: SessionView
    private let story: Story
    private let end: StoryEnd
    private let clock: DisplayClock
    private let maker: String

    /// Creates the page of a log whose secrets are masked.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - decider: The rules, which determine the state of the session.
    ///   - maker: What makes the page, with its version.
    ///   - clock: The time zone of displayed times.
    package init(
        _ log: SessionLog,
        by decider: SessionDecider,
        madeBy maker: String,
        clock: DisplayClock = .utc
    ) {
        self.log = log
        self.maker = maker
        self.clock = clock
        states = ReportStates(log, by: decider, clock: clock)
        view = SessionView(log.state, by: decider, disclosing: .masked)
        story = Story(of: log.session, events: log.events, by: decider)
        end = StoryEnd(story, by: clock)
    }

    /// The page's Content-Security-Policy.
    static let policy = [
        "default-src 'none'",
        "script-src " + Markup.policySource(allowing: ReportScript.text),
        "style-src " + Markup.policySource(allowing: ReportStyle.text),
        "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")

    private static let template = MarkupTemplate(PackageResources.report_html)

    /// The document.
    package var html: String {
        Self.template.filled([
            "policy": .text(Self.policy), "style": .markup(ReportStyle.text),
            "script": .markup(ReportScript.text),
            "data": .markup(Markup.escaped(json: states.json)),
            "heading": .text(Screen.safe(heading)),
            "summary": .text(Screen.safe(end.summary)),
            "money": .text(Screen.safe(money)), "steps": .markup(steps), "facts": .markup(facts),
            "maker": .text(maker), "sentences": .markup(sentences),
            "timeline": .markup(timeline), "last": .text("\(log.events.count)"),
            "state": .markup(state), "events": .markup(events),
            "drawing": .markup(SVGDrawing(SequenceDiagram(log), by: clock).embedded),
        ])
    }

    // MARK: Parts

    /// What people look for: the reference, or otherwise the short identifier, and the money.
    private var heading: String {
        (view.reference ?? "Session \(log.session.short)") + ": " + view.money.facts.moneyWords
    }

    /// The money, whose turn it is, and the message for the payer.
    private var money: String {
        let payer = end.payerMessage.map { " Tell the payer: \"\($0)\"" } ?? ""
        return "\(end.money) \(end.turn)\(payer)"
    }

    private var facts: String {
        var facts: [(name: String, value: String)] = [("Session", "\(log.session)")]
        facts.append((view.outcome == nil ? "Phase" : "Outcome", standing))
        if let attempt = view.attempt {
            facts.append(("Attempt", "\(attempt.number): \(attempt.choice.words)"))
        }
        if let problem = view.problem?.problem {
            let name = problem.kind?.rawValue ?? problem.type.map { EventWords.slug(of: $0) } ?? ""
            facts.append(("Problem", "\(name); \(problem.duty)"))
        }
        if let first = log.events.first, let last = log.events.last {
            facts.append(("Started", clock.second(first.at)))
            facts.append(
                ("Last event", "\(clock.second(last.at)), \((last.at - first.at).spoken) later")
            )
        }
        facts.append(("Events", "\(log.events.count)"))
        return facts.map {
            "<div><dt>\($0.name)</dt><dd>\(DocumentText.escaped(Screen.safe($0.value)))</dd></div>"
        }.joined()
    }

    /// The next step, or why there is none.
    private var steps: String {
        let steps = end.steps("workflowctl")
        guard !steps.isEmpty else {
            return "<li>\(DocumentText.escaped(Screen.safe(end.turn)))</li>"
        }
        return steps.enumerated().map { number, step -> String in
            let relation = number == 0 ? "" : "<em>\(step.relation.rawValue)</em> "
            let command = step.command.map {
                "<br><code>\(DocumentText.escaped(Screen.safe($0)))</code>"
            }
            let words = DocumentText.escaped(Screen.safe(step.words))
            return "<li>\(relation)\(words)\(command ?? "")</li>"
        }.joined()
    }

    /// The events, in sentences.
    private var sentences: String {
        let begin = story.sentences.first?.at ?? story.state.openedAt
        let items = zip(story.sentences, StoryText(story, by: clock).sentences).map {
            sentence,
            words in
            """
            <li><time datetime="\(sentence.at)">\((sentence.at - begin).offset)</time> \
            <span>\(DocumentText.escaped(Screen.safe(words)))</span></li>
            """
        }
        return items.joined(separator: "\n")
    }

    private var standing: String {
        (view.outcome?.word(money: view.money.standing) ?? view.phase.rawValue)
            + view.closingWords
    }

    private var timeline: String {
        let begin = log.events.first?.at ?? Instant(microseconds: 0)
        let (style, currency) = (Style.plain, log.currency)
        func item(_ recorded: RecordedEvent) -> String {
            let words = EventWords(recorded.event, currency: currency)
            return """
                <li id="t\(recorded.sequence)" class="lane-\(words.lane.rawValue)">\
                <a href="#e\(recorded.sequence)" data-place="\(recorded.sequence)">\(recorded.sequence)</a> \
                <time datetime="\(recorded.at)">\((recorded.at - begin).offset)</time> \
                <span class="sign" aria-hidden="true">\(words.lane.symbol(style))</span> \
                <span class="words"><span class="who">\(words.lane.title): </span>\
                \(DocumentText.escaped(Screen.safe(words.words)))</span></li>
                """
        }
        let items = log.foldedRows.map { row -> String in
            let events = log.events[row.lowerBound.count - 1..<row.upperBound.count]
            let list = events.map(item).joined(separator: "\n")
            guard events.count > 1, let first = events.first, let last = events.last else {
                return list
            }
            return """
                <li class="fold"><details><summary>\(row.lowerBound)–\(row.upperBound): \(events.count) polls of the PSP \
                without a change, in \((last.at - first.at).spoken)</summary>
                <ol>
                \(list)
                </ol></details></li>
                """
        }
        return items.joined(separator: "\n")
    }

    /// The rows of the last view.
    private var state: String {
        let rows = states.last.map { row in
            "<tr><th scope=\"row\">\(DocumentText.escaped(row.path))</th>"
                + "<td>\(DocumentText.escaped(row.value))</td></tr>"
        }
        return rows.joined(separator: "\n")
    }

    private var events: String {
        let items = log.records.map { record in
            """
            <details id="e\(record.sequence)"><summary>\(record.sequence) \
            \(DocumentText.escaped(Screen.safe(record.type)))</summary>
            <pre tabindex="0">\(DocumentText.escaped(Self.text(of: record)))</pre></details>
            """
        }
        return items.joined(separator: "\n")
    }

    /// The line of the log, indented.
    private static func text(of record: StoredRecord) -> String {
        let line = LogLine.encode(record)
        guard let value = try? JSONValue(parsing: line) else {
            return String(decoding: line, as: UTF8.self)
        }
        return JSONDocument.text(value, indented: true)
    }
}

extension EventWords.Lane {
    /// The name of the lane.
    fileprivate var title: String {
        switch self {
        case .client: "Client"
        case .engine: "Engine"
        case .psp: "PSP"
        case .problem: "Problem"
        case .end: "End"
        }
    }
}

/// The script of the page: always the same text, so that the page's policy can permit it by its
/// hash.
///
/// It reads its data from the document and writes only text, never markup.
package enum ReportScript {
    static let text = "\n" + String(decoding: PackageResources.report_js, as: UTF8.self)
}

/// The style of the page: light and dark, narrow, wide and in print; permitted by its hash.
package enum ReportStyle {
    static let text =
        DrawingStyle.declarations + String(decoding: PackageResources.report_css, as: UTF8.self)
}
