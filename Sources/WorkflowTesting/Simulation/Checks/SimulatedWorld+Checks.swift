internal import EventLog
internal import SwedbankPay
internal import Workflow

/// The checks after every step, and at rest.
extension SimulatedWorld {
    /// Checks that a state published to listeners agrees with the log.
    mutating func published(_ state: Scenario.Rules.State, by node: Int) {
        guard let number = numbers[state.session] else { return }
        note(.published, node: node, number, "up to \(state.sequence)")
        if state.sequence > logs[number].live.sequence {
            violation(.nothingLost, "listeners of \(state.session) saw it before it was durable")
        } else if !isFold(state, of: number) {
            violation(.replayEqualsLive, "the log of \(state.session) folds differently")
        }
        Scenario.check(state, of: number, in: &self)
        checkBounds(of: state, at: node)
        check(.published, state, number, [])
        publish(state, number)
        Scenario.published(state, of: number, in: &self)
        if chance(faults.letGo) { schedule(.unwatch(number), for: node, within: 1...500) }
    }

    /// Whether a state is the fold of the events up to its sequence number.
    private func isFold(_ state: Scenario.Rules.State, of number: Int) -> Bool {
        if state.sequence == logs[number].live.sequence { return state == logs[number].live }
        let earlier = logs[number].events.prefix(state.sequence.count)
        return state == fold(earlier, of: state.session)
    }

    /// Compares the other side's effects with the log: each requested effect may occur once.
    mutating func checkEffects(_ number: Int) {
        Scenario.checkEffects(of: number, in: &self)
        let session = residents[number].id
        let done = scenario.effects(of: session)
        let wanted = scenario.effectsWanted(by: logs[number].live)
        guard done > wanted else { return }
        violation(
            .noDoublePay,
            "\(scenario.otherSide) saw \(done) attempts for \(wanted) of \(session)"
        )
    }

    private mutating func checkBounds(of state: Scenario.Rules.State, at node: Int) {
        let limits = settings.engineLimits
        if nodes[node].core.queuedInputs(of: state.session) > limits.queuedInputs + 1 {
            violation(.boundedEverything, "too many inputs wait for \(state.session)")
        }
        let sessions = nodes[node].core.sessionCount
        if sessions > limits.sessions {
            violation(.boundedEverything, "\(sessions) sessions are in memory")
        }
        let timers = nodes[node].core.timerCount
        if timers > 2 * sessions + EngineCore<Scenario.Rules>.outdatedTimers {
            violation(.boundedEverything, "\(timers) timers are kept")
        }
        if state.sequence > scenario.eventLimit {
            violation(.boundedEverything, "\(state.session) has \(state.sequence) events")
        }
    }

    /// Checks the host's own invariants.
    mutating func check(
        _ kind: SimulatedMomentKind,
        _ state: Scenario.Rules.State,
        _ number: Int,
        _ events: ArraySlice<Recorded<Scenario.Rules.Event>>
    ) {
        guard !settings.invariants.isEmpty else { return }
        let moment = SimulatedMoment(
            kind: kind,
            now: now,
            state: state,
            events: events,
            scenario: scenario
        )
        for invariant in settings.invariants {
            if let wrong = invariant.check(moment) {
                ledger.report(invariant.name, wrong)
                note(.violation, node: nil, number, "\(invariant.name): \(wrong)")
            }
        }
    }

    // MARK: Checks at the end

    /// Checks the world at rest: every session has settled, and every log can be read back from its
    /// bytes.
    mutating func checkRest() {
        statistics.sessionTime = .zero
        for number in residents.indices {
            let log = logs[number]
            if let since = log.since, let until = log.until {
                statistics.sessionTime += until - since
            }
            if log.live.sequence > 0, !isSettled(log.live) {
                violation(.settles, "\(log.session) never settled")
            }
            if let unknown = ledger.leavesUnknown(log.session), !log.live.isOver {
                violation(
                    .unknownOutcomesResolved,
                    "the outcome of \(unknown) of \(log.session) is unknown, and was not reported"
                )
            }
            Scenario.checkRest(of: number, in: &self)
            reread(number)
            check(.rest, log.live, number, [])
        }
        for node in nodes.indices { checkMemory(of: node) }
        if let wrong = subscription.finish(on: logs, numbers) { violation(.feedComplete, wrong) }
        if unanswered > 0 { violation(.settles, "\(unanswered) commands were never answered") }
    }

    /// Checks that an engine that expects no news has, or is reading, what others have appended to
    /// the sessions in its memory.
    mutating func checkMemory(of node: Int) {
        for log in logs where nodes[node].core.isQuiet(log.session) {
            guard let end = nodes[node].core.end(of: log.session), end < log.head.sequence else {
                continue
            }
            violation(
                .feedComplete,
                "an engine has \(log.session) up to \(end), not up to \(log.head.sequence)"
            )
        }
    }

    /// Reads a whole log from its bytes, with the code that verifies real ones.
    mutating func reread(_ number: Int) {
        logs[number].recover()
        let log = logs[number]
        guard var records = log.records, records.count == log.live.sequence.count else {
            return violation(.nothingLost, "what was durable of \(log.session) is not there")
        }
        let (head, damage) = LogVerifier<Scenario.Rules.Event>.verify(records, stream: log.session)
        if let damage { return violation(.oneWriter, "\(damage)") }
        if head != log.head { violation(.nothingLost, "the log of \(log.session) ends elsewhere") }
        var state = Scenario.Rules.State(session: log.session)
        for record in records {
            guard let recorded = try? RecordReader.event(in: record, of: Scenario.Rules.Event.self)
            else {
                return violation(.replayEqualsLive, "a record of \(log.session) cannot be read")
            }
            scenario.rules.evolve(&state, by: recorded.event, at: recorded.at)
        }
        if state != log.live || effects(of: state) != effects(of: log.live) {
            violation(.replayEqualsLive, "the log of \(log.session), read again, folds differently")
        }
        checkSeals(of: records, log.session)
        for index in records.indices { records[index].seals = [] }
        if LogVerifier<Scenario.Rules.Event>.verify(records, stream: log.session).damage != nil {
            violation(.redactionInvariant, "the log of \(log.session) needs its seals")
        }
    }

    private mutating func checkSeals(of records: [StoredRecord], _ session: SessionID) {
        guard settings.sealsRecords, !scenario.secrets.isInvented, let keys = scenario.secrets.keys
        else { return }
        for record in records where !record.seals.isEmpty {
            if !RecordReader.unseal(record, with: keys).failed.isEmpty {
                return violation(.redactionInvariant, "a seal of \(session) does not open")
            }
        }
    }
}

/// Queries of the rules.
extension SimulatedWorld {
    /// The decision on an input.
    func decision(
        on input: Scenario.Rules.Input,
        in state: Scenario.Rules.State,
        at now: Instant
    ) throws(Scenario.Rules.Rejection) -> Decision<Scenario.Rules>? {
        try scenario.rules.decision(
            on: input,
            in: state,
            next: scenario.rules.next(in: state),
            at: now
        )
    }

    /// The effects that are pending.
    func effects(
        of state: Scenario.Rules.State
    ) -> [PendingEffect<Scenario.Rules.Request, Scenario.Rules.Input.Timer>] {
        scenario.rules.effects(of: state, next: scenario.rules.next(in: state))
    }

    /// Whether nothing is pending on the engine's side.
    func isSettled(_ state: Scenario.Rules.State) -> Bool {
        state.requests.inFlight == nil
            && scenario.rules.isSettled(state, next: scenario.rules.next(in: state))
    }

    /// When something is due; `nil` when only the client can continue.
    func dueAt(_ state: Scenario.Rules.State) -> Instant? {
        scenario.rules.summary(of: state, next: scenario.rules.next(in: state)).dueAt
    }

    /// The fold of events.
    func fold(
        _ events: ArraySlice<Recorded<Scenario.Rules.Event>>,
        of session: SessionID
    ) -> Scenario.Rules.State {
        var state = Scenario.Rules.State(session: session)
        for recorded in events {
            scenario.rules.evolve(&state, by: recorded.event, at: recorded.at)
        }
        return state
    }
}
