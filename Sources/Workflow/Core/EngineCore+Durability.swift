internal import EventLog

extension EngineCore {
    /// The events are durable: now they are the state, listeners hear of them, and what they started may leave.
    mutating func appended(
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        guard let done = slot.append else {
            preconditionFailure("\(slot.state.session): no append was under way")
        }
        let before = slot.state.sequence
        slot.append = nil
        slot.held = done.next
        slot.conflicts = 0
        slot.writeFailures = 0
        actions.append(.publish(done.next.state, sequenceBefore: before))
        if let number = done.origin.number {
            actions.append(.reply(number, .accepted(done.next.state)))
        }
        // A lease that ran out meanwhile is another engine's, which takes the start for that of a dead one: it asks the
        // other side before it goes on, and so does this engine if it gets the lease again.
        if let call = done.perform, slot.lease == .held {
            precondition(slot.inFlight == nil, "\(slot.state.session): two requests at a time")
            slot.inFlight = Slot.InFlight(effect: call.id, onlyReads: call.onlyReads)
            actions.append(.perform(slot.state.session, call))
        }
        if slot.hasNews {
            slot.hasNews = false
            slot.isLoading = true
            actions.append(.load(slot.state.session, after: slot.state.sequence))
            return
        }
        advance(&slot, now, &actions)
    }

    /// Another writer was first, or the store failed: the log is read again before anything is decided anew.
    mutating func appendFailed(
        _ error: EventStoreError,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        guard let failed = slot.append else {
            preconditionFailure("\(slot.state.session): no append was under way")
        }
        slot.append = nil
        slot.hasNews = false
        if case .addressTaken = error {
            // This session will never be: whoever wanted to open it goes on with the one that is there.
            for number in [failed.origin.number] + slot.queue.map(\.number) {
                if let number { actions.append(.reply(number, .failed(error))) }
            }
            slot.queue.removeAll()
            return
        }
        let isConflict: Bool
        switch error {
        case .conflict: isConflict = true
        case .leaseLost:
            // What was decided may be overtaken by what the other engine knows; what it started is its own.
            isConflict = true
            slot.lease = .none
        default: isConflict = false
        }
        slot.conflicts += isConflict ? 1 : 0
        // What only started a request is owed by the state again; everything else is decided anew.
        var isOwedAnyway = failed.origin.origin == .start
        // The other engine reads by itself; that our reading failed would only take the place of its answer.
        if case .leaseLost = error, failed.origin.origin == .answer(isLostReading: true) {
            isOwedAnyway = true
        }
        if isConflict, slot.conflicts <= limits.conflicts {
            if !isOwedAnyway { slot.queue.insert(failed.origin, at: 0) }
            slot.isLoading = true
            actions.append(.load(slot.state.session, after: slot.state.sequence))
            return
        }
        if let number = failed.origin.number {
            actions.append(.reply(number, .failed(error)))
        } else if !isOwedAnyway {
            slot.queue.insert(failed.origin, at: 0)
        }
        slot.conflicts = 0
        slot.writeFailures += 1
        storeFailed(error, &slot, now, &actions)
    }

    /// A request did not leave because the lease is another engine's, or nobody's.
    ///
    /// The start of a request that changes something is in the log: whoever has the lease next takes it for one that
    /// may have left, and reconciles before it goes on.
    mutating func giveUpLease(
        unsent effect: EffectID,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        slot.lease = .none
        if slot.inFlight?.effect == effect { slot.inFlight = nil }
        slot.pausedUntil = now + limits.leasePause
        advance(&slot, now, &actions)
    }

    /// The session rests for a while, longer each time, and its log is read again before anything else.
    ///
    /// Requests are not kept waiting for a store that fails again and again. Responses of the other side are kept, since
    /// nobody else knows them, unless they are what can't be stored.
    func storeFailed(
        _ error: EventStoreError,
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        let failures = slot.readFailures + slot.writeFailures
        slot.needsLoad = true
        actions.append(.report(slot.state.session, error))
        let pause = limits.storePause.wholeMicroseconds << Int64(min(failures, 6))
        slot.pausedUntil = now + .microseconds(pause)
        slot.wakeAt = slot.pausedUntil
        guard failures >= limits.storeTries || !error.isTransient else { return }
        for queued in slot.queue {
            if let number = queued.number { actions.append(.reply(number, .failed(error))) }
        }
        slot.queue.removeAll { $0.number != nil || error.isOfTheEvents }
    }

    /// Requests that only wait are answered; what is under way ends or is abandoned by the shell.
    func stop(_ slot: inout Slot, _ actions: inout [EngineAction<Rules>]) {
        for queued in slot.queue {
            if let number = queued.number { actions.append(.reply(number, .stopping)) }
        }
        slot.queue.removeAll { $0.number != nil }
        slot.wakeAt = nil
        if let inFlight = slot.inFlight, inFlight.onlyReads {
            slot.inFlight = nil
            actions.append(.cancel(slot.state.session, inFlight.effect))
        }
    }
}

extension EventStoreError {
    /// Whether the same events can never be stored, however well the store is.
    var isOfTheEvents: Bool {
        switch self {
        case .corrupt, .secretMissing, .limit, .addressTaken: true
        case .conflict, .leaseLost, .unavailable, .noDatabase, .noTables, .denied, .missingRight,
            .crowded, .standby, .untrusted, .busy, .full,
            .readOnly, .moved, .notAdopted, .foreign, .newerSchema, .alteredSchema, .inputOutput,
            .overloaded, .closed:
            false
        }
    }
}
