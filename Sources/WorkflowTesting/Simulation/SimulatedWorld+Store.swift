import Workflow

/// The journal that engines share, and what they are held to by it.
extension SimulatedWorld {
    mutating func commit(_ append: PendingAppend, by node: Int) {
        if chance(faults.appendFails) {
            return give(.appendFailed(append.session, .busy), to: node)
        }
        let known = Int64(journal[append.session]?.count ?? 0)
        guard known == append.expectedVersion else {
            conflicts += 1
            let conflict = EventStoreError.conflict(
                stream: append.session,
                expected: append.expectedVersion,
                actual: known
            )
            return give(.appendFailed(append.session, conflict), to: node)
        }
        write(append.events, to: append.session, at: append.at, cause: append.cause)
        tellOthers(of: append.session, than: node)
        if chance(faults.commitUnacknowledged) {
            let unknown = EventStoreError.inputOutput(reason: "fsync", code: nil)
            return give(.appendFailed(append.session, unknown), to: node)
        }
        give(.appended(append.session), to: node)
    }

    mutating func write(
        _ events: [SessionEvent],
        to session: SessionID,
        at instant: Instant,
        cause: String
    ) {
        let metadata = EventMetadata(
            build: "simulated",
            catalogue: "simulated",
            cause: cause,
            node: "simulated"
        )
        for event in events {
            if let last = journal[session]?.last, instant < last.at {
                ledger.report("oneWriter", "the log of \(session) goes back in time")
            }
            if journal[session]?.contains(where: \.event.isEnd) == true, !event.isAudit {
                ledger.report("terminalIsFinal", "\(event) after the end of \(session)")
            }
            journal[session, default: []].append(
                RecordedEvent(
                    stream: session,
                    sequence: Int64(journal[session, default: []].count + 1),
                    at: instant,
                    event: event,
                    metadata: metadata
                )
            )
        }
    }

    /// Other engines hear of an append a little later, as they do when they look for news.
    private mutating func tellOthers(of session: SessionID, than writer: Int?) {
        for node in nodes.indices where node != writer && nodes[node].core.state(of: session) != nil
        {
            schedule(.news(session), for: node, within: 1...150)
        }
    }

    /// Another process that shares the store takes an input.
    mutating func writeElsewhere(_ input: SessionInput, of session: SessionID) {
        let state = state(of: session)
        let instant = max(now, state.lastAt)
        guard let events = try? decider.decide(input, in: state, at: instant), !events.isEmpty
        else { return }
        write(events, to: session, at: instant, cause: "elsewhere")
        tellOthers(of: session, than: nil)
        adoptLater(session)
    }

    /// What is due in a session that no engine has in memory is found in the projection.
    mutating func adoptLater(_ session: SessionID) {
        guard let due = decider.dueAt(state(of: session)) else { return }
        schedule(.adopt(session), at: max(due, now + .seconds(1)))
    }

    mutating func load(_ session: SessionID, at node: Int) {
        give(.loaded(state(of: session), isWatched: false), to: node)
    }

    /// An engine takes up a session, works on what is due, and lets go of it.
    mutating func adopt(_ session: SessionID, at node: Int) {
        guard nodes[node].core.state(of: session) == nil else { return }
        load(session, at: node)
        give(.watched(session, false), to: node)
    }

    mutating func lease(_ session: SessionID, to node: Int) {
        let isFree = leases[session, default: node] == node
        if isFree {
            if let last = lastHolders[session], last != node { takeovers += 1 }
            leases[session] = node
            lastHolders[session] = node
        }
        give(.lease(session, granted: isFree), to: node)
    }

    /// What was acknowledged must be durable.
    mutating func replied(_ number: Int, _ result: RequestResult, by node: Int) {
        nodes[node].waiting.remove(number)
        guard case .accepted(let state) = result else { return }
        let durable = journal[state.session]?.count ?? 0
        if state.sequence > Int64(durable) {
            ledger.report("nothingLost", "\(state.session) was acknowledged before it was durable")
        }
    }

    /// What listeners are told must be what the log says.
    mutating func published(_ state: SessionState, by node: Int) {
        let session = state.session
        let folded = SessionState.folding(
            (journal[session] ?? []).filter { $0.sequence <= state.sequence },
            of: session
        )
        if folded != state {
            ledger.report("replayEqualsLive", "the log of \(session) folds differently")
        }
        checkMoney(state)
        for action in state.actions where action.isOpen {
            agenda.add(
                .act(session, action.id),
                at: now + .milliseconds(500 + Int64(generator.next() % 4500)),
                node,
                nodes[node].life,
                survivesCrash: true
            )
        }
        if chance(faults.letGo) { schedule(.unwatch(session), for: node, within: 1...500) }
    }

    private mutating func checkMoney(_ state: SessionState) {
        guard let order = provider.orders[state.session] else { return }
        if order.payments > 1 {
            ledger.report("noDoublePay", "\(state.session) paid \(order.payments) times")
        }
        if order.attempts > state.attemptCount {
            ledger.report(
                "noDoublePay",
                "the PSP saw \(order.attempts) attempts for \(state.attemptCount) of \(state.session)"
            )
        }
        if state.outcome == .completed, order.payments == 0 {
            ledger.report("paidMeansPaid", "\(state.session) is called completed, unpaid")
        }
    }

    /// An engine dies with all that is not durable, and another one starts from the log.
    public mutating func crash(_ node: Int = 0) {
        crashes += 1
        nodes[node].life += 1
        nodes[node].waiting.removeAll()
        leases = leases.filter { $0.value != node }
        ledger.crashed(lifeOf: journal.keys.filter { lastHolders[$0] == node })
        nodes[node].core = EngineCore(decider: decider, seed: generator.next())
        for session in journal.keys.sorted() {
            give(.loaded(state(of: session), isWatched: true), to: node)
        }
    }
}

extension SessionEvent {
    /// Whether a session is over with it.
    var isEnd: Bool {
        switch self {
        case .completed, .canceled, .failed, .expired: true
        default: false
        }
    }

    /// Whether it may stand after the end.
    var isAudit: Bool {
        switch self {
        case .callbackReceived, .noteAdded, .operatorActed: true
        default: false
        }
    }
}
