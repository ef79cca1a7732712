internal import EventLog

extension EngineCore {
    /// Applies events that have become durable: they become the state, listeners receive them, and
    /// the requests that they started may be sent.
    mutating func appended(
        _ slot: inout Slot,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        guard let done = slot.append else {
            preconditionFailure("\(slot.state.session): no append was under way")
        }
        let before = slot.state.sequence
        precondition(
            done.next.state.sequence > before,
            "\(slot.state.session): an append from \(before) to \(done.next.state.sequence)"
        )
        slot.append = nil
        slot.held = done.next
        (slot.seenAt, slot.isRowAhead) = (now, false)
        slot.conflicts = 0
        slot.writeFailures = 0
        actions.append(.publish(done.next.state, sequenceBefore: before))
        if let number = done.origin.number {
            actions.append(.reply(number, .accepted(done.next.state)))
        }
        // If the lease expired in the meantime, another engine holds it and treats the start as
        // that of a dead process: it reconciles before it continues, and so does this engine if it
        // acquires the lease again.
        if let request = done.perform, slot.lease == .held {
            precondition(slot.inFlight == nil, "\(slot.state.session): two requests at a time")
            slot.inFlight = Slot.InFlight(effect: request.id, onlyReads: request.onlyReads)
            actions.append(.perform(slot.state.session, request))
        }
        if slot.hasChanges {
            slot.hasChanges = false
            slot.isLoading = true
            actions.append(.load(slot.state.session, after: slot.state.sequence))
            return
        }
        advance(&slot, now, &actions)
    }

    /// Handles a failed append: after a version conflict or a store failure the log is read again
    /// before anything is decided.
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
        slot.hasChanges = false
        if case .addressTaken = error {
            // This session will never exist: the caller who tried to open it continues with the
            // existing one.
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
            // The other engine may know facts that invalidate the decision; what it started is its
            // own.
            isConflict = true
            slot.lease = .none
        default: isConflict = false
        }
        slot.conflicts += isConflict ? 1 : 0
        // The start of a request is pending in the state again by itself; everything else is
        // decided again.
        var isOwedAnyway = failed.origin.origin == .start
        // The other engine reads by itself; recording that our read failed would only displace its
        // response.
        if case .leaseLost = error, failed.origin.origin == .response(isLostReading: true) {
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

    /// Releases a lease after a request was not sent because the lease is not held by this engine.
    ///
    /// The start of a request that changes something is in the log: the next holder of the lease
    /// assumes that it may have been sent, and reconciles before it continues.
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

    /// Pauses a session after a store failure, longer each time; its log is read again before
    /// anything else.
    ///
    /// Callers are not kept waiting for a store that fails repeatedly. Responses of the other side
    /// are kept, because they exist nowhere else, unless they are what can't be stored.
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

    /// Answers the callers that are still waiting; requests in flight end or are abandoned by the
    /// shell.
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
    /// Whether the same events can never be stored, even by a healthy store.
    var isOfTheEvents: Bool {
        switch self {
        case .corrupt, .secretMissing, .unwritable, .limit, .addressTaken: true
        case .conflict, .leaseLost, .unavailable, .noDatabase, .noTables, .denied, .missingRight,
            .crowded, .standby, .untrusted, .busy, .timedOut, .full,
            .readOnly, .moved, .notAdopted, .cursorRefused, .foreign, .newerSchema, .alteredSchema,
            .inputOutput,
            .overloaded, .closed:
            false
        }
    }
}
