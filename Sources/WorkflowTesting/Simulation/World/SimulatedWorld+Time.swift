internal import EventLog
import SwedbankPay
import Workflow

/// The passage of time: from one occurrence to the next.
extension SimulatedWorld {
    /// Runs until nothing is left to happen, the limit of steps is reached or a guarantee is
    /// violated.
    ///
    /// - Returns: The number of steps.
    @discardableResult
    public mutating func run(
        for duration: Duration = .seconds(3600),
        steps limit: Int = 20_000
    ) -> Int {
        let (start, end) = (now, now + duration)
        var steps = 0
        while steps < limit, ledger.violations.isEmpty, !isInterrupted(),
            let next = agenda.next(by: end)
        {
            now = max(now, next.time)
            steps += 1
            if !mishaps.isEmpty { mayGoWrong() }
            happen(next)
            if let wrong = subscription.act(on: logs, numbers) { violation(.feedComplete, wrong) }
        }
        statistics.steps += steps
        statistics.simulatedTime += now - start
        return steps
    }

    /// Ends all faults, runs until the world is at rest, and makes the final checks.
    ///
    /// No further faults occur: whatever is not settled then never will be.
    public mutating func finish(
        for duration: Duration = .seconds(7200),
        steps limit: Int = 200_000
    ) {
        var calm = SimulatedFaults.none
        calm.carelessProvider = faults.carelessProvider
        faults = calm
        weather = SimulatedFaults.Weather()
        let made = run(for: duration, steps: limit)
        guard ledger.violations.isEmpty, !isInterrupted() else { return }
        if made >= limit { violation(.settles, "the world did not come to rest") }
        checkRest()
        guard ledger.violations.isEmpty else { return }
        Scenario.atRest(in: &self)
    }

    private mutating func happen(_ entry: Agenda<Scenario>.Entry) {
        let node = entry.node
        if let life = entry.life, nodes[node].life != life { return }
        if case .paused(let until) = nodes[node].trouble, entry.what.needsEngine {
            agenda.add(entry.what, at: max(until, now), node, life: entry.life)
            return
        }
        switch entry.what {
        case .commit(let number): commit(number, by: node)
        case .refuse(let number, let error): refuse(number, error, by: node)
        case .arrive(let exchange): arrive(exchange, from: node)
        case .response(let exchange, let outcome): deliver(exchange, outcome, at: node)
        case .wake(let wake):
            guard wake == nodes[node].wakeNumber else { return }
            give(.timeCame, to: node)
        case .lease(let number): lease(number, to: node)
        case .notPerformed(let number, let effect):
            give(.notPerformed(residents[number].id, effect), to: node)
        case .load(let number): load(number, at: node)
        case .news: follow(at: node)
        case .read(let number, let state, let isForClient):
            finishReading(of: number, state, forClient: isForClient, at: node)
        case .unwatch(let number): unwatch(number, at: node)
        case .adopt(let number): adopt(number)
        case .client(let number, let input, let tries): clientActs(number, input, tries, at: node)
        case .happening(let number, let what): Scenario.happens(what, to: number, in: &self)
        case .reconnect(let number): reconnect(number)
        case .recover(let trouble): recover(from: trouble, node)
        case .expire(let trouble): expireLeases(in: trouble, of: node)
        }
    }

    // MARK: Outputs of a core

    /// Passes an input to a core and performs the resulting actions.
    mutating func give(_ input: EngineInput<Scenario.Rules>, to node: Int) {
        var driver: any CoreDriver<Scenario.Rules> = FaithfulDriver<Scenario.Rules>()
        swap(&driver, &nodes[node].driver)
        let time = now + .microseconds(nodes[node].clockError)
        let actions = driver.handle(input, at: time, in: &nodes[node].core)
        swap(&driver, &nodes[node].driver)
        for action in actions { perform(action, for: node) }
    }

    private mutating func perform(_ action: EngineAction<Scenario.Rules>, for node: Int) {
        switch action {
        case .append(let append): begin(append, by: node)
        case .perform(let session, let request): leave(request, of: session, from: node)
        case .cancel(let session, let effect): cancel(effect, of: session, at: node)
        case .acquireLease(let session):
            if let number = numbers[session] {
                schedule(.lease(number), for: node, within: 0...2)
            }
        case .handOverLeases(let sessions): handOver(sessions, from: node)
        case .releaseLease(let session):
            if let number = numbers[session], residents[number].lease == node {
                residents[number].lease = nil
                note(.lease, node: node, number, "given back")
            }
        case .load(let session, _):
            if let number = numbers[session] { schedule(.load(number), for: node, within: 1...5) }
        case .wake(let time):
            nodes[node].wakeNumber += 1
            guard let time else { return }
            // The time until then by the engine's own clock.
            let due = time + .microseconds(-nodes[node].clockError)
            agenda.add(
                .wake(nodes[node].wakeNumber),
                at: max(due, now),
                node,
                life: nodes[node].life
            )
        case .publish(let state, _): published(state, by: node)
        case .reply(let number, let result): replied(number, result, by: node)
        case .report: break
        case .park(let session):
            if let number = numbers[session] { adoptLater(number) }
        }
    }

    // MARK: Randomness and time

    /// Draws whether something with this probability in thousandths happens.
    public mutating func chance(_ thousandths: Int) -> Bool {
        thousandths > 0 && Int(generator.next() % 1000) < thousandths
    }

    mutating func anyNode() -> Int {
        nodes.count == 1 ? 0 : Int(generator.next() % UInt64(nodes.count))
    }

    /// Draws a duration from a range of milliseconds.
    public mutating func pause(_ milliseconds: ClosedRange<Int64>) -> Duration {
        let span = UInt64(milliseconds.upperBound - milliseconds.lowerBound + 1)
        return .milliseconds(milliseconds.lowerBound + Int64(generator.next() % span))
    }

    /// Schedules an occurrence in an engine's current life.
    mutating func schedule(
        _ what: Agenda<Scenario>.What,
        for node: Int,
        within milliseconds: ClosedRange<Int64>
    ) {
        let time = now + pause(milliseconds)
        agenda.add(what, at: time, node, life: nodes[node].life)
    }

    /// Records a violation of a guarantee.
    public mutating func violation(_ guarantee: Guarantee, _ explanation: String) {
        ledger.report(guarantee, explanation)
        note(.violation, node: nil, nil, "\(guarantee.rawValue): \(explanation)")
    }
}

extension Agenda.What {
    /// Whether the engine must be running: a stopped engine gets it later.
    fileprivate var needsEngine: Bool {
        switch self {
        case .arrive, .adopt, .happening, .reconnect, .recover, .expire: false
        case .commit, .refuse, .response, .wake, .lease, .notPerformed, .load, .news, .read,
            .unwatch,
            .client:
            true
        }
    }
}
