import EventLog
import SwedbankPay
import Workflow

/// The network between engines and the other side.
extension SimulatedWorld {
    /// An engine sends a request.
    mutating func leave(_ request: Scenario.Rules.Request, of session: SessionID, from node: Int) {
        guard let number = numbers[session] else { return }
        if residents[number].lease != node {
            if nodes[node].unawareOf.remove(number) != nil {
                note(.lease, node: node, number, "found to have run out")
                return schedule(.notPerformed(number, request.id), for: node, within: 0...1)
            }
            violation(.oneWriter, "\(session) was worked on without its lease")
        }
        let words = scenario.words(for: request)
        ledger.leaves(
            request,
            called: words,
            mayFollowEnd: scenario.mayFollowEnd(request, in: logs[number].live),
            of: session,
            at: now,
            shortestPause: Self.shortestPause,
            by: EffectLedger.Reader(node: node, jumps: nodes[node].jumps)
        )
        statistics.requests += 1
        requestCount += 1
        var exchange = SimulatedExchange<Scenario.Rules>(
            number: requestCount,
            session: number,
            request: request
        )
        exchange.life = nodes[node].life
        exchange.leftAt = now
        let decision = nodes[node].hosts.admission(
            to: scenario.host,
            isRepetition: scenario.isRepetition(request),
            at: uptime
        )
        switch decision {
        case .admitted(let admission): exchange.admission = admission
        case .unguarded: break
        case .refused(let code):
            statistics.keptBack += 1
            note(.requestKeptBack, node: node, number, "\(words) (\(code))")
            remember(exchange, at: node)
            return schedule(
                .response(exchange, scenario.outcome(of: .notSent(code: code))),
                for: node,
                within: 0...1
            )
        }
        remember(exchange, at: node)
        note(.requestLeaves, node: node, number, "\(words) as \(request.id.rawValue)")
        if nodes[node].isCutFromProvider {
            return schedule(
                .response(exchange, scenario.outcome(of: .notSent(code: "http.connect"))),
                for: node,
                within: 5...3000
            )
        }
        if chance(faults.connectionRefused) {
            note(.networkFault, node: node, number, "the connection was refused")
            let outcome = scenario.outcome(of: .notSent(code: "http.connect"))
            return schedule(.response(exchange, outcome), for: node, within: 1...50)
        }
        if !request.onlyReads { residents[number].onTheWay[exchange.number] = request }
        if !scenario.isCareless, chance(faults.requestLate) { return linger(exchange, from: node) }
        agenda.add(.arrive(exchange), at: now + pause(1...200), node, life: nil)
    }

    /// The shortest time between two reads without a change.
    static var shortestPause: Duration { .milliseconds(250) }

    /// The time on clocks that never go back.
    private var uptime: CircuitBreaker.Time { now - Instant(microseconds: 0) }

    private mutating func remember(_ exchange: SimulatedExchange<Scenario.Rules>, at node: Int) {
        let key = RequestKey(session: exchange.session, effect: exchange.request.id)
        nodes[node].requests[key] = exchange
    }

    /// An engine cancels a request.
    mutating func cancel(_ effect: EffectID, of session: SessionID, at node: Int) {
        guard let number = numbers[session] else { return }
        ledger.canceled(effect, of: session)
        note(.canceled, node: node, number, effect.rawValue)
        let key = RequestKey(session: number, effect: effect)
        guard let exchange = nodes[node].requests.removeValue(forKey: key) else { return }
        record(scenario.outcome(of: .canceled), exchange, at: node)
    }

    private mutating func record(
        _ outcome: Scenario.Rules.Input.Outcome,
        _ exchange: SimulatedExchange<Scenario.Rules>,
        at node: Int
    ) {
        guard let admission = exchange.admission else { return }
        scenario.record(outcome, of: admission, in: &nodes[node].hosts, at: uptime)
    }

    // MARK: Arrival of requests

    /// A request reaches the other side, or does not.
    mutating func arrive(_ exchange: SimulatedExchange<Scenario.Rules>, from node: Int) {
        let number = exchange.session
        let words = scenario.words(for: exchange.request)
        let isOrphaned = nodes[node].life != exchange.life
        if isOrphaned, outlives(exchange, from: node) { return }
        residents[number].onTheWay[exchange.number] = nil
        guard !isOrphaned else {
            // Sent by an engine that crashed: it takes effect, and its response is lost.
            _ = process(exchange, "its engine is dead")
            return
        }
        if exchange.isGivenUp {
            _ = process(exchange, "long after it was given up")
            return
        }
        if nodes[node].isCutFromProvider || chance(faults.requestLost) {
            note(.networkFault, node: node, number, "\(words) is lost on its way")
            return respond(scenario.outcome(of: .lost(code: "http.reset")), exchange, node)
        }
        let isHanging = chance(faults.hang)
        let otherSide = scenario.otherSide
        if isHanging, chance(500) {
            note(.networkFault, node: node, number, "\(words) hangs before \(otherSide)")
            return respond(
                scenario.outcome(of: .lost(code: "http.timeout")),
                exchange,
                node,
                after: settings.requestDeadline
            )
        }
        if let refusal = refusal(at: now) {
            note(.networkFault, node: node, number, "\(words) is not processed")
            return respond(refusal, exchange, node)
        }
        if let refusal = Scenario.refusal(of: exchange.request, of: number, from: node, in: &self) {
            return respond(refusal, exchange, node)
        }
        let outcome = process(exchange, "")
        respond(exchange, from: node, isHanging: isHanging, with: outcome)
    }

    /// Responds to what was done, unless the network or the other side spoils the response.
    private mutating func respond(
        _ exchange: SimulatedExchange<Scenario.Rules>,
        from node: Int,
        isHanging: Bool,
        with outcome: Scenario.Rules.Input.Outcome
    ) {
        let number = exchange.session
        let words = scenario.words(for: exchange.request)
        if isHanging {
            note(.networkFault, node: node, number, "the response to \(words) never comes")
            return respond(
                scenario.outcome(of: .lost(code: "http.timeout")),
                exchange,
                node,
                after: settings.requestDeadline
            )
        }
        if chance(faults.answerLost) {
            statistics.lostResponses += 1
            note(.networkFault, node: node, number, "the response to \(words) is lost")
            return respond(scenario.outcome(of: .lost(code: "http.reset")), exchange, node)
        }
        if chance(faults.failsAfterProcessing) {
            note(.networkFault, node: node, number, "\(words) is done and responded with 500")
            return respond(scenario.outcome(of: .unavailable(status: 500)), exchange, node)
        }
        if chance(faults.foreignResponse),
            let foreign = scenario.foreign(
                outcome,
                for: residents[number].id,
                in: logs[number].live
            )
        {
            note(.networkFault, node: node, number, "\(words) has a response about something else")
            return respond(foreign, exchange, node)
        }
        if chance(faults.unusableResponse), scenario.isSuccess(outcome) {
            note(.networkFault, node: node, number, "the response to \(words) can't be read")
            let isEmpty = chance(500)
            return respond(scenario.outcome(of: .unusable(isEmpty: isEmpty)), exchange, node)
        }
        respond(outcome, exchange, node)
    }

    /// The other side processes a request.
    private mutating func process(
        _ exchange: SimulatedExchange<Scenario.Rules>,
        _ remark: String
    ) -> Scenario.Rules.Input.Outcome {
        let number = exchange.session
        let words = scenario.words(for: exchange.request)
        note(.requestArrives, node: nil, number, "\(words) \(remark)")
        let outcome = scenario.process(exchange.request, of: residents[number].id)
        if !exchange.request.onlyReads { checkEffects(number) }
        return outcome
    }

    /// The response of the other side when it refuses to process a request; `nil` when it processes
    /// it.
    private mutating func refusal(at now: Instant) -> Scenario.Rules.Input.Outcome? {
        if weather.isProviderDown(at: now) {
            let status = [502, 503, 504][Int(generator.next() % 3)]
            return scenario.outcome(of: .unavailable(status: status))
        }
        if let left = weather.rateLimit(at: now) {
            return scenario.outcome(of: .tooManyRequests(left))
        }
        if chance(faults.unavailable) {
            return scenario.outcome(of: .unavailable(status: 503))
        }
        if chance(faults.tooManyRequests) {
            let wait = Duration.seconds(1 + Int64(generator.next() % 5))
            return scenario.outcome(of: .tooManyRequests(wait))
        }
        return nil
    }

    // MARK: Responses

    mutating func respond(
        _ outcome: Scenario.Rules.Input.Outcome,
        _ exchange: SimulatedExchange<Scenario.Rules>,
        _ node: Int,
        after deadline: Duration? = nil
    ) {
        let usual = pause(chance(faults.answerLate) ? 1000...20_000 : 1...300)
        let time = now + (deadline ?? usual)
        agenda.add(.response(exchange, outcome), at: time, node, life: exchange.life)
        guard deadline == nil, chance(faults.answerTwice) else { return }
        var again = exchange
        again.isRepeated = true
        let later = time + pause(1...3000)
        agenda.add(.response(again, outcome), at: later, node, life: exchange.life)
    }

    /// An engine receives a response, unless it has given the request up.
    mutating func deliver(
        _ exchange: SimulatedExchange<Scenario.Rules>,
        _ outcome: Scenario.Rules.Input.Outcome,
        at node: Int
    ) {
        let session = residents[exchange.session].id
        let key = RequestKey(session: exchange.session, effect: exchange.request.id)
        guard nodes[node].requests[key]?.number == exchange.number else { return }
        var heard = outcome
        if nodes[node].isCutFromProvider, !outcome.isLost {
            heard = scenario.outcome(of: .lost(code: "http.reset"))
        }
        let words = scenario.words(for: heard)
        note(
            .responded,
            node: node,
            exchange.session,
            "\(exchange.request.id.rawValue): \(words)"
        )
        if !exchange.isRepeated {
            ledger.ended(exchange.request.id, of: session)
            record(heard, exchange, at: node)
        }
        let spent = max(0, (now - exchange.leftAt).wholeMilliseconds)
        give(
            .requestEnded(session, exchange.request.id, heard, durationMilliseconds: spent),
            to: node
        )
    }
}
