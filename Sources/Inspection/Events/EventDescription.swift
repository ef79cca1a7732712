internal import EventLog
internal import SwedbankPay

/// How an event is told: in which words, who it goes from and to, how it is drawn, what a story makes of it, and which input
/// leads to it.
///
/// What follows from an event alone is said here, once for log, time line, diagram, story and replay check. What depends on
/// the state besides, `StoryTeller` and `ReplayCheck` say themselves.
struct EventDescription {
    typealias Lane = EventLanes.Lane

    /// What a story makes of an event.
    enum Telling {
        /// Nothing, or what the state says besides.
        case nothing
        /// A sentence.
        case fact(Story.Fact)
        /// The client was asked to do something.
        case question(Story.ClientStep, ActionID)
        /// What the client was asked for is on the screen.
        case shown(ActionID)
        /// The client answered.
        case answer(ActionID, Story.Answer)
    }

    /// Who did something.
    let lane: EventWords.Lane
    /// Who the event goes from and to.
    let lanes: EventLanes
    /// How it is drawn.
    let shape: SequenceDiagram.Shape
    /// How the drawing is coloured.
    let tone: SequenceDiagram.Tone
    /// What a story makes of it.
    let telling: Telling
    /// The input that leads to the event as its first; nil where there is none, or where the state has to be asked.
    let input: SessionInput?
    /// The words, made when somebody asks for them.
    private let text: () -> String

    /// A description with these members.
    ///
    /// - Parameters:
    ///   - shape: How it is drawn; nil draws a request or an answer between the lanes, or a note where it stays in one.
    ///   - tone: How the drawing is coloured; nil colours what is a problem.
    init(
        _ lane: EventWords.Lane,
        from: Lane = .engine,
        to: Lane = .engine,
        _ text: @autoclosure @escaping () -> String,
        shape: SequenceDiagram.Shape? = nil,
        tone: SequenceDiagram.Tone? = nil,
        telling: Telling = .nothing,
        input: SessionInput? = nil
    ) {
        self.lane = lane
        lanes = EventLanes(from, to)
        self.shape = shape ?? .between(from, to)
        self.tone = tone ?? (lane == .problem ? .bad : .plain)
        self.telling = telling
        self.input = input
        self.text = text
    }

    /// The event in words.
    var words: EventWords { EventWords(lane, text()) }

    /// The description of an event.
    init(_ event: SessionEvent) {
        self =
            switch event {
            case .opened(let opened): Self(opened)
            case .fetched(let fetched): Self(fetched)
            case .methodsOffered(let offered): Self(offered)
            case .attemptStarted(let started): Self(started)
            case .operationStarted(let started): Self(started)
            case .operationSucceeded(let succeeded): Self(succeeded)
            case .operationFailed(let failed): Self(failed)
            case .externalAppRequested(let requested): Self(requested.request)
            case .externalAppLaunched(let answer):
                .answer(answer.action, .launched, "the app is open", from: .app, shape: .leaving)
            case .externalAppLaunchFailed(let failure):
                .failure(failure.action, .launchFailed, "the app could not be opened")
            case .returned(let returned): Self(returned)
            case .threeDSMethodRequested(let requested):
                .question(.methodCall, requested.action, "post the hidden 3DS form")
            case .threeDSMethodCompleted(let completed): Self(completed)
            case .threeDSRequested(let requested):
                .question(.challenge, requested.action, "show the bank's challenge", to: .bank)
            case .threeDSShown(let answer):
                .shown(answer.action, "the challenge is on the screen", from: .bank)
            case .threeDSCompleted(let completed):
                .answer(
                    completed.action,
                    .challengeCompleted(cRes: completed.cRes),
                    "the bank gave its answer",
                    from: .bank
                )
            case .threeDSClosed(let answer):
                .answer(answer.action, .canceled, "the payer closed the bank's page", tone: .bad)
            case .threeDSLoadFailed(let failure):
                .failure(failure, "the bank's page could not be shown")
            case .walletRequested(let requested):
                .question(.wallet(requested.method), requested.request.action, "present the wallet")
            case .walletAuthorized(let authorized):
                .answer(
                    authorized.action,
                    .authorized(payload: authorized.payload),
                    "authorised in the wallet"
                )
            case .walletCanceled(let answer):
                .answer(answer.action, .canceled, "the wallet was closed", tone: .bad)
            case .walletFailed(let failure): .failure(failure, "the wallet failed")
            case .menuChosen(let chosen): Self(chosen)
            case .menuRequested(let requested):
                .question(.page(requested.mode), requested.action, "show the payment menu")
            case .menuShown(let answer): .shown(answer.action, "the menu is on the screen")
            case .menuClosed(let closed): Self(closed)
            case .problem(let problem): Self(problem)
            case .problemAcknowledged(let acknowledged): Self(acknowledged)
            case .retryRequested(let retry):
                .command(.retry(by: retry.by), "try again, asked by \(Screen.safe(retry.by))")
            case .refetchRequested(let refetch): Self(refetch)
            case .abortRequested(let abort):
                .command(.abort(by: abort.by), "give up, asked by \(Screen.safe(abort.by))")
            case .canceled(let canceled): Self(canceled)
            case .completed(let completed): Self(completed)
            case .expired(let expired): Self(expired)
            case .failed(let failed): Self(failed)
            case .callbackReceived(let received): Self(received)
            case .noteAdded(let note): Self(note)
            case .operatorActed(let acted): Self(acted)
            case .checkout(let event): Self(event)
            case .unknown(let unknown): Self(unknown)
            }
    }
}

/// Forms that several events have.
extension EventDescription {
    /// The client is asked to do something.
    static func question(
        _ step: Story.ClientStep,
        _ action: ActionID,
        _ words: String,
        to lane: Lane = .app
    ) -> Self {
        Self(
            .engine,
            to: lane,
            "\(action.rawValue): \(words), please",
            shape: .asking,
            telling: .question(step, action),
            input: .resumed
        )
    }

    /// The client is asked to open an app.
    private init(_ requested: TaskRequested) {
        let step = Story.ClientStep.app(scheme: requested.task.scheme)
        self = .question(step, requested.action, "open the app")
    }

    /// What the client was asked for is on the payer's screen.
    static func shown(_ action: ActionID, _ words: String, from lane: Lane = .psp) -> Self {
        Self(
            .client,
            from: lane,
            to: .payer,
            "\(action.rawValue): \(words)",
            shape: .showing,
            telling: .shown(action),
            input: .report(ClientReport(action: action, outcome: .shown))
        )
    }

    /// The client answered.
    static func answer(
        _ action: ActionID,
        _ outcome: ReportOutcome,
        _ words: String,
        from lane: Lane = .payer,
        shape: SequenceDiagram.Shape? = nil,
        tone: SequenceDiagram.Tone? = nil
    ) -> Self {
        Self(
            .client,
            from: lane,
            "\(action.rawValue): \(words)",
            shape: shape,
            tone: tone,
            telling: .answer(action, Story.Answer(outcome)),
            input: .report(ClientReport(action: action, outcome: outcome))
        )
    }

    /// The client could not do what it was asked for.
    static func failure(_ failure: ActionFailed, _ words: String) -> Self {
        .failure(failure.action, .failed(error: failure.error), words)
    }

    private static func failure(
        _ action: ActionID,
        _ outcome: ReportOutcome,
        _ words: String
    ) -> Self {
        Self(
            .problem,
            from: .app,
            "\(action.rawValue): \(words)",
            shape: .reporting,
            telling: .answer(action, .failed),
            input: .report(ClientReport(action: action, outcome: outcome))
        )
    }

    /// The host asked for something.
    static func command(
        _ command: SessionCommand,
        _ words: @autoclosure @escaping () -> String,
        telling: Telling = .nothing
    ) -> Self {
        Self(.client, from: .app, words(), telling: telling, input: .command(command))
    }
}

extension Story.Answer {
    /// What a client's report says that came of its action.
    fileprivate init(_ outcome: ReportOutcome) {
        switch outcome {
        case .launched: self = .opened
        case .challengeCompleted, .authorized, .completed, .checkedIn: self = .finished
        case .canceled: self = .closed
        case .timedOut: self = .timedOut
        case .launchFailed, .failed, .pageFailed: self = .failed
        // What is said of an open page answers nothing.
        case .done, .shown, .navigated, .leftForExternalContent, .openedTermsOfService: self = .done
        }
    }
}

extension SequenceDiagram.Shape {
    /// The PSP's answer to a reading.
    static let reading = Self.message(from: .psp, to: .engine, .answer)
    /// A box over everybody.
    static let everyone = Self.note(over: .payer ... .bank)
    /// A box over the engine.
    static let engineAlone = Self.note(over: .engine ... .engine)
    /// The client is asked for something.
    static let asking = Self.message(from: .engine, to: .app, .call)
    /// The client reports.
    static let reporting = Self.message(from: .app, to: .engine, .answer)
    /// The client shows the payer something.
    static let showing = Self.message(from: .app, to: .payer, .call)
    /// The client sends the payer away.
    static let leaving = Self.message(from: .app, to: .bank, .call)

    /// What goes from a lane to another one, or stays in it: PSP and bank answer, all others ask.
    fileprivate static func between(
        _ from: SequenceDiagram.Lane,
        _ to: SequenceDiagram.Lane
    ) -> Self {
        guard from != to else { return .note(over: from...from) }
        return .message(from: from, to: to, from == .psp || from == .bank ? .answer : .call)
    }
}
