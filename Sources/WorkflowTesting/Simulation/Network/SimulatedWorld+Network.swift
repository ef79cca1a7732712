import EventLog
import SwedbankPay
import Workflow

/// The way to the PSP and back.
extension SimulatedWorld {
    /// A request leaves an engine.
    mutating func leave(_ call: OperationCall, of session: SessionID, from node: Int) {
        guard let number = numbers[session] else { return }
        if residents[number].lease != node {
            if nodes[node].unawareOf.remove(number) != nil {
                note(.lease, node: node, number, "found to have run out")
                return schedule(.notPerformed(number, call.id), for: node, within: 0...1)
            }
            violation(.oneWriter, "\(session) was worked on without its lease")
        }
        ledger.leaves(
            call,
            of: session,
            at: now,
            shortestPause: Self.shortestPause,
            by: EffectLedger.Reader(node: node, jumps: nodes[node].jumps)
        )
        statistics.requests += 1
        requestCount += 1
        var exchange = Exchange(number: requestCount, session: number, call: call)
        exchange.life = nodes[node].life
        exchange.leftAt = now
        let decision = nodes[node].hosts.admission(
            to: Self.host,
            isRepetition: call.tryNumber > 1,
            at: uptime
        )
        switch decision {
        case .admitted(let admission): exchange.admission = admission
        case .unguarded: break
        case .refused(let code):
            statistics.keptBack += 1
            note(.requestKeptBack, node: node, number, "\(call.rel.rawValue) (\(code))")
            remember(exchange, at: node)
            return schedule(.answer(exchange, .notSent(code)), for: node, within: 0...1)
        }
        remember(exchange, at: node)
        note(.requestLeaves, node: node, number, "\(call.rel.rawValue) as \(call.id.rawValue)")
        if nodes[node].isCutFromProvider {
            return schedule(
                .answer(exchange, .notSent("http.connect")),
                for: node,
                within: 5...3000
            )
        }
        if chance(faults.connectionRefused) {
            note(.networkFault, node: node, number, "the connection was refused")
            return schedule(.answer(exchange, .notSent("http.connect")), for: node, within: 1...50)
        }
        if call.mayTakeMoney { residents[number].onTheWay.insert(exchange.number) }
        if !provider.isCareless, chance(faults.requestLate) { return linger(exchange, from: node) }
        agenda.add(.arrive(exchange), at: now + pause(1...200), node, life: nil)
    }

    /// The shortest time between two reading requests without anything new.
    static let shortestPause: Duration = .milliseconds(250)

    /// The time on clocks that never go back.
    private var uptime: CircuitBreaker.Time { now - Instant(microseconds: 0) }

    private mutating func remember(_ exchange: Exchange, at node: Int) {
        let key = RequestKey(session: exchange.session, effect: exchange.call.id)
        nodes[node].requests[key] = exchange
    }

    /// Nobody waits for a request any more.
    mutating func cancel(_ effect: EffectID, of session: SessionID, at node: Int) {
        guard let number = numbers[session] else { return }
        ledger.canceled(effect, of: session)
        note(.canceled, node: node, number, effect.rawValue)
        let key = RequestKey(session: number, effect: effect)
        guard let exchange = nodes[node].requests.removeValue(forKey: key) else { return }
        record(
            .failed(reach: .maybeSent, code: "http.canceled", isTransient: false),
            exchange,
            at: node
        )
    }

    private mutating func record(
        _ outcome: ProviderAnswer.Outcome,
        _ exchange: Exchange,
        at node: Int
    ) {
        guard let admission = exchange.admission else { return }
        nodes[node].hosts.record(outcome, of: admission, to: Self.host, at: uptime)
    }

    // MARK: At the PSP

    /// A request reaches the PSP, or doesn't.
    mutating func arrive(_ exchange: Exchange, from node: Int) {
        let number = exchange.session
        let rel = exchange.call.rel.rawValue
        let isOrphaned = nodes[node].life != exchange.life
        if isOrphaned, outlives(exchange, from: node) { return }
        residents[number].onTheWay.remove(exchange.number)
        guard !isOrphaned else {
            // Sent by an engine that died: it takes effect, and nobody hears of it.
            _ = process(exchange, "its engine is dead")
            return
        }
        if exchange.isGivenUp {
            _ = process(exchange, "long after it was given up")
            return
        }
        if nodes[node].isCutFromProvider || chance(faults.requestLost) {
            note(.networkFault, node: node, number, "\(rel) is lost on its way")
            return answer(.lost("http.reset"), exchange, node)
        }
        let isHanging = chance(faults.hang)
        if isHanging, chance(500) {
            note(.networkFault, node: node, number, "\(rel) hangs before the PSP")
            return answer(.lost("http.timeout"), exchange, node, after: settings.requestDeadline)
        }
        if let refusal = refusal(at: now) {
            note(.networkFault, node: node, number, "\(rel) is not processed")
            return answer(refusal, exchange, node)
        }
        if !provider.isCareless, exchange.call.isMidway, chance(faults.refusedMidway) {
            return refuseMidway(exchange, node)
        }
        let outcome = process(exchange, "")
        if isHanging {
            note(.networkFault, node: node, number, "the answer to \(rel) never comes")
            return answer(.lost("http.timeout"), exchange, node, after: settings.requestDeadline)
        }
        if chance(faults.answerLost) {
            statistics.lostAnswers += 1
            note(.networkFault, node: node, number, "the answer to \(rel) is lost")
            return answer(.lost("http.reset"), exchange, node)
        }
        if chance(faults.failsAfterProcessing) {
            note(.networkFault, node: node, number, "\(rel) is done and answered with 500")
            return answer(.unavailable(500), exchange, node)
        }
        // Only the first answer says which payment it is: what is foreign shows from then on.
        if chance(faults.foreignAnswer), !residents[number].newest.isEmpty,
            let foreign = foreign(outcome, for: number)
        {
            note(.networkFault, node: node, number, "\(rel) is answered about another payment")
            return answer(foreign, exchange, node)
        }
        if chance(faults.unusableAnswer), outcome.isSuccess {
            note(.networkFault, node: node, number, "the answer to \(rel) can't be read")
            return answer(
                chance(500) ? .empty(status: 204) : .undecodable(status: 200, raw: nil),
                exchange,
                node
            )
        }
        answer(outcome, exchange, node)
    }

    /// The PSP does what it is asked.
    private mutating func process(
        _ exchange: Exchange,
        _ remark: String
    ) -> ProviderAnswer.Outcome {
        let number = exchange.session
        note(.requestArrives, node: nil, number, "\(exchange.call.rel.rawValue) \(remark)")
        let outcome = provider.process(exchange.call, of: residents[number].id)
        remember(provider.books(of: residents[number].id), shownTo: exchange)
        if !exchange.call.onlyReads { checkMoney(number) }
        return outcome
    }

    /// What the PSP answers without doing anything; nothing when it does what it is asked.
    private mutating func refusal(at now: Instant) -> ProviderAnswer.Outcome? {
        if weather.isProviderDown(at: now) {
            return .unavailable([502, 503, 504][Int(generator.next() % 3)])
        }
        if let left = weather.rateLimit(at: now) { return .tooManyRequests(left) }
        if chance(faults.unavailable) { return .unavailable(503) }
        if chance(faults.tooManyRequests) {
            return .tooManyRequests(.seconds(1 + Int64(generator.next() % 5)))
        }
        return nil
    }

    // MARK: Back

    mutating func answer(
        _ outcome: ProviderAnswer.Outcome,
        _ exchange: Exchange,
        _ node: Int,
        after deadline: Duration? = nil
    ) {
        let usual = pause(chance(faults.answerLate) ? 1000...20_000 : 1...300)
        let time = now + (deadline ?? usual)
        agenda.add(.answer(exchange, outcome), at: time, node, life: exchange.life)
        guard deadline == nil, chance(faults.answerTwice) else { return }
        var again = exchange
        again.isRepeated = true
        let later = time + pause(1...3000)
        agenda.add(.answer(again, outcome), at: later, node, life: exchange.life)
    }

    /// An engine hears of an answer, unless it has given the request up.
    mutating func answered(
        _ exchange: Exchange,
        _ outcome: ProviderAnswer.Outcome,
        at node: Int
    ) {
        let session = residents[exchange.session].id
        let key = RequestKey(session: exchange.session, effect: exchange.call.id)
        guard nodes[node].requests[key]?.number == exchange.number else { return }
        var heard = outcome
        if nodes[node].isCutFromProvider, outcome.isFromProvider { heard = .lost("http.reset") }
        note(
            .answered,
            node: node,
            exchange.session,
            "\(exchange.call.id.rawValue): \(heard.words)"
        )
        if !exchange.isRepeated {
            ledger.ended(exchange.call.id, of: session)
            record(heard, exchange, at: node)
        }
        let spent = max(0, (now - exchange.leftAt).wholeMilliseconds)
        give(.answered(session, exchange.call.id, heard, durationMilliseconds: spent), to: node)
    }
}
