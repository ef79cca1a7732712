internal import EventLog

extension EngineCore {
    /// Advances a session as far as possible without input from outside.
    mutating func advance(
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        slot.wakeAt = nil
        guard slot.append == nil, !slot.isLoading else { return }
        if let pause = slot.pausedUntil {
            guard pause <= now else {
                slot.wakeAt = pause
                if slot.needsLoad { return }
                processQueue(&slot, now, &actions)
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
        processQueue(&slot, now, &actions)
        guard slot.append == nil, !isStopping else { return }
        runEffects(&slot, now, &actions)
    }

    private mutating func processQueue(
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        while slot.append == nil, !slot.queue.isEmpty {
            let queued = slot.queue.removeFirst()
            process(queued, &slot, now, &actions)
        }
    }

    /// Decides on an input; its events go to the store before anything follows from them.
    private mutating func process(
        _ queued: Slot.QueuedInput,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        let at = max(now, slot.state.lastAt)
        let decision: Decision<Rules>?
        do {
            decision = try slot.held.decision(on: queued.input, by: rules, at: at)
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
        append(decision, from: queued, &slot, now, &actions)
    }

    private mutating func append(
        _ decision: Decision<Rules>,
        from queued: Slot.QueuedInput,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        let at = max(now, slot.state.lastAt)
        var events = decision.events
        var next = HeldState(decision, by: rules)
        // The start of the next request goes into the same append: one wait for the disk instead of
        // two.
        var perform: Rules.Request?
        if slot.lease == .held, slot.inFlight == nil, !isStopping,
            let request = next.dueRequest(at: now), !request.onlyReads
        {
            let started = start(of: request, in: next, at: at)
            next = HeldState(started, by: rules)
            events += started.events
            perform = request
        }
        begin(events, next, from: queued, perform, &slot, now, &actions)
    }

    /// Passes events to the store, together with what follows once they are durable.
    private func begin(
        _ events: [Rules.Event],
        _ next: HeldState<Rules>,
        from origin: Slot.QueuedInput,
        _ perform: Rules.Request?,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        let session = next.state.session
        precondition(slot.append == nil, "\(session): two appends at a time")
        precondition(
            next.state.sequence == slot.state.sequence + events.count,
            "\(session): \(events.count) events from \(slot.state.sequence) to \(next.state.sequence)"
        )
        precondition(
            perform == nil || slot.lease == .held && slot.inFlight == nil,
            "\(session): a request without its lease, or beside another"
        )
        precondition(
            events.count { $0.isEnd } <= (slot.state.isOver ? 0 : 1),
            "\(session): a second end among \(events)"
        )
        actions.append(
            .append(
                PendingAppend(
                    session: session,
                    expectedVersion: slot.state.sequence,
                    events: events,
                    at: max(now, slot.state.lastAt),
                    cause: origin.cause,
                    summary: summary(of: next, at: now),
                    isUnderLease: slot.lease == .held
                )
            )
        )
        slot.append = Slot.AppendInProgress(origin: origin, next: next, perform: perform)
    }

    /// Starts the pending effects that are due, and records when the next one will be.
    private mutating func runEffects(
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        let pending = slot.held.pending
        // A read request of our own is no reason to wait for a request that another process had in
        // flight.
        let isOrphaned = slot.state.requests.inFlight != nil && slot.inFlight?.onlyReads != false
        let times = pending.map { time(of: $0, in: slot.state, seenAt: slot.seenAt) }
        guard isOrphaned || times.contains(where: { $0 <= now }) else {
            slot.wakeAt = times.min()
            cancelObsolete(pending, &slot, &actions)
            return
        }
        guard slot.lease == .held else {
            if slot.lease == .none {
                slot.lease = .asked
                actions.append(.acquireLease(slot.state.session))
            }
            return
        }
        if let running = slot.state.requests.inFlight {
            cancelObsolete(pending, &slot, &actions)
            guard slot.inFlight == nil else { return }
            // The process that started the request is gone, so its response will never arrive.
            let retryAt = schedule.retryAt(
                after: Rules.Input.Outcome?.none,
                tries: slot.state.requests.failedTries(ofReading: false),
                now: now,
                using: &generator
            )
            process(
                Slot.QueuedInput(
                    input: .interrupted(running.start.effect, retryAt: retryAt),
                    origin: .recovery,
                    cause: "recovery.\(running.start.effect.rawValue)"
                ),
                &slot,
                now,
                &actions
            )
            return
        }
        cancelObsolete(pending, &slot, &actions)
        for (effect, time) in zip(pending, times) where time <= now {
            start(effect, &slot, now, &actions)
            if slot.append != nil { return }
        }
        slot.wakeAt = times.filter { $0 > now }.min()
    }

    private mutating func start(
        _ effect: PendingEffect<Rules.Request, Rules.Input.Timer>,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        switch effect {
        case .wait(let timer, _):
            process(
                Slot.QueuedInput(
                    input: .timerFired(timer),
                    origin: .timer,
                    cause: "timer.\(timer.name)"
                ),
                &slot,
                now,
                &actions
            )
        case .request(let request):
            guard slot.inFlight == nil else { return }
            if request.onlyReads {
                slot.inFlight = Slot.InFlight(effect: request.id, onlyReads: true)
                actions.append(.perform(slot.state.session, request))
                return
            }
            let at = max(now, slot.state.lastAt)
            let started = start(of: request, in: slot.held, at: at)
            begin(
                started.events,
                HeldState(started, by: rules),
                from: Slot.QueuedInput(
                    input: .resumed,
                    origin: .start,
                    cause: "effect.\(request.id.rawValue)"
                ),
                request,
                &slot,
                now,
                &actions
            )
        }
    }

    /// The events that record that a request is about to be sent.
    ///
    /// Rules that have a pending request never reject its start.
    private func start(
        of request: Rules.Request,
        in held: HeldState<Rules>,
        at now: Instant
    ) -> Decision<Rules> {
        let started: Decision<Rules>?
        do {
            started = try held.decision(on: .starting(request.id), by: rules, at: now)
        } catch {
            preconditionFailure(
                "\(held.state.session): \(request.id) is pending and refused: \(error)"
            )
        }
        guard let started, started.state.requests.inFlight?.start.effect == request.id else {
            preconditionFailure("\(held.state.session): the start of \(request.id) is not recorded")
        }
        return started
    }

    /// Cancels a read request that is no longer pending in the state; its response would show an
    /// older view.
    private func cancelObsolete(
        _ pending: [PendingEffect<Rules.Request, Rules.Input.Timer>],
        _ slot: inout Slot,
        _ actions: inout [EngineAction<Rules>]
    ) {
        guard let inFlight = slot.inFlight, inFlight.onlyReads else { return }
        let isPending = pending.contains { effect in
            if case .request(let request) = effect { request.id == inFlight.effect } else { false }
        }
        guard !isPending else { return }
        slot.inFlight = nil
        actions.append(.cancel(slot.state.session, inFlight.effect))
    }

    /// Whether a session need not be kept in memory.
    func canPark(_ slot: Slot) -> Bool {
        slot.queue.isEmpty && slot.append == nil && !slot.isLoading && slot.inFlight == nil
            && !slot.isWatched && slot.lease != .asked
            && slot.state.requests.inFlight == nil
            && !(slot.isRowAhead && slot.wakeAt != nil)
            && (slot.held.isSettled || onlyWaits(slot) && index.count > limits.waitingSessions)
    }

    /// Whether nothing has to be done before a time at which the session is found in the index.
    private func onlyWaits(_ slot: Slot) -> Bool {
        slot.wakeAt != nil && slot.pausedUntil == nil && !isStopping
    }
}

// MARK: - Logs that end in the future

/// The clock of the engine that wrote a log may have been ahead. Times in the log never go back, so
/// until this engine's clock has caught up, what is due shortly after the newest event is due
/// shortly after this engine saw that event.
extension EngineCore {
    /// Whether a log ends in the future.
    func isAhead(_ state: Rules.State, at now: Instant) -> Bool {
        state.lastAt - now > limits.clockTolerance
    }

    /// When a pending effect is due by this engine's clock.
    ///
    /// Timers, and reads that must not come too early to show the outcome of a request, keep their
    /// times.
    private func time(
        of effect: PendingEffect<Rules.Request, Rules.Input.Timer>,
        in state: Rules.State,
        seenAt: Instant
    ) -> Instant {
        let time = effect.time
        guard case .request = effect, isAhead(state, at: seenAt), time > state.lastAt,
            !state.requests.awaitsOutcome
        else { return time }
        return min(time, seenAt + max(time - state.lastAt, schedule.floor))
    }

    /// The session's row in the projection, with the time of this engine's clock at which something
    /// is due.
    private func summary(of held: HeldState<Rules>, at now: Instant) -> SessionSummary {
        var summary = held.summary(by: rules)
        guard isAhead(held.state, at: now), let due = summary.dueAt else { return summary }
        let isRunning = held.state.requests.inFlight != nil
        let times = held.pending.map { time(of: $0, in: held.state, seenAt: now) }
        summary.dueAt = min(due, isRunning ? now : max(times.min() ?? due, now))
        return summary
    }
}
