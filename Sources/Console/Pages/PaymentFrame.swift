internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service
internal import SwedbankPay

/// A payment with what all of its pages show: what it is, how it stands, and the way to its parts.
struct PaymentFrame {
    /// A part of a payment, which is a page of its own.
    enum Part: String, CaseIterable {
        case story = "", timeline, replay, diagram, events, proof

        /// The endpoint whose roles may open it.
        var route: Route {
            switch self {
            case .story: .story
            case .timeline: .timeline
            case .replay: .states
            case .diagram: .diagram
            case .events: .sessionEvents
            case .proof: .story
            }
        }
    }

    let evidence: PaymentEvidence
    let story: Story
    let end: StoryEnd
    let view: SessionView
    let caller: Caller
    let words: Words
    let clock: DisplayClock
    /// Whether an intervention needs a reason.
    let requiresReason: Bool
    /// Whether what one person found out counts only once another confirms it.
    let requiresSecondPerson: Bool

    init(_ evidence: PaymentEvidence, of api: PaymentAPI, for request: PageRequest) {
        self.evidence = evidence
        (caller, words, clock) = (request.caller, request.words, request.clock)
        requiresReason = api.requiresReason
        requiresSecondPerson = api.requiresSecondPerson
        let decider = api.decider
        story = Story(of: evidence.log.session, events: evidence.log.events, by: decider)
        end = StoryEnd(story, by: clock)
        view = SessionView(story.state, by: decider, disclosing: .masked)
    }

    var log: SessionLog { evidence.log }
    var session: SessionID { log.session }
    var money: MoneyState { story.standing.money }

    /// The reference, or otherwise the short identifier.
    var name: String { view.reference ?? session.short }

    /// The address of a part.
    func address(of part: Part) -> String {
        "/console/payments/\(session)" + (part == .story ? "" : "/\(part.rawValue)")
    }

    /// The page with a part of the payment.
    func page(_ part: Part, _ content: HTML) -> Page {
        let title = part == .story ? name : "\(name): \(words.name(of: part))"
        return Page(
            title: title,
            section: .payments,
            content: """
                \(heading)\(bands)\(tabs(part))
                <div class="part">\(content)</div>
                """
        )
    }

    private var heading: HTML {
        let amount =
            money.isVerification
            ? "" : words.amount(money.taken?.amount ?? money.amount, money.currency)
        let state =
            view.outcome.map { words.ended($0.rawValue, money.standing) }
            ?? words.name(of: view.phase)
        let method = view.attempt.map { words.name(of: $0.choice.instrument) }
        return """
            <div class="heading">
            <h1>\(name)</h1>
            <p class="line"><b class="amount">\(amount)</b> \(RowParts.money(money.standing, words.money(money)))\
             <span class="state">\(state)</span>\(method.map { " <span>\($0)</span>" as HTML })</p>
            \(live)</div>

            """
    }

    /// What follows a payment that goes on; without scripts there is nothing.
    private var live: HTML? {
        guard view.outcome == nil, !evidence.isImported else { return nil }
        return """
            <live-state hidden role="status" data-seq="\(view.lastSeq.rawValue)" \
            data-stream="/console/payments/\(session.description)/stream" data-live="\(words.live)" \
            data-stale="\(words.stale)" data-changed="\(words.changed)"></live-state>
            """
    }

    /// What everybody has to know before anything else.
    private var bands: HTML {
        var bands = HTML.none
        if evidence.isErased { bands += "<p class=\"band caution\">\(words.erased)</p>" }
        if evidence.isImported { bands += "<p class=\"band caution\">\(words.importedBand)</p>" }
        if log.unknownEvents > 0 {
            bands += "<p class=\"band caution\">\(words.unknownEvents(log.unknownEvents))</p>"
        }
        if !evidence.duplicates.isEmpty {
            bands += """
                <p class="band bad">\(words.duplicateBand) \(evidence.duplicates.html { other in
                    "<a href=\"/console/payments/\(other.description)\">\(other.short)</a> "
                })</p>
                """
        }
        return bands
    }

    private func tabs(_ current: Part) -> HTML {
        let parts = Part.allCases.filter { $0.route.isOpen(to: caller) }
        return """
            <nav class="tabs" aria-label="\(words.parts)"><ul>\(parts.html { part in
                let mark: HTML = part == current ? " aria-current=\"page\"" : ""
                return "<li><a href=\"\(address(of: part))\"\(mark)>\(words.name(of: part))</a></li>"
            })</ul></nav>

            """
    }

    /// The way from a statement to the events behind it.
    static func evidence(
        _ sequences: [SequenceNumber],
        of session: SessionID,
        _ words: Words
    ) -> HTML {
        guard let first = sequences.min(), let last = sequences.max() else { return .none }
        let address = "/console/payments/\(session)/events?from=\(first)&to=\(last)"
        let ranges = StoryReport.ranges(sequences).rewriting("-", as: "–")
        return """
            <a class="evidence" href="\(address)" aria-label="\(words.evidence(ranges))">\(ranges)</a>
            """
    }

    func evidence(_ sequences: [SequenceNumber]) -> HTML {
        Self.evidence(sequences, of: session, words)
    }
}

extension Console {
    /// The changes of a payment as they come, for pages that are open.
    private func stream(
        of session: SessionID,
        _ request: PageRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        let last = request.head.headerFields[.lastEventID] ?? request.query["after"] ?? "0"
        guard let last = Int64(last), last >= 0 else {
            throw ServiceProblem(400, "request.malformed", "this is no sequence number")
        }
        var response = try api.changes(
            of: session,
            after: SequenceNumber(rawValue: last),
            for: request.caller
        )
        for field in Page.fields { response.head.headerFields[field.name] = field.value }
        return response
    }

    /// A payment, or one of its parts.
    func payment(_ request: PageRequest) async throws(ServiceProblem) -> ServiceResponse {
        let session = try request.session()
        let name = request.parts.count > 2 ? request.parts[2] : ""
        if name == "log.ndjson" || name == "proof.json" {
            return try await download(name, of: session, for: request.caller)
        }
        if name == "stream" { return try await stream(of: session, request) }
        if let act = Act(rawValue: name) { return try await form(for: act, request) }
        guard let part = PaymentFrame.Part(rawValue: name), request.parts.count == 2 || name != ""
        else { throw ServiceProblem(404, "request.no-address", "the path leads nowhere") }
        guard part.route.isOpen(to: request.caller) else {
            throw ServiceProblem(403, "request.forbidden", "no role of this caller may do this")
        }
        let evidence = try await api.evidence(of: session, for: request.caller)
        let frame = PaymentFrame(evidence, of: api, for: request)
        let page: Page
        switch part {
        case .story: page = frame.storyPage
        case .timeline: page = frame.timelinePage(everyPoll: request.query["all"] == "true")
        case .replay: page = frame.replayPage(Replaying(request, frame), by: api.decider)
        case .diagram: page = frame.diagramPage
        case .events: page = frame.eventsPage(EventRange(request, frame))
        case .proof: page = frame.proofPage(await proof(of: session, for: request.caller))
        }
        return response(with: page, to: request.head, for: request.caller, request.words)
    }
}

extension Words {
    var live: String { self("● Follows the payment", "● Följer betalningen") }
    var stale: String {
        self(
            "○ Not current: the connection was lost. It is tried again.",
            "○ Inte aktuellt: anslutningen bröts. Ett nytt försök görs."
        )
    }
    var changed: String {
        self("The payment has changed: show it", "Betalningen har ändrats: visa den")
    }
    var parts: String { self("Parts of this payment", "Betalningens delar") }

    func name(of part: PaymentFrame.Part) -> String {
        switch part {
        case .story: self("Story", "Berättelse")
        case .timeline: self("Time line", "Tidslinje")
        case .replay: self("Replay", "Uppspelning")
        case .diagram: self("Diagram", "Diagram")
        case .events: self("Events", "Händelser")
        case .proof: self("Proof", "Bevis")
        }
    }

    func evidence(_ ranges: String) -> String {
        self("Evidence: events \(ranges)", "Belägg: händelse \(ranges)")
    }

    var erased: String {
        self(
            "The personal values of this payment were erased: its key was destroyed. What is left is shown; it still verifies.",
            "Betalningens personuppgifter är raderade: dess nyckel är förstörd. Det som finns kvar visas, och kan fortfarande verifieras."
        )
    }
    var importedBand: String {
        self(
            "This payment was opened in another installation. It is only shown here; act on it there.",
            "Betalningen öppnades i en annan installation. Här visas den bara; hantera den där."
        )
    }
    var duplicateBand: String {
        self("The same order was also paid in:", "Samma order är också betald i:")
    }
    func unknownEvents(_ count: Int) -> String {
        count == 1
            ? self(
                "1 event is of a type that this version does not know. It is shown as it was recorded.",
                "1 händelse är av en typ som den här versionen inte känner till. Den visas som den registrerades."
            )
            : self(
                "\(count) events are of types that this version does not know. They are shown as they were recorded.",
                "\(count) händelser är av typer som den här versionen inte känner till. De visas som de registrerades."
            )
    }

    /// What a heading says of the money, without its amount.
    func money(_ money: MoneyState) -> String {
        money.isVerification
            ? self(
                "verification: \(name(of: money.standing))",
                "verifiering: \(name(of: money.standing))"
            )
            : self("money: \(name(of: money.standing))", "pengar: \(name(of: money.standing))")
    }
}
