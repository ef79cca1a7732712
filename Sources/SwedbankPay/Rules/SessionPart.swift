internal import EventLog
internal import Workflow

/// The state of a payment session or a checkout, which folds events.
///
/// The fold is total: it never refuses a fact. A kind of session folds the facts that concern it;
/// all others only advance the sequence number.
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
    mutating func foldAdoption(of order: String)
    mutating func end(_ ending: Ending)
    /// Restarts the time limit of what was overdue, after the client or the PSP acted.
    mutating func waitAnew()

    /// The number of the attempt in progress.
    var attemptNumber: Int? { get }
    /// The instrument of the attempt in progress.
    var payingInstrument: Instrument? { get }
    /// Whether the payer exceeded the time limit.
    var isOverdue: Bool { get }
    /// Whether a read can always be requested again, because someone may be paying.
    var isWatched: Bool { get }
    /// Whether there is something that can be read.
    var canBeRead: Bool { get }
    /// The number of the attempt in progress, if it has begun at the PSP.
    var begunNumber: Int? { get }
    /// Whether the client shows the PSP's page, or it was left without a result; for a checkout,
    /// whether its order shows an attempt in progress.
    var hasPage: Bool { get }
    /// What is in progress that it may be paid with.
    var contender: Contender? { get }
    /// What is known about how it was paid.
    var paidWith: PaidWith? { get }
    /// Whether something that this session started may take money.
    var isPaying: Bool { get }
    /// The money that was taken according to the PSP.
    var paidMoney: TakenMoney? { get }
    /// The amount that an order was paid with.
    var paidAmount: Amount? { get }
    /// The digest of what the order's checkout reported last; for a checkout, that of the order.
    var reportedDigest: Digest256? { get }
    /// Whether the order was only meant to verify the payer's details.
    var isOrderedVerification: Bool { get }
    /// The captures, cancellations and reversals that were requested, oldest first.
    var requestedTransactions: [RequestedTransaction] { get }
    /// The amount of the transaction of that kind that is under way.
    func amountUnderWay(_ kind: TransactionKind) -> Amount?
    /// Whether the session or order has ended unpaid according to the PSP's newest response.
    var isSaidUnpaid: Bool { get }
    /// Whether there is nothing that could be paid.
    var isNothingBegun: Bool { get }
    /// Whether a refused request leaves a doubt about the attempt's result.
    var doubtsRefusals: Bool { get }
    /// Whether a request may take, reverse or release money.
    func movesMoney(_ rel: Rel) -> Bool
    /// Records the effects of an event on the money that only this kind of session knows.
    mutating func recordMoney(of event: SessionEvent, since before: MoneyMark)
}

extension SessionPart {
    /// Folds an event.
    mutating func apply(_ event: SessionEvent, at instant: Instant) {
        let (last, lastAt, outcome) = (progress.sequence, progress.lastAt, progress.outcome)
        let before = MoneyMark(self, before: event)
        progress.advance(to: instant)
        fold(event)
        // Whatever a log says, also one that was forged.
        precondition(progress.sequence == last + 1, "\(progress.session): counted after \(last)")
        precondition(progress.lastAt >= lastAt, "\(progress.session): back before \(lastAt)")
        precondition(
            outcome == nil || progress.outcome == outcome,
            "\(progress.session): an outcome is final"
        )
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
        case .externalAppLaunched(let response): self.respond(response.action, .launched)
        case .externalAppLaunchFailed(let failure): respond(failure.action, .launchFailed)
        case .threeDSMethodCompleted(let completed): respond(completed.action, completed.response)
        case .threeDSCompleted(let completed):
            respond(completed.action, .challengeCompleted(cRes: completed.cRes))
        case .threeDSClosed(let response):
            self.respond(response.action, .canceled)
            progress.readAgain(.returned)
        case .threeDSLoadFailed(let failure), .walletFailed(let failure):
            respond(failure.action, .failed(error: failure.error))
        case .walletAuthorized(let authorized):
            respond(authorized.action, .authorized(payload: authorized.payload))
        case .walletCanceled(let response): self.respond(response.action, .canceled)
        case .menuChosen(let chosen): fold(chosen)
        case .menuRequested(let requested): fold(requested)
        case .menuClosed(let closed): fold(closed)
        case .returned: foldReturn()
        case .problem(let problem):
            progress.problem = CurrentProblem(problem: problem, sequence: progress.sequence)
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
        case .operatorActed(let acted):
            if acted.action == OperatorActed.forking { foldFork() }
            if let order = acted.order { foldAdoption(of: order) }
        }
    }

    /// Folds a request to the client.
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

    /// Folds a report; an action that is no longer open keeps its status.
    mutating func respond(_ action: ActionID, _ outcome: ReportOutcome) {
        guard progress.respond(action, outcome) else { return }
        waitAnew()
        progress.wakeForResponse()
    }
}

/// The default folds for facts that do not concern a kind of session.
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
    mutating func foldAdoption(of order: String) {}
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
        respond(closed.action, closed.response)
        progress.requests.restartPolling(at: progress.lastAt)
        progress.readAgain(.returned)
    }

    mutating func fold(_ abort: AbortRequested) { progress.requestAbort(abort) }

    /// Folds a callback, after which the session is read to learn what happened.
    mutating func foldCallback() {
        guard progress.outcome == nil else { return }
        progress.wakeFromStall()
        progress.readAgain(.returned)
    }

    /// Folds a return of the payer; the session is read, because it shows what the payer did.
    mutating func foldReturn() {
        for index in progress.actions.indices where progress.actions[index].isOpen {
            if case .launchApp = progress.actions[index].kind {
                progress.actions[index].status = .reported(.launched)
            }
        }
        progress.wakeFromStall()
        waitAnew()
        progress.readAgain(.returned)
        progress.requests.restartPolling(at: progress.lastAt)
    }
}

extension ThreeDSMethodCompleted {
    /// The client's report.
    fileprivate var response: ReportOutcome {
        switch indicator {
        case .completed: .done
        case .failed: .failed(error: nil)
        case .unknown: .timedOut
        }
    }
}

extension MenuClosed {
    /// The client's report.
    package var response: ReportOutcome {
        switch outcome {
        case .completed: .completed
        case .canceled: .canceled
        case .failed: failure.map { .pageFailed($0) } ?? .failed(error: error)
        }
    }
}
