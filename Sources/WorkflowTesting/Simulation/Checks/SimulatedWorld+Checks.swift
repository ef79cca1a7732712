internal import EventLog
internal import SwedbankPay
internal import Workflow

/// What is looked at after every step, and when all has come to rest.
extension SimulatedWorld {
    /// Listeners are told how a session stands: it must be what the log says.
    mutating func published(_ state: SessionState, by node: Int) {
        guard let number = numbers[state.session] else { return }
        note(.published, node: node, number, "up to \(state.sequence)")
        if state.sequence > logs[number].live.sequence {
            violation(.nothingLost, "listeners of \(state.session) were told before it was durable")
        } else if !isFold(state, of: number) {
            violation(.replayEqualsLive, "the log of \(state.session) folds differently")
        }
        if state.outcome == .completed { checkPaid(number) }
        checkBounds(of: state, at: node)
        check(.published, state, number, [])
        tell(state, number)
        planPayment(of: number, state)
        if chance(faults.letGo) { schedule(.unwatch(number), for: node, within: 1...500) }
    }

    /// Whether a state is the fold of as many events as it has taken in.
    private func isFold(_ state: SessionState, of number: Int) -> Bool {
        if state.sequence == logs[number].live.sequence { return state == logs[number].live }
        let earlier = logs[number].events.prefix(Int(state.sequence))
        return state == .folding(earlier, of: state.session)
    }

    /// The books of the PSP against the log: attempts that were begun, and payments.
    mutating func checkMoney(_ number: Int) {
        if let checkout = provider.checkouts[residents[number].id] {
            return checkMoney(of: checkout, residents[number].id)
        }
        guard let order = provider.orders[residents[number].id] else { return }
        if order.payments > 1 {
            violation(.noDoublePay, "\(residents[number].id) paid \(order.payments) times")
        }
        let attempts = logs[number].live.attemptCount
        if order.attempts > attempts {
            violation(
                .noDoublePay,
                "the PSP saw \(order.attempts) attempts for \(attempts) of \(residents[number].id)"
            )
        }
    }

    /// What is called completed was paid.
    mutating func checkPaid(_ number: Int) {
        let session = residents[number].id
        let payments = provider.orders[session]?.payments ?? provider.checkouts[session]?.payments
        guard payments == 0 else { return }
        violation(.paidMeansPaid, "\(residents[number].id) is called completed, unpaid")
    }

    /// What was paid at the PSP is not called canceled or failed.
    private mutating func checkLoss(_ number: Int) {
        let session = residents[number].id
        guard let outcome = logs[number].live.outcome, outcome == .canceled || outcome == .failed
        else { return }
        let payments = provider.orders[session]?.payments ?? provider.checkouts[session]?.payments
        // Where it is told that nobody knows, and where somebody else paid after the end, nothing false was said.
        guard let payments, payments > 0, logs[number].live.money.standing == .none,
            residents[number].newest.contains(where: { $0.isTaken })
        else { return }
        violation(.paidMeansPaid, "\(session) is called \(outcome.rawValue), paid")
    }

    private mutating func checkBounds(of state: SessionState, at node: Int) {
        let limits = settings.engineLimits
        if nodes[node].core.queuedInputs(of: state.session) > limits.queuedInputs + 1 {
            violation(.boundedEverything, "too many inputs wait for \(state.session)")
        }
        let sessions = nodes[node].core.sessionCount
        if sessions > limits.sessions {
            violation(.boundedEverything, "\(sessions) sessions are in memory")
        }
        let timers = nodes[node].core.timerCount
        if timers > 2 * sessions + EngineCore<SessionDecider>.outdatedTimers {
            violation(.boundedEverything, "\(timers) timers are kept")
        }
        if state.sequence > decider.limits.events + decider.limits.eventReserve {
            violation(.boundedEverything, "\(state.session) has \(state.sequence) events")
        }
        if state.attemptCount > decider.limits.attempts {
            violation(.boundedEverything, "\(state.session) has \(state.attemptCount) attempts")
        }
        // Actions that follow by themselves from the PSP's word go a little over it.
        if state.actions.count > decider.limits.actions + decider.limits.attempts {
            violation(.boundedEverything, "\(state.session) has \(state.actions.count) actions")
        }
    }

    /// The host's own conditions.
    mutating func check(
        _ kind: SimulatedMoment.Kind,
        _ state: SessionState,
        _ number: Int,
        _ events: ArraySlice<RecordedEvent>
    ) {
        guard !settings.invariants.isEmpty else { return }
        let order = provider.orders[residents[number].id]
        let checkout = provider.checkouts[residents[number].id]
        let moment = SimulatedMoment(
            kind: kind,
            now: now,
            state: state,
            events: events,
            attemptsSeen: order?.attempts ?? 0,
            payments: order?.payments ?? checkout?.payments ?? 0
        )
        for invariant in settings.invariants {
            if let wrong = invariant.check(moment) {
                ledger.report(invariant.name, wrong)
                note(.violation, node: nil, number, "\(invariant.name): \(wrong)")
            }
        }
    }

    // MARK: In the end

    /// All has come to rest: every session has settled, and every log reads back from its bytes.
    mutating func checkRest() {
        statistics.sessionTime = .zero
        for number in residents.indices {
            let log = logs[number]
            if let since = log.since, let until = log.until {
                statistics.sessionTime += until - since
            }
            if log.live.sequence > 0, !decider.isSettled(log.live) {
                violation(.settles, "\(log.session) never settled")
            }
            if let unknown = ledger.leavesUnknown(log.session), log.live.outcome == nil {
                violation(
                    .unknownOutcomesResolved,
                    "nobody knows what became of \(unknown.rawValue) of \(log.session), and nobody was told"
                )
            }
            checkLoss(number)
            checkStory(number)
            reread(number)
            check(.rest, log.live, number, [])
        }
        if unanswered > 0 { violation(.settles, "\(unanswered) commands were never answered") }
    }

    /// Reads a whole log from its bytes, with the code that verifies real ones.
    mutating func reread(_ number: Int) {
        logs[number].recover()
        let log = logs[number]
        guard var records = log.records, Int64(records.count) == log.live.sequence else {
            return violation(.nothingLost, "what was durable of \(log.session) is not there")
        }
        let (head, damage) = LogVerifier<SessionEvent>.verify(records, stream: log.session)
        if let damage { return violation(.oneWriter, "\(damage)") }
        if head != log.head { violation(.nothingLost, "the log of \(log.session) ends elsewhere") }
        var state = SessionState(session: log.session)
        for record in records {
            guard let recorded = try? RecordReader.event(in: record) else {
                return violation(.replayEqualsLive, "a record of \(log.session) does not read")
            }
            state.apply(recorded.event, at: recorded.at)
        }
        if state != log.live || decider.effects(owedBy: state) != decider.effects(owedBy: log.live)
        {
            violation(.replayEqualsLive, "the log of \(log.session), read again, folds differently")
        }
        checkSeals(of: records, log.session)
        for index in records.indices { records[index].seals = [] }
        if LogVerifier<SessionEvent>.verify(records, stream: log.session).damage != nil {
            violation(.redactionInvariant, "the log of \(log.session) needs its seals")
        }
    }

    private mutating func checkSeals(of records: [StoredRecord], _ session: SessionID) {
        guard settings.sealsRecords, !provider.secrets.isInvented, let keys = provider.secrets.keys
        else { return }
        for record in records where !record.seals.isEmpty {
            if !RecordReader.unseal(record, with: keys).failed.isEmpty {
                return violation(.redactionInvariant, "a seal of \(session) does not open")
            }
        }
    }
}
