package import EventLog
package import SwedbankPay

/// An event in plain words, and who it is about.
package struct EventWords: Hashable, Sendable {
    /// Who did something.
    package enum Lane: String, Sendable {
        /// The payer, with an app or browser.
        case client
        /// This engine.
        case engine
        /// The payment service provider.
        case psp
        /// Something went wrong.
        case problem
        /// The end.
        case end

        /// A sign that also reads without colour.
        package func symbol(_ style: Style) -> StyledText {
            let (symbol, plain, role): (String, String, Style.Role) =
                switch self {
                case .client: ("◆", "@", .payer)
                case .engine: ("·", ".", .dim)
                case .psp: ("▸", ">", .accent)
                case .problem: ("✖", "x", .bad)
                case .end: ("●", "*", .good)
                }
            return style.paint(style.isUnicode ? symbol : plain, role)
        }
    }

    package var lane: Lane
    package var words: String

    package init(_ lane: Lane, _ words: String) {
        self.lane = lane
        self.words = words
    }

    /// The words for an event.
    package init(_ event: SessionEvent) {
        switch event {
        case .opened(let opened):
            let reference = opened.reference.map { ", reference \(Screen.safe($0.shown))" } ?? ""
            self.init(.client, "session taken in at \(opened.host)" + reference)
        case .fetched(let fetched): self.init(fetched)
        case .methodsOffered(let offered):
            let names = offered.methods.map(\.instrument.rawValue).joined(separator: ", ")
            self.init(.engine, "methods offered: " + names)
        case .attemptStarted(let started):
            self.init(.client, "attempt \(started.number): " + started.choice.words)
        case .operationStarted(let started):
            let retry = started.tryNumber > 1 ? " (try \(started.tryNumber))" : ""
            self.init(.engine, "sends \(started.rel.rawValue)" + retry)
        case .operationSucceeded(let succeeded):
            self.init(
                .psp,
                "\(succeeded.rel.rawValue) answered \(succeeded.status)"
                    + " after \(succeeded.durationMilliseconds) ms" + succeeded.content.words
            )
        case .operationFailed(let failed): self.init(failed)
        case .problem, .problemAcknowledged, .retryRequested, .refetchRequested, .abortRequested,
            .completed, .canceled, .expired, .failed, .callbackReceived, .noteAdded, .operatorActed,
            .unknown:
            self.init(ending: event)
        case .checkout(let event): self.init(event)
        default: self.init(client: event)
        }
    }

    private init(_ fetched: Fetched) {
        guard let snapshot = fetched.snapshot else {
            self.init(.psp, "\(fetched.cause.rawValue): nothing new")
            return
        }
        var parts: [String] = []
        if snapshot.problem != nil { parts.append("a problem") }
        let count = snapshot.methods.count
        if count > 0 { parts.append(count == 1 ? "1 method" : "\(count) methods") }
        let operations = Set(
            (snapshot.operations + snapshot.methods.flatMap(\.operations))
                .filter(\.isNext).map(\.rel.rawValue)
        ).sorted()
        if !operations.isEmpty { parts.append("next: " + operations.joined(separator: ", ")) }
        let news = parts.isEmpty ? "a new view" : parts.joined(separator: "; ")
        self.init(.psp, "\(fetched.cause.rawValue): " + news)
    }

    private init(_ failed: OperationFailed) {
        let status = failed.status.map { " \($0)" } ?? ""
        let reach =
            switch failed.reach {
            case .notSent: "never left"
            case .maybeSent: "may have arrived"
            case .answered: "was answered"
            }
        let next = failed.retryAt == nil ? "" : ", goes on later"
        self.init(
            .problem,
            "\(failed.rel.rawValue) failed: \(failed.code)\(status), \(reach)" + next
        )
    }

    /// The line of a timeline: time since the beginning, lane, words.
    package func line(at instant: Instant, since begin: Instant, in style: Style) -> StyledText {
        let milliseconds = max(0, (instant.microseconds - begin.microseconds) / 1000)
        let fraction = String(milliseconds % 1000 / 10)
        let offset =
            "\(milliseconds / 1000)." + String(repeating: "0", count: 2 - fraction.count) + fraction
        let padded = String(repeating: " ", count: max(0, 7 - offset.count)) + offset + "s"
        return style.paint(padded, .dim) + " " + lane.symbol(style) + " "
            + style.paint(words, lane == .problem ? .bad : nil)
    }
}

extension Choice {
    /// What the payer chose, without anything personal.
    var words: String {
        switch self {
        case .swish(nil): return "Swish on this device"
        case .swish: return "Swish on another device"
        case .card(let card): return "saved card \(card.rank)"
        default: return instrument.label
        }
    }
}

extension MenuMode {
    /// What the page shows.
    var words: String {
        switch self {
        case .menu: "all methods"
        case .restricted(let names): names.map { Screen.safe($0.rawValue) }.joined(separator: ", ")
        case .instrument(let name): Screen.safe(name.rawValue)
        }
    }
}

extension AnswerContent {
    fileprivate var words: String {
        switch self {
        case .snapshot: ""
        case .empty: ", empty"
        case .undecodable: ", not readable"
        }
    }
}
