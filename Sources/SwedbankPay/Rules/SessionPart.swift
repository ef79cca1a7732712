internal import EventLog
internal import Workflow

/// A state that folds events: of a payment session or a checkout.
///
/// The fold is total: it never refuses a fact. A kind of session takes the facts that are its own; all others move the
/// position only.
protocol SessionPart: Progressing {
    var progress: Progress { get set }

    mutating func fold(_ opened: Opened)
    mutating func fold(_ fetched: Fetched)
    mutating func fold(_ offered: MethodsOffered)
    mutating func fold(_ started: AttemptStarted)
    mutating func fold(_ started: OperationStarted)
    mutating func fold(_ succeeded: OperationSucceeded)
    mutating func fold(_ failed: OperationFailed)
    mutating func fold(_ chosen: MenuChosen)
    mutating func fold(_ requested: MenuRequested)
    mutating func fold(_ closed: MenuClosed)
    mutating func fold(_ problem: Problem)
    mutating func fold(_ acknowledged: ProblemAcknowledged)
    mutating func fold(_ asked: RefetchRequested)
    mutating func fold(_ abort: AbortRequested)
    mutating func fold(_ event: CheckoutEvent)
    mutating func foldReturn()
    mutating func foldRetry()
    mutating func foldCallback()
    mutating func foldFork()
    mutating func end(_ ending: Ending)
    /// The client or the PSP moved: what was overdue has its time again.
    mutating func waitAnew()

    /// The attempt under way.
    var attemptNumber: Int? { get }
    /// What it pays with.
    var payingInstrument: Instrument? { get }
    /// Whether the payer took longer than payers may take.
    var isOverdue: Bool { get }
    /// Whether reading can always be asked for again, since somebody may be paying.
    var isWatched: Bool { get }
    /// Whether there is something to read, and somebody who reads it to us.
    var canBeRead: Bool { get }
    /// The same, when it has begun at the PSP.
    var begunNumber: Int? { get }
    /// Whether the PSP's page is on the client's screen, or was left without a result.
    var hasPage: Bool { get }
    /// Whether something that this session began may take money.
    var isPaying: Bool { get }
    /// What the PSP says it took.
    var paidMoney: TakenMoney? { get }
    /// How much an order was paid with.
    var paidAmount: Int64? { get }
    /// Whether the order was to verify the payer's details only.
    var isOrderedVerification: Bool { get }
    /// Whether the PSP's newest answer says that the session or order is over, and not paid.
    var isSaidUnpaid: Bool { get }
    /// Whether nothing exists that could be paid.
    var isNothingBegun: Bool { get }
    /// Whether a refused request leaves a doubt of what becomes of the attempt.
    var doubtsRefusals: Bool { get }
    /// Whether a request may take money, give it back or release it.
    func movesMoney(_ rel: Rel) -> Bool
    /// Notes what only this kind of session knows an event to say of the money.
    mutating func noteMoney(of event: SessionEvent, since before: MoneyMark)
}

extension SessionPart {
    /// Takes an event into account.
    mutating func apply(_ event: SessionEvent, at instant: Instant) {
        let before = MoneyMark(self)
        progress.advance(to: instant)
        fold(event)
        foldMoney(event, since: before)
    }

    private mutating func fold(_ event: SessionEvent) {
        switch event {
        case .noteAdded, .unknown: break
        case .opened(let opened): fold(opened)
        case .fetched(let fetched): fold(fetched)
        case .methodsOffered(let offered): fold(offered)
        case .attemptStarted(let started): fold(started)
        case .operationStarted(let started): fold(started)
        case .operationSucceeded(let succeeded): fold(succeeded)
        case .operationFailed(let failed): fold(failed)
        case .externalAppRequested, .threeDSMethodRequested, .threeDSRequested, .walletRequested:
            foldRequest(event)
        case .threeDSShown(let shown), .menuShown(let shown): progress.show(shown.action)
        case .externalAppLaunched(let answer): self.answer(answer.action, .launched)
        case .externalAppLaunchFailed(let failure): answer(failure.action, .launchFailed)
        case .threeDSMethodCompleted(let completed): answer(completed.action, completed.answer)
        case .threeDSCompleted(let completed):
            answer(completed.action, .challengeCompleted(cRes: completed.cRes))
        case .threeDSClosed(let answer):
            self.answer(answer.action, .canceled)
            progress.readAgain(.returned)
        case .threeDSLoadFailed(let failure), .walletFailed(let failure):
            answer(failure.action, .failed(error: failure.error))
        case .walletAuthorized(let authorized):
            answer(authorized.action, .authorized(payload: authorized.payload))
        case .walletCanceled(let answer): self.answer(answer.action, .canceled)
        case .menuChosen(let chosen): fold(chosen)
        case .menuRequested(let requested): fold(requested)
        case .menuClosed(let closed): fold(closed)
        case .returned: foldReturn()
        case .problem(let problem):
            progress.problem = StandingProblem(problem: problem, sequence: progress.sequence)
            fold(problem)
        case .problemAcknowledged(let acknowledged): fold(acknowledged)
        case .retryRequested: foldRetry()
        case .refetchRequested(let asked): fold(asked)
        case .abortRequested(let abort): fold(abort)
        case .completed: end(Ending(outcome: .completed))
        case .canceled: end(Ending(outcome: .canceled))
        case .expired: end(Ending(outcome: .expired))
        case .failed(let failed): end(Ending(outcome: .failed, isByHand: failed.isByHand))
        case .callbackReceived: foldCallback()
        case .checkout(.orderConfirmed(let confirmed)): progress.confirmation = confirmed
        case .checkout(let event): fold(event)
        case .operatorActed(let acted): if acted.action == OperatorActed.forking { foldFork() }
        }
    }

    /// The client is asked to do something for the PSP.
    private mutating func foldRequest(_ event: SessionEvent) {
        switch event {
        case .externalAppRequested(let requested):
            let request = requested.request
            progress.request(
                request,
                as: .launchApp(request.task, callbackURL: requested.callbackURL)
            )
        case .threeDSMethodRequested(let requested):
            progress.request(requested, as: .load3DSMethod(requested.task))
        case .threeDSRequested(let requested):
            let url = requested.notificationURL
            progress.request(requested, as: .show3DS(requested.task, notificationURL: url))
        case .walletRequested(let requested):
            let request = requested.request
            progress.request(
                request,
                as: .authorizeWallet(request.task, method: requested.method)
            )
        default: break
        }
    }

    /// Notes an answer; an action that is not open any more keeps what it has.
    mutating func answer(_ action: ActionID, _ outcome: ReportOutcome) {
        guard progress.answer(action, outcome) else { return }
        waitAnew()
        progress.wakeForAnswer()
    }
}

/// What a kind of session does with facts about which it has nothing of its own to say.
extension SessionPart {
    mutating func fold(_ opened: Opened) {}
    mutating func fold(_ fetched: Fetched) {}
    mutating func fold(_ offered: MethodsOffered) {}
    mutating func fold(_ started: AttemptStarted) {}
    mutating func fold(_ chosen: MenuChosen) {}
    mutating func fold(_ requested: MenuRequested) {}
    mutating func fold(_ acknowledged: ProblemAcknowledged) {}
    mutating func fold(_ event: CheckoutEvent) {}
    mutating func fold(_ problem: Problem) {}
    var attemptNumber: Int? { nil }
    var payingInstrument: Instrument? { nil }
    var isOverdue: Bool { false }
    var isWatched: Bool { false }
    var canBeRead: Bool { true }
    mutating func foldFork() {}
    mutating func waitAnew() {}
    mutating func foldRetry() { progress.retry() }
    mutating func fold(_ asked: RefetchRequested) { _ = progress.refetch(asked) }
    mutating func end(_ ending: Ending) { _ = progress.end(ending) }
    mutating func fold(_ succeeded: OperationSucceeded) { _ = progress.succeeded(succeeded) }
    mutating func fold(_ failed: OperationFailed) { _ = progress.failed(failed, isWanted: true) }

    mutating func fold(_ started: OperationStarted) {
        progress.requests.started(started, at: progress.lastAt, sequence: progress.sequence)
    }

    mutating func fold(_ closed: MenuClosed) {
        answer(closed.action, closed.answer)
        progress.requests.pollAnew(at: progress.lastAt)
        progress.readAgain(.returned)
    }

    mutating func fold(_ abort: AbortRequested) { progress.requestAbort(abort) }

    /// The PSP told the merchant that something happened; the session is read to learn what.
    mutating func foldCallback() {
        guard progress.outcome == nil else { return }
        progress.wakeFromStall()
        progress.readAgain(.returned)
    }

    /// The payer came back: what they did shows in the session, so that is read.
    mutating func foldReturn() {
        for index in progress.actions.indices where progress.actions[index].isOpen {
            if case .launchApp = progress.actions[index].kind {
                progress.actions[index].status = .answered(.launched)
            }
        }
        progress.wakeFromStall()
        waitAnew()
        progress.readAgain(.returned)
        progress.requests.pollAnew(at: progress.lastAt)
    }
}

extension ThreeDSMethodCompleted {
    /// What the client answered.
    fileprivate var answer: ReportOutcome {
        switch indicator {
        case .completed: .done
        case .failed: .failed(error: nil)
        case .unknown: .timedOut
        }
    }
}

extension MenuClosed {
    /// What the client answered.
    package var answer: ReportOutcome {
        switch outcome {
        case .completed: .completed
        case .canceled: .canceled
        case .failed: failure.map { .pageFailed($0) } ?? .failed(error: error)
        }
    }
}
