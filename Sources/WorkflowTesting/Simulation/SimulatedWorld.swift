public import Workflow

/// The real engine core in a virtual world: clock, disk, network, PSP and payers, all from one seed.
///
/// One thread, no sleeping: time jumps to the next thing that happens. The same seed gives the same history. After
/// each step the guarantees are checked; what is broken is in ``ledger``.
public struct SimulatedWorld: Sendable {
    /// How often things go wrong, in thousandths.
    public struct Faults: Hashable, Sendable {
        /// A request is lost before the PSP sees it.
        public var requestLost = 0
        /// The PSP processes a request and its answer is lost.
        public var answerLost = 0
        /// The PSP answers with 503 and processes nothing.
        public var unavailable = 0
        /// The PSP processes a request and answers with 500.
        public var failsAfterProcessing = 0
        /// An answer is empty or can't be read.
        public var unusableAnswer = 0
        /// An append fails and is not durable.
        public var appendFails = 0
        /// The engine dies before something happens.
        public var crash = 0
        /// The client reports late, twice or wrongly.
        public var clumsyClient = 0

        /// A calm world.
        public init() {}
    }

    /// The time in the world.
    public private(set) var now = Instant(microseconds: 1_700_000_000_000_000)
    /// The PSP.
    public private(set) var provider = SimulatedProvider()
    /// The books, with all broken guarantees.
    public private(set) var ledger = EffectLedger()
    /// What is durable.
    public private(set) var journal: [SessionID: [RecordedEvent]] = [:]
    /// How often the engine died.
    public private(set) var crashes = 0
    let faults: Faults
    let decider: SessionDecider
    var core: EngineCore
    var generator: SplitMix64
    var agenda = Agenda()
    private var leases: Set<SessionID> = []
    private var incarnation = 0
    private var requestCount = 0

    /// A world from a seed.
    public init(decider: SessionDecider, faults: Faults = Faults(), seed: UInt64) {
        self.decider = decider
        self.faults = faults
        generator = SplitMix64(seed: seed)
        core = EngineCore(decider: decider, seed: seed)
    }

    /// Takes in a session whose payer behaves like this.
    @discardableResult
    public mutating func open(
        payer: SimulatedProvider.Payer,
        authentication: SimulatedProvider.Authentication,
        paysWith preferences: [Preference]
    ) -> SessionID {
        let session = SessionID(at: now, random: (generator.next(), generator.next()))
        provider.create(session, payer: payer, authentication: authentication)
        let opened = Opened(
            sessionURL: Sealed(named: "session-\(session)"),
            host: "psp.example",
            userAgent: "simulated",
            preferences: preferences
        )
        give(.loaded(SessionState(session: session), isWatched: true))
        request(.command(.open(opened)), of: session)
        return session
    }

    /// Gives the core a command or report.
    public mutating func request(_ input: SessionInput, of session: SessionID) {
        requestCount += 1
        give(.request(session, input, number: requestCount, cause: "simulated"))
    }

    /// The session's state as the durable log tells it.
    public func state(of session: SessionID) -> SessionState {
        .folding(journal[session] ?? [], of: session)
    }

    /// Lets time pass until nothing is left to happen, a bound of steps is reached or a guarantee is broken.
    ///
    /// - Returns: How many steps were made.
    @discardableResult
    public mutating func run(
        for duration: Duration = .seconds(3600),
        steps limit: Int = 20_000
    ) -> Int {
        let end = now + duration
        var steps = 0
        while steps < limit, ledger.violations.isEmpty, let next = agenda.next(by: end) {
            now = max(now, next.time)
            if chance(faults.crash) { crash() }
            happen(next)
            steps += 1
        }
        return steps
    }

    private mutating func happen(_ entry: Agenda.Entry) {
        guard entry.incarnation == incarnation || entry.survivesCrash else { return }
        switch entry.what {
        case .commit(let append): commit(append)
        case .arrive(let session, let call):
            arrive(call, of: session, isAwaited: entry.incarnation == incarnation)
        case .answer(let session, let effect, let outcome):
            ledger.ended(effect, of: session)
            give(.answered(session, effect, outcome, durationMilliseconds: 50))
        case .wake: give(.timeCame)
        case .lease(let session):
            leases.insert(session)
            give(.lease(session, granted: true))
        case .load(let session): load(session)
        case .act(let session, let action): clientActs(on: action, of: session)
        }
    }

    // MARK: What the core wants

    mutating func give(_ input: EngineInput) {
        for action in core.handle(input, at: now) { perform(action) }
    }

    private mutating func perform(_ action: EngineAction) {
        switch action {
        case .append(let append): schedule(.commit(append), within: 1...20)
        case .perform(let session, let call):
            ledger.leaves(
                call,
                of: session,
                durable: journal[session] ?? [],
                at: now,
                shortestPause: .milliseconds(250)
            )
            schedule(.arrive(session, call), within: 1...200, survivesCrash: true)
        case .cancel(let session, let effect): ledger.ended(effect, of: session)
        case .acquireLease(let session): schedule(.lease(session), within: 0...2)
        case .releaseLease(let session): leases.remove(session)
        case .load(let session, _): schedule(.load(session), within: 1...5)
        case .wake(let time):
            if let time { agenda.add(.wake, at: max(time, now), incarnation) }
        case .publish(let state, _): published(state)
        case .reply, .report, .park: break
        }
    }

    private mutating func commit(_ append: PendingAppend) {
        if chance(faults.appendFails) {
            return give(.appendFailed(append.session, .busy))
        }
        let known = journal[append.session]?.count ?? 0
        guard known == append.expectedVersion else {
            return give(
                .appendFailed(
                    append.session,
                    .conflict(
                        stream: append.session,
                        expected: append.expectedVersion,
                        actual: Int64(known)
                    )
                )
            )
        }
        let metadata = EventMetadata(
            build: "simulated",
            catalogue: "simulated",
            cause: append.cause,
            node: "simulated"
        )
        for (offset, event) in append.events.enumerated() {
            journal[append.session, default: []].append(
                RecordedEvent(
                    stream: append.session,
                    sequence: Int64(known + offset + 1),
                    at: append.at,
                    event: event,
                    metadata: metadata
                )
            )
        }
        give(.appended(append.session))
    }

    private mutating func load(_ session: SessionID) {
        give(.loaded(state(of: session), isWatched: true))
    }

    /// What listeners are told must be what the log says.
    private mutating func published(_ state: SessionState) {
        let folded = self.state(of: state.session)
        if folded != state {
            ledger.report("replayEqualsLive", "the log of \(state.session) folds differently")
        }
        if decider.effects(owedBy: folded) != decider.effects(owedBy: state) {
            ledger.report("replayEqualsLive", "the log of \(state.session) owes differently")
        }
        checkMoney(state)
        for action in state.actions where action.isOpen {
            schedule(.act(state.session, action.id), within: 500...5000)
        }
    }

    private mutating func checkMoney(_ state: SessionState) {
        guard let order = provider.orders[state.session] else { return }
        if order.payments > 1 {
            ledger.report("noDoublePay", "\(state.session) paid \(order.payments) times")
        }
        if order.attempts > state.attemptCount {
            ledger.report(
                "noDoublePay",
                "the PSP saw \(order.attempts) attempts for \(state.attemptCount) of ours"
            )
        }
        if state.outcome == .completed, order.payments == 0 {
            ledger.report("paidMeansPaid", "\(state.session) is called completed, unpaid")
        }
    }

    // MARK: The network

    private mutating func arrive(
        _ call: OperationCall,
        of session: SessionID,
        isAwaited: Bool
    ) {
        guard isAwaited else {
            // Sent by an engine that died: it takes effect, and nobody hears of it.
            _ = provider.process(call, of: session)
            return
        }
        if chance(faults.requestLost) {
            return answer(
                .failed(reach: .maybeSent, code: "http.timeout", isTransient: true),
                call,
                session
            )
        }
        if chance(faults.unavailable) {
            return answer(
                .refused(
                    status: 503,
                    document: ProblemDocument(type: "about:blank", status: 503),
                    retryAfter: nil
                ),
                call,
                session
            )
        }
        let outcome = provider.process(call, of: session)
        if chance(faults.answerLost) {
            return answer(
                .failed(reach: .maybeSent, code: "http.reset", isTransient: true),
                call,
                session
            )
        }
        if chance(faults.failsAfterProcessing) {
            return answer(
                .refused(
                    status: 500,
                    document: ProblemDocument(type: "about:blank", status: 500),
                    retryAfter: nil
                ),
                call,
                session
            )
        }
        if chance(faults.unusableAnswer), case .snapshot(_, let status) = outcome {
            return answer(
                chance(500) ? .empty(status: 204) : .undecodable(status: status, raw: nil),
                call,
                session
            )
        }
        answer(outcome, call, session)
    }

    private mutating func answer(
        _ outcome: ProviderAnswer.Outcome,
        _ call: OperationCall,
        _ session: SessionID
    ) {
        schedule(.answer(session, call.id, outcome), within: 1...300)
    }

    // MARK: The payer's device

    private mutating func clientActs(on action: ActionID, of session: SessionID) {
        guard let open = state(of: session).actions.last(where: { $0.id == action }), open.isOpen
        else { return }
        var outcome: ReportOutcome
        switch open.kind {
        case .launchApp: outcome = chance(faults.clumsyClient) ? .launchFailed : .launched
        case .load3DSMethod:
            // Now and then nobody answers: the time limit has to.
            if chance(faults.clumsyClient) { return }
            outcome = .done
        case .show3DS:
            outcome =
                chance(faults.clumsyClient)
                ? .failed(error: nil) : .challengeCompleted(cRes: Sealed(named: "cres"))
        case .authorizeWallet, .showMenu: return
        }
        if core.state(of: session) == nil { load(session) }
        request(.report(ClientReport(action: action, outcome: outcome)), of: session)
        if chance(faults.clumsyClient) {
            request(.report(ClientReport(action: action, outcome: outcome)), of: session)
        }
        if case .failed = outcome { request(.command(.retry(by: "payer")), of: session) }
    }

    // MARK: Crashes

    /// The engine dies with all that is not durable, and another one starts from the log.
    public mutating func crash() {
        crashes += 1
        incarnation += 1
        leases.removeAll()
        ledger.crashed()
        core = EngineCore(decider: decider, seed: generator.next())
        for session in journal.keys.sorted() { load(session) }
    }

    // MARK: Chance and time

    mutating func chance(_ thousandths: Int) -> Bool {
        thousandths > 0 && Int(generator.next() % 1000) < thousandths
    }

    private mutating func schedule(
        _ what: Agenda.What,
        within milliseconds: ClosedRange<Int64>,
        survivesCrash: Bool = false
    ) {
        let span = UInt64(milliseconds.upperBound - milliseconds.lowerBound + 1)
        let pause = milliseconds.lowerBound + Int64(generator.next() % span)
        agenda.add(what, at: now + .milliseconds(pause), incarnation, survivesCrash: survivesCrash)
    }
}
