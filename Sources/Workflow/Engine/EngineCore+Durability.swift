extension EngineCore {
    /// The events are durable: now they are the state, listeners hear of them, and what they started may leave.
    mutating func appended(
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        guard let done = slot.append else { return }
        let before = slot.state.sequence
        slot.append = nil
        slot.state = done.next
        slot.conflicts = 0
        slot.storeFailures = 0
        actions.append(.publish(done.next, sequenceBefore: before))
        if let number = done.origin.number {
            actions.append(.reply(number, .accepted(done.next)))
        }
        if let call = done.perform {
            slot.inFlight = SessionSlot.InFlight(effect: call.id, onlyReads: call.onlyReads)
            actions.append(.perform(slot.state.session, call))
        }
        advance(&slot, now, &actions)
    }

    /// Another writer was first, or the store failed: the log is read again before anything is decided anew.
    mutating func appendFailed(
        _ error: EventStoreError,
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        guard let failed = slot.append else { return }
        slot.append = nil
        let isConflict = if case .conflict = error { true } else { false }
        slot.conflicts += isConflict ? 1 : 0
        if isConflict, slot.conflicts <= limits.conflicts {
            if failed.origin.input != .resumed { slot.queue.insert(failed.origin, at: 0) }
            slot.isLoading = true
            actions.append(.load(slot.state.session, after: slot.state.sequence))
            return
        }
        if let number = failed.origin.number {
            actions.append(.reply(number, .failed(error)))
        } else if failed.origin.input != .resumed {
            slot.queue.insert(failed.origin, at: 0)
        }
        slot.conflicts = 0
        storeFailed(error, &slot, now, &actions)
    }

    /// The session rests for a while and its log is read again; after too many failures it is let go of.
    mutating func storeFailed(
        _ error: EventStoreError,
        _ slot: inout SessionSlot,
        _ now: Instant,
        _ actions: inout [EngineAction]
    ) {
        slot.storeFailures += 1
        actions.append(.report(slot.state.session, error))
        let pause = limits.storePause.wholeMicroseconds << Int64(min(slot.storeFailures, 6))
        slot.pausedUntil = now + .microseconds(pause)
        slot.wakeAt = slot.pausedUntil
        guard slot.storeFailures >= limits.storeTries || !error.isTransient else { return }
        for queued in slot.queue {
            if let number = queued.number { actions.append(.reply(number, .failed(error))) }
        }
        slot.queue.removeAll()
    }

    /// Requests that only wait are answered; what is under way ends or is abandoned by the shell.
    func stop(_ slot: inout SessionSlot, _ actions: inout [EngineAction]) {
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
