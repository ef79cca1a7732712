public import EventLog
public import SwedbankPay
public import Workflow

/// Payments in a simulated world: the rules of one PSP, a model of that PSP, payers and their apps.
public struct PaymentScenario: SimulatedScenario {
    /// Occurrences apart from clients and engines.
    public enum Happening: Sendable {
        /// A payer pays on the PSP's page, or does not.
        case payment
        /// A payer approves in the app.
        case approval
        /// An approved payment must have been recorded.
        case record
        /// Another party acts on a session's payment.
        case elsewhere(OtherActor)
    }

    /// The rules, with the host's own limits, problem catalogue and overrides.
    public var rules: SessionDecider
    /// How payers' apps react to what they are shown.
    public var client: any SimulatedClient = OrdinaryClient()
    /// The PSP.
    public internal(set) var provider = SimulatedProvider()
    /// What the PSP's books said, and who is paying, by session.
    var files: [SessionID: File] = [:]

    /// The data about a session besides its log.
    struct File: Sendable {
        /// What the PSP's books said at the response to each request; several entries when it was
        /// sent again.
        var shown: [EffectID: [SimulatedBooks]] = [:]
        /// What they said at the newest response in the log; empty before the first.
        var newest: [SimulatedBooks] = []
        /// The request that succeeded last.
        var succeeded: EffectID?
        /// Whether the PSP's page is on the payer's screen.
        var isPaying = false
        /// Whether somebody pays in the last minute before the session expires.
        var isLastMinutePlanned = false
        /// The order as it is, and as it was before it last changed, each with the books.
        var views: [View] = []
        /// Whether the next read shows the order as it was.
        var lags = false
    }

    /// What a read of an order showed.
    struct View: Sendable {
        var outcome: ProviderResponse.Outcome
        var books: SimulatedBooks
    }

    /// Creates payments with these rules.
    public init(rules: SessionDecider) { self.rules = rules }

    /// The values that clients and the PSP seal.
    public var secrets: SimulatedSecrets {
        get { provider.secrets }
        _modify { yield &provider.secrets }
    }

    /// Whether the PSP accepts every request to start an attempt.
    public var isCareless: Bool {
        get { provider.isCareless }
        set { provider.isCareless = newValue }
    }

    // MARK: PSP

    /// Processes a request at the PSP, and records the state of its books at the response.
    public mutating func process(
        _ request: OperationRequest,
        of session: SessionID
    ) -> ProviderResponse.Outcome {
        var outcome = provider.process(request, of: session)
        var books = provider.books(of: session)
        if request.rel == .order, isSuccess(outcome) {
            var file = files[session] ?? File()
            if file.views.last?.books != books {
                file.views = file.views.suffix(1) + [View(outcome: outcome, books: books)]
            }
            if file.lags, file.views.count > 1 {
                (outcome, books) = (file.views[0].outcome, file.views[0].books)
            }
            file.lags = false
            files[session] = file
        }
        files[session, default: File()].shown[request.id, default: []].append(books)
        return outcome
    }

    /// The number of attempts that reached the PSP.
    public func effects(of session: SessionID) -> Int { provider.orders[session]?.attempts ?? 0 }

    /// The number of attempts that were started.
    public func effectsWanted(by state: SessionState) -> Int { state.attemptCount }

    /// The outcome that an engine's port would report.
    public func outcome(of trouble: NetworkTrouble) -> ProviderResponse.Outcome {
        switch trouble {
        case .notSent(let code): .notSent(code)
        case .lost(let code): .lost(code)
        case .canceled: .failed(reach: .maybeSent, code: "http.canceled", isTransient: false)
        case .unavailable(let status): .unavailable(status)
        case .tooManyRequests(let wait): .tooManyRequests(wait)
        case .unusable(let isEmpty):
            isEmpty ? .empty(status: 204) : .undecodable(status: 200, raw: nil)
        }
    }

    /// Whether the PSP processed the request successfully.
    public func isSuccess(_ outcome: ProviderResponse.Outcome) -> Bool { outcome.isSuccess }

    /// Passes an outcome to the guard of hosts.
    public func record(
        _ outcome: ProviderResponse.Outcome,
        of admission: CircuitBreaker.Admission,
        in hosts: inout HostGuard,
        at now: CircuitBreaker.Time
    ) {
        hosts.record(outcome, of: admission, to: host, at: now)
    }

    /// Whether the same step was tried before.
    public func isRepetition(_ request: OperationRequest) -> Bool { request.tryNumber > 1 }

    /// The name of the PSP in steps.
    public var otherSide: String { "the PSP" }
    /// The PSP's host.
    public var host: String { "psp.example" }
    /// The limit of the rules.
    public var eventLimit: SequenceNumber { rules.limits.events + rules.limits.eventReserve }
    /// The limit of the rules.
    public var requestDeadline: Duration { rules.limits.requestDeadline }

    // MARK: Ledger

    /// The effect of an event on the requests of its session.
    public func meaning(of event: SessionEvent) -> EventMeaning {
        switch event {
        case .operationStarted(let started): .started(started.effect, started.rel.rawValue)
        case .operationFailed(let failed) where failed.isUnknownChange:
            .leftUnknown(failed.rel.rawValue)
        case .operationFailed(let failed): failed.rel.onlyReads ? .readingEnded : .other
        case .operationSucceeded(let succeeded):
            succeeded.rel.onlyReads ? .readingEnded : .other
        case .fetched(let fetched): .read(isNew: fetched.snapshot != nil)
        case .checkout(.orderFetched(let fetched)): .read(isNew: fetched.order != nil)
        case .problem: .problem
        default: .other
        }
    }

    /// Whether an event may follow the end: audit events, reads that were requested, and events
    /// about the money of a checkout.
    public func mayFollowEnd(_ event: SessionEvent, in state: SessionState) -> Bool {
        event.isAudit || event.readsAgain || (state.checkout != nil && !event.isEnd)
    }

    /// Whether a request may be sent after the end: requests that change the money of a checkout.
    public func mayFollowEnd(_ request: OperationRequest, in state: SessionState) -> Bool {
        state.checkout != nil && request.rel.movesMoney
    }

    /// The outcome of a payment.
    public func ending(of state: SessionState) -> String? { state.outcome?.rawValue }
}

extension Rel {
    /// Whether it captures, cancels or reverses: what is done with an order after it was paid.
    fileprivate var movesMoney: Bool {
        self == .capture || self == .cancelOrder || self == .reversal
    }
}

extension OperationFailed {
    /// Whether it may have changed something, so that the outcome is unknown until the session is
    /// read.
    ///
    /// An order that does not exist yet cannot be read; its creation is guarded by the merchant's
    /// reference instead.
    fileprivate var isUnknownChange: Bool {
        !rel.onlyReads && rel != .paymentOrders && rel != .consumers && retryAt != nil
            && (reach == .maybeSent || (status ?? 0) >= 500)
    }
}

extension SessionEvent {
    /// Whether it belongs to a read of a session that has ended.
    fileprivate var readsAgain: Bool {
        switch self {
        case .refetchRequested, .retryRequested, .fetched, .problem: true
        case .operationFailed(let failed): failed.rel.onlyReads
        case .operationSucceeded(let succeeded): succeeded.rel.onlyReads
        default: false
        }
    }

    /// Whether it may follow the end.
    fileprivate var isAudit: Bool {
        switch self {
        case .callbackReceived, .noteAdded, .operatorActed: true
        default: false
        }
    }
}
