internal import EventLog
internal import SwedbankPay

/// Describes the events of payment sessions.
extension EventDescription {
    init(_ opened: Opened) {
        self = .command(
            .open(opened),
            "session opened at \(opened.host)" + Self.reference(opened.reference),
            story: .fact(
                .takenIn(
                    host: opened.host,
                    isCheckout: false,
                    isHandedOver: opened.checkout != nil
                )
            )
        )
    }

    /// The merchant's reference, if there is one.
    static func reference(_ reference: OutsideText?) -> String {
        reference.map { ", reference \(Screen.safe($0.shown))" } ?? ""
    }

    init(_ offered: MethodsOffered) {
        self.init(
            .engine,
            to: .app,
            "methods offered: "
                + offered.methods.map(\.instrument.rawValue).joined(separator: ", "),
            shape: .message(from: .engine, to: .app, .response),
            input: .resumed
        )
    }

    init(_ started: AttemptStarted) {
        self.init(
            .client,
            from: .payer,
            "attempt \(started.number): " + started.choice.words,
            input: .command(.attempt(started.choice.request))
        )
    }

    init(_ chosen: MenuChosen) {
        self.init(
            .client,
            from: .payer,
            "chose the PSP's page: " + chosen.mode.words,
            story: .fact(.page(chosen.mode)),
            input: .command(.menu(chosen.mode))
        )
    }

    init(_ returned: Returned) {
        self.init(
            .client,
            from: .payer,
            "the payer returned (\(returned.form.rawValue) payment URL)",
            input: .command(.returned(returned.form))
        )
    }

    init(_ completed: ThreeDSMethodCompleted) {
        let limit = completed.timedOut ? ", timed out" : ""
        let outcome: ReportOutcome =
            completed.indicator == .completed ? .done : .failed(error: nil)
        self.init(
            .client,
            from: .bank,
            "\(completed.action.rawValue): 3DS method \(completed.indicator.rawValue)" + limit,
            shape: .reporting,
            tone: completed.indicator == .completed ? .plain : .bad,
            story: .reported(
                completed.action,
                completed.timedOut
                    ? .timedOut : completed.indicator == .failed ? .failed : .done
            ),
            input: completed.timedOut
                ? .timerFired(.methodLimit(completed.action))
                : .report(ActionReport(action: completed.action, outcome: outcome))
        )
    }

    init(_ closed: MenuClosed) {
        let failure = closed.failure.map { ": " + StoryWords.words(of: $0) } ?? ""
        self = .reported(
            closed.action,
            closed.response,
            "menu closed, \(closed.outcome)" + failure,
            shape: .reporting,
            tone: closed.outcome == .completed ? .plain : .bad
        )
    }

    init(_ refetch: RefetchRequested) {
        self.init(
            .client,
            from: .app,
            "read again, requested by \(Screen.safe(refetch.by))",
            input: refetch.by == SessionDecider.lastLook
                ? .timerFired(.sessionLimit) : .command(.refetch(by: refetch.by))
        )
    }
}

/// Describes ends, problems and operator actions.
extension EventDescription {
    init(_ problem: Problem) {
        let lane: Lane =
            switch problem.origin {
            case .session: .psp
            case .engine: .engine
            case .client: .app
            }
        self.init(.problem, from: lane, to: lane, problem.words)
    }

    init(_ acknowledged: ProblemAcknowledged) {
        self.init(
            .psp,
            from: .engine,
            to: .psp,
            acknowledged.accepted ? "problem acknowledged" : "acknowledgement not accepted",
            shape: .reading,
            input: .resumed
        )
    }

    init(_ completed: Completed) {
        self.init(
            .end,
            from: .psp,
            completed.evidence == .completeURLReached
                ? "completed, as the client reported; the order could not be read"
                : "completed, as the PSP reported",
            shape: .everyone,
            tone: .good,
            input: .resumed
        )
    }

    init(_ canceled: Canceled) {
        self.init(
            .end,
            from: .psp,
            "canceled by the \(canceled.by == .psp ? "PSP" : canceled.by.rawValue)",
            shape: .everyone,
            tone: .bad,
            input: .resumed
        )
    }

    init(_ expired: Expired) {
        self.init(
            .end,
            "expired: \(expired.reason.rawValue)",
            shape: .everyone,
            tone: .bad,
            input: expired.reason == .lifetime ? .timerFired(.sessionLimit) : .resumed
        )
    }

    init(_ failed: Failed) {
        let host = failed.host.map { " (\(Screen.safe($0)))" } ?? ""
        let money = failed.money.map { "; " + Self.closingWords($0) } ?? ""
        let end = failed.isByHand ? "closed by an operator" : "failed: \(failed.reason.rawValue)"
        self.init(.end, end + money + host, shape: .everyone, tone: .bad, input: .resumed)
    }

    /// What was known about the money when an operator ended the session.
    private static func closingWords(_ money: MoneyState.Standing) -> String {
        switch money {
        case .none: "no money was taken"
        case .unknown: "money not confirmed"
        case .intended, .underWay, .confirmed: "money: \(money.rawValue)"
        }
    }

    init(_ received: CallbackReceived) {
        self.init(
            .psp,
            from: .psp,
            "callback received",
            shape: .message(from: .psp, to: .engine, .request),
            input: .command(.callback(received))
        )
    }

    init(_ note: NoteAdded) {
        self.init(
            .client,
            "note by \(Screen.safe(note.by))",
            tone: .quiet,
            story: .fact(.note(by: note.by))
        )
    }

    init(_ acted: OperatorActed) {
        self.init(
            .client,
            "\(Screen.safe(acted.by)): \(Screen.safe(acted.action))"
                + (acted.resolution == nil ? "" : ", \(acted.resolution.words)")
                + (acted.resolution?.secondPerson.map {
                    ", naming \(Screen.safe($0)) as the second person"
                } ?? ""),
            tone: .quiet,
            story: .fact(.person(acted))
        )
    }

    init(_ unknown: UnknownEvent) {
        self.init(
            .engine,
            "event of the unknown type \(Screen.safe(unknown.type))",
            tone: .quiet,
            story: .fact(.unknown(type: unknown.type))
        )
    }
}

extension Choice {
    /// The payer's choice, without personal data.
    var words: String {
        if case .card(let card) = self { return "saved card \(card.rank)" }
        guard instrument.takesNumber else { return instrument.label }
        return instrument.label + (msisdn == nil ? " on this device" : " on another device")
    }

    /// The request from which this choice was made.
    fileprivate var request: ChoiceRequest {
        map(msisdn: { $0 }, card: { .token($0.token) })
    }
}

extension MenuMode {
    /// The content of the page.
    var words: String {
        switch self {
        case .menu: "all methods"
        case .restricted(let names): names.map { Screen.safe($0.rawValue) }.joined(separator: ", ")
        case .instrument(let name): Screen.safe(name.rawValue)
        }
    }
}

extension Actor {
    /// That this party has to act.
    var duty: String { "the \(self == .psp ? "PSP" : rawValue) has to act" }
}

extension Problem {
    /// The problem's name and title, and the party that must act.
    fileprivate var words: String {
        let name = kind?.rawValue ?? type.map { EventWords.slug(of: $0) } ?? "problem"
        let title = title(disclosing: .masked).map { ": " + Screen.safe($0) } ?? ""
        return "\(Screen.safe(name))\(title); \(actor.duty)"
    }
}
