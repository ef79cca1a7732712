internal import EventLog

extension EngineCore {
    /// Hands over sessions that other engines should have, between two of their effects.
    ///
    /// None of their requests is in flight, so the next engine need not reconcile anything.
    /// Sessions with listeners stay, because their clients' commands arrive here.
    mutating func handOver(_ count: Int, _ actions: inout [EngineAction<Rules>]) {
        guard !isStopping else { return }
        var given: [SessionID] = []
        for place in slots.indices {
            guard given.count < count else { break }
            guard let slot = slots[place], canHandOver(slot) else { continue }
            slots[place]?.lease = Slot.LeaseState.none
            given.append(slot.state.session)
            parkable.append(place)
        }
        if !given.isEmpty { actions.append(.handOverLeases(given)) }
    }

    private func canHandOver(_ slot: Slot) -> Bool {
        slot.lease == .held && slot.queue.isEmpty && slot.append == nil && !slot.isLoading
            && slot.inFlight == nil && !slot.isWatched && slot.pausedUntil == nil
            && slot.state.requests.inFlight == nil
    }
}
