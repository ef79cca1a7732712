internal import EventLog
internal import SwedbankPay

/// Describes an event: its text, its sender and recipient, how it is drawn, its part in a story,
/// and the input that leads to it.
///
/// Everything that follows from an event alone is defined here once, for the log, time line,
/// diagram, story and replay check. `StoryTeller` and `ReplayCheck` add what also depends on the
/// state.
struct EventDescription {
    typealias Lane = EventLanes.Lane

    /// An event's part in a story.
    enum StoryPart {
        /// None, apart from what follows from the state.
        case nothing
        /// A sentence.
        case fact(Story.Fact)
        /// A client action was requested.
        case question(Story.ClientStep, ActionID)
        /// The client shows the page of the client action.
        case shown(ActionID)
        /// The client reported the result of an action.
        case reported(ActionID, Story.ActionResult)
    }

    let lane: EventWords.Lane
    /// The sender and the recipient of the event.
    let lanes: EventLanes
    /// The shape of the step in a diagram.
    let shape: SequenceDiagram.Shape
    /// The color of the step in a diagram.
    let tone: SequenceDiagram.Tone
    /// The event's part in a story.
    let story: StoryPart
    /// The input whose first event this is; `nil` when there is none, or when it depends on the
    /// state.
    let input: SessionInput?
    /// The text, created on demand.
    private let text: () -> String

    /// Creates a description with these members.
    ///
    /// `shape` is by default a request or response between the lanes, or a note when the event
    /// stays in one; `tone` is by default the color of problems for problems, and plain otherwise.
    init(
        _ lane: EventWords.Lane,
        from: Lane = .engine,
        to: Lane = .engine,
        _ text: @autoclosure @escaping () -> String,
        shape: SequenceDiagram.Shape? = nil,
        tone: SequenceDiagram.Tone? = nil,
        story: StoryPart = .nothing,
        input: SessionInput? = nil
    ) {
        self.lane = lane
        lanes = EventLanes(from, to)
        self.shape = shape ?? .between(from, to)
        self.tone = tone ?? (lane == .problem ? .bad : .plain)
        self.story = story
        self.input = input
        self.text = text
    }

    var words: EventWords { EventWords(lane, text()) }

    /// Describes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - currency: The currency of the session's order; `nil` when it is unknown.
    init(_ event: SessionEvent, currency: String? = nil) {
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
            case .externalAppLaunched(let report):
                .reported(report.action, .launched, "the app is open", from: .app, shape: .leaving)
            case .externalAppLaunchFailed(let failure):
                .failure(failure.action, .launchFailed, "the app could not be opened")
            case .returned(let returned): Self(returned)
            case .threeDSMethodRequested(let requested):
                .question(.methodCall, requested.action, "post the hidden 3DS form")
            case .threeDSMethodCompleted(let completed): Self(completed)
            case .threeDSRequested(let requested):
                .question(.challenge, requested.action, "show the bank's challenge", to: .bank)
            case .threeDSShown(let report): .shown(report.action, "challenge shown", from: .bank)
            case .threeDSCompleted(let completed):
                .reported(
                    completed.action,
                    .challengeCompleted(cRes: completed.cRes),
                    "the bank returned its result",
                    from: .bank
                )
            case .threeDSClosed(let report):
                .reported(report.action, .canceled, "the payer closed the bank's page", tone: .bad)
            case .threeDSLoadFailed(let failure):
                .failure(failure, "the bank's page could not be shown")
            case .walletRequested(let requested):
                .question(.wallet(requested.method), requested.request.action, "present the wallet")
            case .walletAuthorized(let authorized):
                .reported(
                    authorized.action,
                    .authorized(payload: authorized.payload),
                    "authorized in the wallet"
                )
            case .walletCanceled(let report):
                .reported(report.action, .canceled, "the wallet was closed", tone: .bad)
            case .walletFailed(let failure): .failure(failure, "the wallet failed")
            case .menuChosen(let chosen): Self(chosen)
            case .menuRequested(let requested):
                .question(.page(requested.mode), requested.action, "show the payment menu")
            case .menuShown(let report): .shown(report.action, "menu shown")
            case .menuClosed(let closed): Self(closed)
            case .problem(let problem): Self(problem)
            case .problemAcknowledged(let acknowledged): Self(acknowledged)
            case .retryRequested(let retry):
                .command(.retry(by: retry.by), "retry requested by \(Screen.safe(retry.by))")
            case .refetchRequested(let refetch): Self(refetch)
            case .abortRequested(let abort):
                .command(.abort(by: abort.by), "abort requested by \(Screen.safe(abort.by))")
            case .canceled(let canceled): Self(canceled)
            case .completed(let completed): Self(completed)
            case .expired(let expired): Self(expired)
            case .failed(let failed): Self(failed)
            case .callbackReceived(let received): Self(received)
            case .noteAdded(let note): Self(note)
            case .operatorActed(let acted): Self(acted)
            case .checkout(let event): Self(event, currency: currency)
            case .unknown(let unknown): Self(unknown)
            }
    }
}

/// Descriptions that several events share.
extension EventDescription {
    /// A client action is requested.
    static func question(
        _ step: Story.ClientStep,
        _ action: ActionID,
        _ words: String,
        to lane: Lane = .app
    ) -> Self {
        Self(
            .engine,
            to: lane,
            "\(action.rawValue): \(words)",
            shape: .asking,
            story: .question(step, action),
            input: .resumed
        )
    }

    /// A client action to open an app.
    private init(_ requested: TaskRequested) {
        let step = Story.ClientStep.app(scheme: requested.task.scheme)
        self = .question(step, requested.action, "open the app")
    }

    /// The client shows the page of the client action to the payer.
    static func shown(_ action: ActionID, _ words: String, from lane: Lane = .psp) -> Self {
        Self(
            .client,
            from: lane,
            to: .payer,
            "\(action.rawValue): \(words)",
            shape: .showing,
            story: .shown(action),
            input: .report(ActionReport(action: action, outcome: .shown))
        )
    }

    /// The client reported the result of an action.
    static func reported(
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
            story: .reported(action, Story.ActionResult(outcome)),
            input: .report(ActionReport(action: action, outcome: outcome))
        )
    }

    /// The client could not perform an action.
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
            story: .reported(action, .failed),
            input: .report(ActionReport(action: action, outcome: outcome))
        )
    }

    /// A command of the host.
    static func command(
        _ command: SessionCommand,
        _ words: @autoclosure @escaping () -> String,
        story: StoryPart = .nothing
    ) -> Self {
        Self(.client, from: .app, words(), story: story, input: .command(command))
    }
}

extension Story.ActionResult {
    /// The result of a client action according to its report.
    fileprivate init(_ outcome: ReportOutcome) {
        switch outcome {
        case .launched: self = .opened
        case .challengeCompleted, .authorized, .completed, .checkedIn: self = .finished
        case .canceled: self = .closed
        case .timedOut: self = .timedOut
        case .launchFailed, .failed, .pageFailed: self = .failed
        // Reports about an open page do not complete its action.
        case .done, .shown, .navigated, .leftForExternalContent, .openedTermsOfService: self = .done
        }
    }
}

extension SequenceDiagram.Shape {
    /// The PSP's response to a read.
    static let reading = Self.message(from: .psp, to: .engine, .response)
    /// A box over all lanes.
    static let everyone = Self.note(over: .payer ... .bank)
    /// A box over the engine.
    static let engineAlone = Self.note(over: .engine ... .engine)
    /// A client action is requested.
    static let asking = Self.message(from: .engine, to: .app, .request)
    /// The client reports.
    static let reporting = Self.message(from: .app, to: .engine, .response)
    /// The client shows something to the payer.
    static let showing = Self.message(from: .app, to: .payer, .request)
    /// The client sends the payer to another app or page.
    static let leaving = Self.message(from: .app, to: .bank, .request)

    /// An arrow between two lanes, or a note within one: the PSP and the bank respond, all others
    /// request.
    fileprivate static func between(
        _ from: SequenceDiagram.Lane,
        _ to: SequenceDiagram.Lane
    ) -> Self {
        guard from != to else { return .note(over: from...from) }
        return .message(from: from, to: to, from == .psp || from == .bank ? .response : .request)
    }
}
