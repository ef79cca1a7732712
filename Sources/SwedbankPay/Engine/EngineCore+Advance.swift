internal import EventLog

extension EngineCore {
    /// Brings a session as far as it goes without anything from outside.
    mutating func advance(
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        slot.wakeAt = nil
        guard slot.append == nil, !slot.isLoading else { return }
        if let pause = slot.pausedUntil {
            guard pause <= now else {
                slot.wakeAt = pause
                if slot.needsLoad { return }
                takeQueued(&slot, now, &actions)
                if slot.append == nil { slot.wakeAt = pause }
                return
            }
            slot.pausedUntil = nil
            if slot.needsLoad {
                slot.isLoading = true
                actions.append(.load(slot.state.session, after: slot.state.sequence))
                return
            }
        }
        takeQueued(&slot, now, &actions)
        guard slot.append == nil, !isStopping else { return }
        runEffects(&slot, now, &actions)
    }

    private mutating func takeQueued(
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        while slot.append == nil, !slot.queue.isEmpty {
            let queued = slot.queue.removeFirst()
            take(queued, &slot, now, &actions)
        }
    }

    /// Decides on an input; events go to the store before anything follows from them.
    private mutating func take(
        _ queued: SessionSlot.QueuedInput,
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        let at = max(now, slot.state.lastAt)
        let decision: SessionDecider.Decision?
        do {
            decision = try slot.held.decision(on: queued.input, by: decider, at: at)
        } catch {
            if let number = queued.number { actions.append(.reply(number, .rejected(error))) }
            return
        }
        guard let decision else {
            if let number = queued.number {
                actions.append(.reply(number, .accepted(slot.state)))
            }
            return
        }
        append(decision, from: queued, &slot, at, &actions)
    }

    private mutating func append(
        _ decision: SessionDecider.Decision,
        from queued: SessionSlot.QueuedInput,
        _ slot: inout SessionSlot,
        _ at: Instant,
        _ actions: inout [EngineAction]
    ) {
        var events = decision.events
        var next = HeldState(decision, by: decider)
        // The next request's start goes into the same append: one wait for the disk instead of two.
        var perform: OperationCall?
        if slot.lease == .held, slot.inFlight == nil, !isStopping,
            let call = next.dueCall(at: at), !call.onlyReads,
            let started = try? next.decision(on: .starting(call.id), by: decider, at: at)
        {
            next = HeldState(started, by: decider)
            events += started.events
            perform = call
        }
        begin(events, next, from: queued, perform, &slot, at, &actions)
    }

    /// Hands events to the store, with what follows when they are durable.
    private func begin(
        _ events: [SessionEvent],
        _ next: HeldState,
        from origin: SessionSlot.QueuedInput,
        _ perform: OperationCall?,
        _ slot: inout SessionSlot,
        _ at: Instant,
        _ actions: inout [EngineAction]
    ) {
        let session = next.state.session
        precondition(slot.append == nil, "\(session): two appends at a time")
        precondition(
            next.state.sequence == slot.state.sequence + Int64(events.count),
            "\(session): \(events.count) events from \(slot.state.sequence) to \(next.state.sequence)"
        )
        precondition(
            events.count(where: \.isEnd) <= (slot.state.outcome == nil ? 1 : 0),
            "\(session): a second end among \(events)"
        )
        actions.append(
            .append(
                PendingAppend(
                    session: session,
                    expectedVersion: slot.state.sequence,
                    events: events,
                    at: at,
                    cause: origin.cause,
                    summary: next.summary(by: decider),
                    isUnderLease: slot.lease == .held
                )
            )
        )
        slot.append = SessionSlot.AppendInProgress(origin: origin, next: next, perform: perform)
    }

    /// Starts what is owed and due, and notes when the next thing will be.
    private mutating func runEffects(
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        let owed = slot.held.owed
        // A reading of ours is no reason to wait for a request that another process had under way.
        let isOrphaned = slot.state.running != nil && slot.inFlight?.onlyReads != false
        guard isOrphaned || owed.contains(where: { $0.time <= now }) else {
            slot.wakeAt = owed.map(\.time).min()
            cancelUnowed(owed, &slot, &actions)
            return
        }
        guard slot.lease == .held else {
            if slot.lease == .none {
                slot.lease = .asked
                actions.append(.acquireLease(slot.state.session))
            }
            return
        }
        if let running = slot.state.running {
            cancelUnowed(owed, &slot, &actions)
            guard slot.inFlight == nil else { return }
            // Started by a process that is gone: nobody will ever bring the answer.
            let retryAt = schedule.retryAt(
                after: nil,
                tries: slot.state.requests.failedTries(before: running.start.effect),
                now: now,
                using: &generator
            )
            take(
                SessionSlot.QueuedInput(
                    input: .interrupted(running.start.effect, retryAt: retryAt),
                    number: nil,
                    cause: "recovery.\(running.start.effect.rawValue)"
                ),
                &slot,
                now,
                &actions
            )
            return
        }
        cancelUnowed(owed, &slot, &actions)
        for effect in owed where effect.time <= now {
            start(effect, &slot, now, &actions)
            if slot.append != nil { return }
        }
        slot.wakeAt = owed.map(\.time).filter { $0 > now }.min()
    }

    private mutating func start(
        _ effect: Effect,
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        switch effect {
        case .wait(let timer, _):
            take(
                SessionSlot.QueuedInput(
                    input: .timerFired(timer),
                    number: nil,
                    cause: "timer.\(timer.name)"
                ),
                &slot,
                now,
                &actions
            )
        case .call(let call):
            guard slot.inFlight == nil else { return }
            if call.onlyReads {
                slot.inFlight = SessionSlot.InFlight(effect: call.id, onlyReads: true)
                actions.append(.perform(slot.state.session, call))
                return
            }
            let at = max(now, slot.state.lastAt)
            guard let started = try? slot.held.decision(on: .starting(call.id), by: decider, at: at)
            else { return }
            begin(
                started.events,
                HeldState(started, by: decider),
                from: SessionSlot.QueuedInput(
                    input: .resumed,
                    number: nil,
                    cause: "effect.\(call.id.rawValue)"
                ),
                call,
                &slot,
                at,
                &actions
            )
        }
    }

    /// A reading request that the state doesn't owe any more is cancelled; its answer would be of an older view.
    private func cancelUnowed(
        _ owed: [Effect],
        _ slot: inout SessionSlot,
        _ actions: inout [EngineAction]
    ) {
        guard let inFlight = slot.inFlight, inFlight.onlyReads else { return }
        let isOwed = owed.contains { effect in
            if case .call(let call) = effect { call.id == inFlight.effect } else { false }
        }
        guard !isOwed else { return }
        slot.inFlight = nil
        actions.append(.cancel(slot.state.session, inFlight.effect))
    }

    /// Whether a session needs nothing that must be in memory.
    func canPark(_ slot: SessionSlot) -> Bool {
        slot.queue.isEmpty && slot.append == nil && !slot.isLoading && slot.inFlight == nil
            && !slot.isWatched && slot.lease != .asked
            && slot.state.running == nil && slot.held.isSettled
    }
}

extension SessionEvent {
    /// Whether it is one of the four ends.
    fileprivate var isEnd: Bool {
        switch self {
        case .completed, .canceled, .failed, .expired: true
        default: false
        }
    }
}

extension Effect {
    /// When it is due; what has no time is due at once.
    var time: Instant {
        switch self {
        case .call(let call): call.notBefore ?? Instant(microseconds: .min)
        case .wait(_, let until): until
        }
    }
}

extension SessionTimer {
    /// The name that a log's cause carries.
    var name: String {
        switch self {
        case .methodLimit: "methodLimit"
        case .attemptLimit: "attemptLimit"
        case .menuLimit: "menuLimit"
        case .sessionLimit: "sessionLimit"
        }
    }
}
