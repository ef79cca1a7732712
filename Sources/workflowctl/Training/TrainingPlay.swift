internal import Adapters
internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay
internal import Synchronization
internal import Workflow

/// One payment of a training store in progress: the payer, the merchant and the time are simulated,
/// the engine is real.
struct TrainingPlay {
    let plan: TrainingPlan
    let desk: TrainingDesk
    private let clock: TrainingClock
    private let network: TrainingNetwork
    private let engine: PaymentEngine
    private let chance: TrainingChance
    private var references: TrainingReferences
    private(set) var session: SessionID?
    /// The order at the sandbox.
    private var order: String?
    private var answered: Set<ActionID> = []
    /// The subscription that keeps the session in memory.
    private var updates: AsyncStream<SessionUpdate>?

    /// The action of a payer whose turn it is.
    enum Decision: String {
        case approve, decline, cancel
    }

    /// The longest time that a payer waits for the engine.
    static let patience = Duration.seconds(25 * 3_600)
    /// How often the loop runs before no work is taken to be in progress.
    private static let turns = 12

    init(_ plan: TrainingPlan, at desk: TrainingDesk) {
        self.plan = plan
        self.desk = desk
        clock = TrainingClock(at: plan.start)
        chance = TrainingChance(seed: plan.seed)
        references = TrainingReferences(number: plan.number)
        network = TrainingNetwork(
            to: desk.provider,
            by: clock,
            chance: TrainingChance(seed: plan.seed ^ 0x5EED)
        )
        engine = desk.engine(by: clock, through: network, chance: chance)
    }

    /// Makes the payment until the end of the month, and returns its session.
    mutating func run() async throws(Failure) -> SessionID {
        desk.time.follow(clock)
        let result: Result<Void, TrainingStop>
        do throws(TrainingStop) {
            result = .success(try await plan.story.play(&self))
        } catch {
            result = .failure(error)
        }
        updates = nil
        await shutDown()
        switch result {
        case .failure(.failed(let failure)): throw failure
        case .success, .failure(.monthIsOver): break
        }
        guard let session else { throw Self.unexpected("no session was opened") }
        return session
    }

    private func shutDown() async {
        let isDown = Mutex(false)
        let task = desk.invocation.loop.spawn { [engine] in
            await engine.shutdown()
            isDown.withLock { $0 = true }
        }
        while !isDown.withLock({ $0 }) {
            await rest()
            if let due = clock.nextDue { clock.advance(to: due) }
        }
        await task.value
    }

    private static func unexpected(_ words: String) -> Failure {
        Failure(.defect, "demo.unexpected", words, hint: "please report this")
    }
}

// MARK: - Time

extension TrainingPlay {
    /// Returns a random number in a range.
    func random(_ range: ClosedRange<Int>) -> Int { chance.number(in: range) }

    /// Waits until no work is in progress on a disk or at the sandbox.
    private func rest() async {
        var turns = 0
        while turns < Self.turns {
            await Task.yield()
            let work = await engine.storeWorkCount
            guard network.isBusy || work > 0 else {
                turns += 1
                continue
            }
            turns = 0
            try? await desk.invocation.loop.sleep(for: .milliseconds(1))
        }
    }

    /// Advances the time to what is due next, at most to an instant; returns false when that
    /// instant is reached.
    private func goOn(until end: Instant) async throws(TrainingStop) -> Bool {
        await rest()
        let next = min(clock.nextDue ?? end, end)
        guard next < desk.until else {
            clock.advance(to: desk.until)
            await rest()
            throw .monthIsOver
        }
        clock.advance(to: next)
        return next < end
    }

    /// Advances the time by a duration, while the engine does what is due.
    func pass(_ duration: Duration) async throws(TrainingStop) {
        let end = clock.now() + duration
        while try await goOn(until: end) {}
        await rest()
    }

    /// Advances the time by some seconds.
    func think(_ seconds: ClosedRange<Int>) async throws(TrainingStop) {
        try await pass(.milliseconds(Int64(random(seconds)) * 1_000 + Int64(random(0...999))))
    }

    /// Performs work with the engine.
    ///
    /// `takesTime` says whether the work waits for the PSP; the clock stands still during all other
    /// work.
    private func perform<Value: Sendable>(
        takesTime: Bool = false,
        _ work: @escaping @Sendable (PaymentEngine) async throws(EngineError) -> Value
    ) async throws(TrainingStop) -> Value {
        let result = Mutex<Result<Value, EngineError>?>(nil)
        let task = desk.invocation.loop.spawn { [engine] in
            let value: Result<Value, EngineError>
            do throws(EngineError) {
                value = .success(try await work(engine))
            } catch {
                value = .failure(error)
            }
            result.withLock { $0 = value }
        }
        let end = clock.now() + Self.patience
        while takesTime, result.withLock({ $0 == nil }) {
            await rest()
            guard clock.nextDue != nil, result.withLock({ $0 == nil }) else { break }
            _ = try await goOn(until: end)
        }
        await task.value
        await rest()
        guard let value = result.withLock({ $0 }) else {
            throw .failed(Self.unexpected("a call returned no result"))
        }
        do throws(EngineError) {
            return try value.get()
        } catch {
            throw TrainingStop(error)
        }
    }
}

// MARK: - Payer

extension TrainingPlay {
    /// Opens the payment session of a new order.
    mutating func open() async throws(TrainingStop) {
        var order = SandboxOrder(amount: plan.amount, description: plan.description)
        order.currency = plan.currency
        order.payeeReference = plan.payeeReference
        order.payerReference = "payer-\(1 + plan.number % 40)"
        let created: CreatedOrder
        do throws(SandboxError) {
            created = try await desk.sandbox.createOrder(order)
        } catch {
            throw .failed(Self.unexpected("the sandbox refused the order: \(error)"))
        }
        self.order = created.id
        let plan = plan
        let session = try await perform { engine throws(EngineError) in
            try await engine.open(
                created.sessionURL,
                reference: plan.reference,
                metadata: plan.metadata,
                allowsInsecureLoopback: true
            )
        }
        try await keep(session)
    }

    private mutating func keep(_ session: SessionID) async throws(TrainingStop) {
        self.session = session
        do throws(EngineError) {
            updates = try await engine.updates(of: session)
        } catch {
            throw TrainingStop(error)
        }
    }

    private func opened() throws(TrainingStop) -> SessionID {
        guard let session else { throw .failed(Self.unexpected("no session was opened")) }
        return session
    }

    /// Returns the state of the session.
    func state() async throws(TrainingStop) -> SessionState {
        let session = try opened()
        do throws(EngineError) {
            return try await engine.state(of: session)
        } catch {
            throw TrainingStop(error)
        }
    }

    /// Starts an attempt.
    func attempt(_ choice: AttemptRequest) async throws(TrainingStop) {
        let session = try opened()
        _ = try await perform { engine throws(EngineError) in
            try await engine.attempt(session, with: choice)
        }
    }

    /// Opens the PSP's menu.
    func menu() async throws(TrainingStop) {
        let session = try opened()
        _ = try await perform { engine throws(EngineError) in try await engine.menu(session) }
    }

    /// Gives up the payment.
    func abort(by who: String = "payer") async throws(TrainingStop) {
        let session = try opened()
        _ = try await perform { engine throws(EngineError) in
            try await engine.abort(session, by: who)
        }
    }
    /// Reads the session, or the order of a checkout, again.
    func reread(by who: String) async throws(TrainingStop) {
        let session = try opened()
        _ = try await perform { engine throws(EngineError) in
            try await engine.refetch(session, by: who)
        }
        _ = try await wait(.seconds(60))
    }

    /// Waits for the payer's turn: an action, the end, or the absence of further work.
    ///
    /// Returns the action that the payer has not reported on; `nil` when there is none.
    @discardableResult
    func wait(
        _ limit: Duration = TrainingPlay.patience
    ) async throws(TrainingStop) -> ClientAction? {
        let end = clock.now() + limit
        while true {
            await rest()
            let state = try await state()
            if state.outcome != nil, desk.decider.isSettled(state) { return nil }
            if let action = state.actions.first(where: { $0.isOpen && !answered.contains($0.id) }) {
                return action
            }
            let isIdle = state.payment.map { $0.attempt == nil } ?? true
            if state.outcome == nil, isIdle, desk.decider.isSettled(state) { return nil }
            guard try await goOn(until: end) else { return nil }
        }
    }

    /// Performs the actions of the payer and the app until none is left, each with the same
    /// decision.
    mutating func answerAll(
        _ decision: Decision = .approve,
        after seconds: ClosedRange<Int> = 4...35,
        method: String = "CreditCard"
    ) async throws(TrainingStop) {
        for _ in 0..<10 {
            guard let action = try await wait() else { return }
            try await respond(action, decision, after: seconds, method: method)
        }
    }

    /// Ignores the next action: the payer has left.
    mutating func ignoreNext() async throws(TrainingStop) {
        guard let action = try await wait() else { return }
        answered.insert(action.id)
        if case .load3DSMethod = action.kind { return }
        try await think(1...2)
        switch action.kind {
        case .launchApp: try await report(action.id, .launched)
        case .show3DS, .showMenu: try await report(action.id, .shown)
        case .load3DSMethod, .authorizeWallet, .checkIn: break
        }
    }

    /// Reports that the app to launch is not installed.
    mutating func failToLaunch() async throws(TrainingStop) {
        guard let action = try await wait() else { return }
        answered.insert(action.id)
        try await think(1...3)
        try await report(action.id, .launchFailed)
        try await wait()
    }

    private mutating func respond(
        _ action: ClientAction,
        _ decision: Decision,
        after seconds: ClosedRange<Int>,
        method: String
    ) async throws(TrainingStop) {
        answered.insert(action.id)
        let view = try await view(of: action)
        let payer = DemoPayer(transport: desk.transport, baseURL: desk.sandbox.baseURL)
        try await think(1...2)
        switch action.kind {
        case .launchApp:
            try await report(action.id, .launched)
            try await think(seconds)
            let url = try await reach { () throws(Failure) in
                try await payer.approveInSwish(view, decision: decision.rawValue)
            }
            try await returned(with: url)
        case .load3DSMethod:
            try await reach { () throws(Failure) in try await payer.loadMethod(view) }
            try await report(action.id, .done)
        case .show3DS:
            try await report(action.id, .shown)
            try await think(seconds)
            let verdict: Decision = decision == .approve ? .approve : .cancel
            let cRes = try await reach { () throws(Failure) in
                try await payer.answerBank(view, decision: verdict.rawValue)
            }
            try await report(action.id, .challengeCompleted(cRes: cRes))
        case .authorizeWallet:
            try await think(seconds)
            try await report(
                action.id,
                decision == .approve ? .authorized(payload: "{\"token\":\"training\"}") : .canceled
            )
        case .showMenu:
            try await report(action.id, .shown)
            try await think(seconds)
            try await press(decision, method, with: payer)
            try await report(action.id, decision == .approve ? .completed : .canceled)
        case .checkIn: break
        }
    }

    private func press(
        _ decision: Decision,
        _ method: String,
        with payer: DemoPayer
    ) async throws(TrainingStop) {
        let order = try await orderID()
        let button = decision == .approve ? "pay" : decision.rawValue
        try await reach { () throws(Failure) in
            try await payer.pressMenu(button, method: method, of: order)
        }
    }

    /// Returns the order at the sandbox: the one that was created for a session, or by a checkout.
    private func orderID() async throws(TrainingStop) -> String {
        if let order { return order }
        let path = try await state().checkout?.order?.id
        guard let id = path?.pieces(between: "/").last else {
            throw .failed(Self.unexpected("the order has no identifier"))
        }
        return String(id)
    }

    private func view(of action: ClientAction) async throws(TrainingStop) -> ActionView {
        let state = try await state()
        let secrets: SecretTable
        do throws(EngineError) {
            secrets = try await engine.secrets(of: state.session)
        } catch {
            throw TrainingStop(error)
        }
        let view = SessionView(
            state,
            by: desk.decider,
            disclosing: .masked,
            actions: .clear(secrets)
        )
        guard let action = view.actions.first(where: { $0.id == action.id }) else {
            throw .failed(Self.unexpected("an action is no longer open"))
        }
        return action
    }

    private func report(_ id: ActionID, _ response: ClientReport) async throws(TrainingStop) {
        let session = try opened()
        _ = try await perform { engine throws(EngineError) in
            try await engine.report(session, action: id, response)
        }
    }

    private func returned(with url: String) async throws(TrainingStop) {
        let session = try opened()
        _ = try await perform { engine throws(EngineError) in
            try await engine.returned(session, with: url)
        }
    }

    /// Does something outside the engine, which takes no time on the payment's clock.
    private func reach<Value: Sendable>(
        _ work: () async throws(Failure) -> Value
    ) async throws(TrainingStop) -> Value {
        do throws(Failure) {
            return try await work()
        } catch {
            throw TrainingStop(error)
        }
    }
}

// MARK: - Merchant

extension TrainingPlay {
    /// Opens a checkout: the engine creates the order and requests the PSP's page.
    mutating func openCheckout() async throws(TrainingStop) {
        var urls = PaymentOrderURLs(
            hosts: ["https://shop.example/"],
            complete: "https://shop.example/complete"
        )
        urls.cancel = "https://shop.example/cancel"
        urls.payment = "https://shop.example/pay"
        var order = PaymentOrder(
            currency: plan.currency,
            amount: Amount(Int64(plan.amount)),
            vatAmount: Amount(Int64(plan.amount / 5)),
            description: plan.description,
            language: .svSE,
            urls: urls
        )
        order.payeeInfo = PayeeInfo(payeeID: "training")
        var request = CheckoutRequest(of: order, by: .psp, at: desk.sandbox.baseURL)
        request.reference = plan.reference
        request.payeeReference = plan.payeeReference
        request.metadata = plan.metadata
        let session = try await perform { [request] engine throws(EngineError) in
            try await engine.openCheckout(request, allowsInsecureLoopback: true)
        }
        try await keep(session)
    }

    /// Captures, cancels or reverses an amount, and waits until that is settled.
    ///
    /// `share` is the amount as a percentage of the order's.
    mutating func transact(
        _ kind: TransactionKind,
        percent share: Int = 100
    ) async throws(TrainingStop) {
        let session = try opened()
        let words =
            switch kind {
            case .capture: "Shipment"
            case .cancel: "Sold out"
            case .reversal: "Returned goods"
            }
        var request = NewTransaction(kind: kind, description: words)
        if kind != .cancel {
            request.amount = Amount(Int64(plan.amount * share / 100))
            request.vatAmount = Amount(Int64(plan.amount * share / 500))
        }
        request.payeeReference = references.next(kind) { [chance] in chance.number(in: $0) }
        _ = try await perform { [request] engine throws(EngineError) in
            try await engine.transact(session, request)
        }
        try await wait(.seconds(600))
    }

    /// Performs another party's act on the order at the PSP.
    func act(_ act: Act) async throws(TrainingStop) {
        let order = try await orderID()
        do throws(SandboxError) {
            try await desk.sandbox.carryOut(act, order: order)
        } catch {
            throw .failed(Self.unexpected("the sandbox refused a simulated action: \(error)"))
        }
    }

    /// Adds a note of a support employee to the log.
    func note(_ text: String, by who: String) async throws(TrainingStop) {
        let session = try opened()
        do {
            guard try await desk.store.wrappedKey(of: session) != nil else { return }
        } catch {
            throw .failed(Self.unexpected("\(error)"))
        }
        try await record { trail, session throws(Failure) in
            try await trail.addNote(text, by: who, to: session)
        }
    }

    /// Records that a support employee found out the outcome of unknown money.
    func resolve(
        _ verdict: MoneyResolution.Verdict,
        evidence: String,
        by who: String
    ) async throws(TrainingStop) {
        var acted = OperatorActed(by: who, action: OperatorActed.resolving)
        acted.reason = evidence
        acted.resolution = MoneyResolution(verdict: verdict)
        let record = acted
        let decider = desk.decider
        try await self.record { trail, session throws(Failure) in
            try await trail.append(to: session, cause: "command.resolve") { log throws(Failure) in
                try decider.events(of: .command(.recordOperator(record)), on: log)
            }
        }
    }

    /// Lets a support employee end a session that can never settle.
    func close(reason: String, by who: String) async throws(TrainingStop) {
        let session = try opened()
        let acted = OperatorActed(by: who, action: SessionDecider.closing, reason: reason)
        _ = try await perform(takesTime: true) { engine throws(EngineError) in
            try await engine.close(session, by: acted)
        }
    }

    /// Records what a support employee does, and lets the engine continue with it.
    private func record(
        _ body: (CommandTrail, SessionID) async throws(Failure) -> SequenceNumber
    ) async throws(TrainingStop) {
        let session = try opened()
        let (clock, vault) = (clock, desk.vault)
        let trail = CommandTrail(store: desk.store, decider: desk.decider, now: { clock.now() }) {
            () throws(Failure) in vault
        }
        await rest()
        do throws(Failure) {
            _ = try await body(trail, session)
            _ = try? await engine.resume(session)
        } catch {
            throw TrainingStop(error)
        }
    }
}
