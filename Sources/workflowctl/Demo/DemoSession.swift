internal import Adapters
internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay
internal import Workflow

/// Drives one payment of the demonstration and prints its timeline.
struct DemoSession: Sendable {
    let scenario: DemoScenario
    let driver: Driver
    let sandbox: SandboxServer
    let stage: Sink

    /// How long the payer takes to decide when a person is watching.
    static let thinking = Duration.milliseconds(600)

    /// The time limit of one payment.
    static let patience = Duration.seconds(30)

    /// Pays, then replays and verifies the log.
    func run() async throws(Failure) -> DemoResult {
        let style = stage.style
        stage.write(style.paint("(\(scenario.letter)) \(scenario.title)", .heading) + "\n")
        let begin = driver.invocation.now()
        let (order, session) = try await open()
        let timeline = Timeline(of: session, in: driver.store, on: stage, since: begin)
        let playing = driver.invocation.loop.spawn { await play(session, timeline) }
        let waiting = driver.invocation.loop.spawn {
            try? await driver.invocation.loop.sleep(for: Self.patience)
            playing.cancel()
        }
        let result = await withTaskCancellationHandler {
            await playing.value
        } onCancel: {
            playing.cancel()
        }
        waiting.cancel()
        try result.get()
        stage.write("\n")
        if let act = scenario.afterwards {
            do throws(SandboxError) {
                try await sandbox.carryOut(act, order: order.id)
            } catch {
                throw Failure(
                    .defect,
                    "demo.order",
                    "the sandbox refused a simulated action: \(error)"
                )
            }
        }
        let log = try await SessionLog.read(session, from: driver.store)
        var verification = Verification()
        verification.add(log.records, of: session)
        return DemoResult(
            scenario: scenario,
            session: session,
            log: log,
            check: CheckReport(log, by: driver.engine.decider),
            verification: verification,
            ledger: await sandbox.orderLedger(order.id)
        )
    }

    private func open() async throws(Failure) -> (CreatedOrder, SessionID) {
        do {
            let order = try await sandbox.createOrder(scenario.order)
            let session = try await driver.engine.open(
                order.sessionURL,
                reference: scenario.reference,
                allowsInsecureLoopback: true
            )
            return (order, session)
        } catch let error as EngineError {
            throw Failure(error)
        } catch {
            throw Failure(.defect, "demo.order", "the sandbox refused the order: \(error)")
        }
    }

    /// Follows the session and plays the payer, until the session has ended.
    private func play(_ session: SessionID, _ timeline: Timeline) async -> Result<Void, Failure> {
        do {
            var timeline = timeline
            var moves = scenario.moves[...]
            var answered: Set<ActionID> = []
            for await update in try await driver.engine.updates(of: session) {
                try await timeline.catchUp(to: update.state.sequence)
                if update.state.outcome != nil { return .success(()) }
                let open = update.state.actions.first { $0.isOpen && !answered.contains($0.id) }
                if let open {
                    answered.insert(open.id)
                    try await think()
                    try await respond(open.id, in: update.state)
                } else if update.isSettled, update.state.payment?.attempt == nil,
                    let move = moves.popFirst()
                {
                    try await think()
                    try await make(move, in: session)
                }
            }
            return .failure(
                Failure(
                    Task.isCancelled ? .interrupted : .unavailable,
                    "demo.unfinished",
                    "the payment did not finish in time"
                )
            )
        } catch let failure as Failure {
            return .failure(failure)
        } catch let error as EngineError {
            return .failure(Failure(error))
        } catch {
            return .failure(Failure(.defect, "demo.unexpected", "\(error)"))
        }
    }

    /// Waits, so that a person watching can see who does what.
    private func think() async throws {
        guard stage.isTerminal else { return }
        try await driver.invocation.loop.sleep(for: Self.thinking)
    }

    private func make(
        _ move: DemoScenario.Move,
        in session: SessionID
    ) async throws(EngineError) {
        switch move {
        case .attempt(let request): try await driver.engine.attempt(session, with: request)
        case .abort: try await driver.engine.abort(session, by: "payer")
        }
    }

    private func respond(_ id: ActionID, in state: SessionState) async throws {
        let secrets = try await driver.engine.secrets(of: state.session)
        let view = SessionView(
            state,
            by: driver.engine.decider,
            disclosing: .masked,
            actions: .clear(secrets)
        )
        guard let action = view.actions.first(where: { $0.id == id }) else { return }
        let payer = DemoPayer(transport: driver.transport, baseURL: sandbox.baseURL)
        let done = try await payer.perform(action)
        for response in done.responses {
            try await driver.engine.report(state.session, action: id, response)
        }
        if let url = done.returnURL {
            try await driver.engine.returned(state.session, with: url)
        }
    }
}
