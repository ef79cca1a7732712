internal import EventLog
internal import SwedbankPay

extension SequenceDiagram.Step {
    typealias Shape = SequenceDiagram.Shape

    /// The PSP's answer to a reading.
    static let reading = Shape.message(from: .psp, to: .engine, .answer)
    private static let everyone = Shape.note(over: .payer ... .bank)
    private static let engineAlone = Shape.note(over: .engine ... .engine)
    private static let asking = Shape.message(from: .engine, to: .app, .call)
    private static let choosing = Shape.message(from: .payer, to: .engine, .call)
    private static let reporting = Shape.message(from: .app, to: .engine, .answer)
    private static let telling = Shape.message(from: .app, to: .engine, .call)
    private static let showing = Shape.message(from: .app, to: .payer, .call)

    /// The step that an event is drawn as.
    init(_ recorded: RecordedEvent) {
        let words = EventWords(recorded.event)
        let (shape, tone) = Self.form(of: recorded.event)
        let mark =
            switch tone {
            case .bad: "✖ "
            case .good: "● "
            case .plain, .quiet: ""
            }
        self.init(
            places: recorded.sequence...recorded.sequence,
            at: recorded.at,
            shape: shape,
            tone: tone,
            text: SequenceDiagram.text(mark + words.words)
        )
    }

    private static func form(
        of event: SessionEvent
    ) -> (shape: Shape, tone: SequenceDiagram.Tone) {
        switch event {
        case .opened: (telling, .plain)
        case .fetched(let fetched): (reading, fetched.snapshot == nil ? .quiet : .plain)
        case .methodsOffered: (.message(from: .engine, to: .app, .answer), .plain)
        case .attemptStarted, .menuChosen: (choosing, .plain)
        case .operationStarted: (.message(from: .engine, to: .psp, .call), .plain)
        case .operationSucceeded: (reading, .plain)
        case .operationFailed(let failed): (shape(of: failed), .bad)
        case .externalAppRequested, .threeDSMethodRequested, .threeDSRequested, .walletRequested,
            .menuRequested:
            (asking, .plain)
        case .externalAppLaunched: (.message(from: .app, to: .bank, .call), .plain)
        case .returned: (choosing, .plain)
        case .threeDSMethodCompleted(let done):
            (reporting, done.indicator == .completed ? .plain : .bad)
        case .threeDSShown, .menuShown: (showing, .plain)
        case .threeDSCompleted: (.message(from: .bank, to: .engine, .answer), .plain)
        case .walletAuthorized: (choosing, .plain)
        case .threeDSClosed, .walletCanceled: (choosing, .bad)
        case .externalAppLaunchFailed, .threeDSLoadFailed, .walletFailed: (reporting, .bad)
        case .menuClosed(let closed): (reporting, closed.outcome == .completed ? .plain : .bad)
        case .problem(let problem): (shape(of: problem), .bad)
        case .problemAcknowledged: (reading, .plain)
        case .retryRequested, .refetchRequested, .abortRequested: (telling, .plain)
        case .completed: (everyone, .good)
        case .canceled, .expired, .failed: (everyone, .bad)
        case .callbackReceived: (.message(from: .psp, to: .engine, .call), .plain)
        case .noteAdded, .operatorActed, .unknown: (engineAlone, .quiet)
        case .checkout(let event): form(of: event)
        }
    }

    private static func form(
        of event: CheckoutEvent
    ) -> (shape: Shape, tone: SequenceDiagram.Tone) {
        switch event {
        case .checkoutOpened, .transactionRequested: (telling, .plain)
        case .endpointsDiscovered, .checkInOffered, .orderFetched: (reading, .plain)
        case .checkInRequested: (asking, .plain)
        case .checkInShown, .termsOfServiceOpened: (showing, .plain)
        case .payerCheckedIn, .instrumentChosen, .checkInClosed: (choosing, .plain)
        case .checkInFailed: (reporting, .bad)
        case .externalContentOpened: (.message(from: .app, to: .bank, .call), .plain)
        case .navigated: (.note(over: .app ... .app), .plain)
        case .handedOver, .handedBack: (engineAlone, .plain)
        case .orderConfirmed: (everyone, .good)
        case .transactionSettled(let settled): (reading, settled.result.isDone ? .plain : .bad)
        }
    }

    /// How far a request that failed has come.
    private static func shape(of failed: OperationFailed) -> Shape {
        switch failed.reach {
        case .notSent: engineAlone
        case .maybeSent: .message(from: .engine, to: .psp, .lost)
        case .answered: reading
        }
    }

    /// Over whom a problem stands: whoever it came from.
    private static func shape(of problem: Problem) -> Shape {
        switch problem.origin {
        case .session: .note(over: .psp ... .psp)
        case .engine: engineAlone
        case .client: .note(over: .app ... .app)
        }
    }
}
