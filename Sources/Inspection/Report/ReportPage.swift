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
        states = ReportStates(log, by: decider)
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

    /// The document.
    package var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Markup.escaped(Self.policy))">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>\(DocumentText.escaped("Session \(log.session)"))</title>
        <style>\(ReportStyle.text)</style>
        </head>
        <body>
        <a class="skip" href="#place">Skip to the event selector</a>
        \(header)
        <main>
        \(sentences)
        <div class="columns">
        \(timeline)
        \(inspector)
        </div>
        \(drawing)
        \(events)
        </main>
        <script type="application/json" id="report-data">\(Markup.escaped(json: states.json))</script>
        <script>\(ReportScript.text)</script>
        </body>
        </html>

        """
    }

    // MARK: Parts

    private var header: String {
        var facts: [(name: String, value: String)] = []
        if let reference = view.reference { facts.append(("Reference", reference)) }
        facts.append((view.outcome == nil ? "Phase" : "Outcome", standing))
        if let attempt = view.attempt {
            facts.append(("Attempt", "\(attempt.number): \(attempt.choice.words)"))
        }
        if let problem = view.problem?.problem {
            let name = problem.kind?.rawValue ?? problem.type.map { EventWords.slug(of: $0) } ?? ""
            facts.append(("Problem", "\(name); \(problem.duty)"))
        }
        let amount = story.amountWords
        if !amount.isEmpty { facts.append(("Amount", amount)) }
        if let first = log.events.first, let last = log.events.last {
            facts.append(("Started", clock.second(first.at)))
            facts.append(
                ("Last event", "\(clock.second(last.at)), \((last.at - first.at).spoken) later")
            )
        }
        facts.append(("Events", "\(log.events.count)"))
        let list = facts.map {
            "<div><dt>\($0.name)</dt><dd>\(DocumentText.escaped(Screen.safe($0.value)))</dd></div>"
        }
        let masked = log.records.count { $0.isMasked }
        let note =
            masked == 0 ? "" : " Text was masked in \(masked) event\(masked == 1 ? "" : "s")."
        let payer = end.payerMessage.map { " Tell the payer: \"\($0)\"" } ?? ""
        let summary = DocumentText.escaped(Screen.safe(end.summary))
        let rest = DocumentText.escaped(Screen.safe("\(end.money) \(end.turn)\(payer)"))
        return """
            <header>
            <h1>Session <code>\(log.session)</code></h1>
            <p id="story"><strong>\(summary)</strong> \(rest)</p>
            \(steps)
            <dl>\(list.joined())</dl>
            <p class="remark">Made from the log by \(DocumentText.escaped(maker)), without sealed values.\(note)</p>
            <p class="paper">Printed: the story and the time line. Open the page to see the diagram, the state and the \
            stored events.</p>
            <nav aria-label="Parts of the page"><a href="#told">Story</a> <a href="#timeline">Time line</a> \
            <a href="#states">State</a> <a href="#diagram">Diagram</a> <a href="#events">Events</a> \
            <button type="button" id="print-all" hidden>Print everything</button></nav>
            </header>
            """
    }

    /// The next step.
    private var steps: String {
        let items = end.steps("workflowctl").enumerated().map { number, step in
            let relation = number == 0 ? "" : "<em>\(step.relation.rawValue)</em> "
            let command = step.command.map {
                "<br><code>\(DocumentText.escaped(Screen.safe($0)))</code>"
            }
            let words = DocumentText.escaped(Screen.safe(step.words))
            return "<li>\(relation)\(words)\(command ?? "")</li>"
        }
        return """
            <section id="steps" aria-labelledby="steps-name"><h2 id="steps-name">What to do</h2>
            <ul>\(items.joined())</ul></section>
            """
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
        return """
            <section id="told" aria-labelledby="told-name">
            <h2 id="told-name">What happened</h2>
            <ol>
            \(items.joined(separator: "\n"))
            </ol>
            </section>
            """
    }

    private var standing: String {
        (view.outcome?.rawValue ?? view.phase.rawValue) + view.closingWords
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
        return """
            <section id="timeline" aria-labelledby="timeline-name">
            <h2 id="timeline-name">Time line</h2>
            <ol>
            \(items.joined(separator: "\n"))
            </ol>
            </section>
            """
    }

    private var inspector: String {
        let last = log.events.count
        let rows = states.last.map { row in
            "<tr><th scope=\"row\">\(DocumentText.escaped(row.path))</th>"
                + "<td>\(DocumentText.escaped(row.value))</td></tr>"
        }
        return """
            <section id="states" aria-labelledby="states-name">
            <h2 id="states-name">State</h2>
            <div id="controls" hidden>
            <label for="place">After event</label>
            <input type="range" id="place" min="0" max="\(last)" value="\(last)" step="1">
            <div class="buttons">
            <button type="button" id="first">First</button>
            <button type="button" id="back">Back</button>
            <button type="button" id="forward">Forward</button>
            <button type="button" id="end">Last</button>
            </div>
            </div>
            <p id="chosen" role="status">After event \(last), the last one.</p>
            <p><a id="raw" href="#e\(last)" hidden>This event as stored</a></p>
            <table><caption>Values that the event changed are marked.</caption>
            <tbody id="state">
            \(rows.joined(separator: "\n"))
            </tbody></table>
            </section>
            """
    }

    private var drawing: String {
        """
        <section id="diagram" aria-labelledby="diagram-name">
        <h2 id="diagram-name">Diagram</h2>
        <div class="scroll" tabindex="0" role="group" aria-label="Sequence diagram">
        \(SVGDrawing(SequenceDiagram(log), by: clock).embedded)</div>
        </section>
        """
    }

    private var events: String {
        let items = log.records.map { record in
            """
            <details id="e\(record.sequence)"><summary>\(record.sequence) \
            \(DocumentText.escaped(Screen.safe(record.type)))</summary>
            <pre tabindex="0">\(DocumentText.escaped(Self.text(of: record)))</pre></details>
            """
        }
        return """
            <section id="events" aria-labelledby="events-name">
            <h2 id="events-name">Stored events</h2>
            \(items.joined(separator: "\n"))
            </section>
            """
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
