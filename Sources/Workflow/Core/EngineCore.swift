public import EventLog

/// The engine without its surroundings: one deterministic state machine for all sessions.
///
/// It is responsible for the order of durability (an effect is performed only after its start was
/// stored), for single flight, the retry schedule, timers and leases. It performs nothing itself:
/// it receives inputs and returns actions, and the same inputs at the same times produce the same
/// actions.
public struct EngineCore<Rules: WorkflowRules>: Sendable {
    typealias Slot = SessionSlot<Rules>

    /// The rules of one session.
    package var rules: Rules
    let schedule: RetrySchedule
    package var limits: EngineLimits
    var generator: SplitMix64
    var slots: [Slot?] = []
    /// The wake-up time of the session in each slot, kept separately so that timers can compare it
    /// quickly.
    private var wakes: [Instant?] = []
    var index: [SessionID: Int] = [:]
    var vacant: [Int] = []
    var isStopping = false
    private var timers = Timers()
    private var announcedWake: Instant?

    /// The number of outdated timers that may be kept, in addition to two for each session in
    /// memory.
    package static var outdatedTimers: Int { 1024 }

    /// Creates a core without sessions.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - schedule: When to continue after failures.
    ///   - limits: The limits of the core.
    ///   - seed: The seed of the jitter.
    public init(
        rules: Rules,
        schedule: RetrySchedule = RetrySchedule(),
        limits: EngineLimits = EngineLimits(),
        seed: UInt64
    ) {
        self.rules = rules
        self.schedule = schedule
        self.limits = limits
        generator = SplitMix64(seed: seed)
    }

    /// The number of sessions in memory.
    public var sessionCount: Int { index.count }

    /// The number of timers, including outdated ones that will be skipped.
    package var timerCount: Int { timers.count }

    /// Whether a session is in memory.
    package func holds(_ session: SessionID) -> Bool { index[session] != nil }

    /// The number of inputs that wait for a session.
    package func queuedInputs(of session: SessionID) -> Int {
        index[session].flatMap { slots[$0]?.queue.count } ?? 0
    }

    /// The state of a session in memory: the fold of its durable events.
    public func state(of session: SessionID) -> Rules.State? {
        index[session].flatMap { slots[$0]?.state }
    }

    /// The sequence number of a session's last event in memory, with those that are being appended.
    package func end(of session: SessionID) -> SequenceNumber? {
        index[session].flatMap { slots[$0] }.map { slot in
            slot.append?.next.state.sequence ?? slot.state.sequence
        }
    }

    /// Whether a session in memory is neither being read nor appended to, nor waits to be read.
    package func isQuiet(_ session: SessionID) -> Bool {
        guard let slot = index[session].flatMap({ slots[$0] }) else { return false }
        return !slot.isLoading && !slot.needsLoad && slot.append == nil
    }

    /// The same state without a copy.
    func held(_ session: SessionID) -> HeldState<Rules>? {
        index[session].flatMap { slots[$0]?.held }
    }

    /// Processes an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: The current time.
    /// - Returns: The actions to perform, in this order.
    public mutating func handle(
        _ input: EngineInput<Rules>,
        at now: Instant
    ) -> [EngineAction<Rules>] {
        var actions: [EngineAction<Rules>] = []
        switch input {
        case .loaded(let state, let isWatched): load(state, isWatched, now, &actions)
        case .loadFailed(let session, let error):
            with(session) { core, slot in
                (slot.isLoading, slot.hasChanges) = (false, false)
                slot.readFailures += 1
                core.storeFailed(error, &slot, now, &actions)
            }
        case .command(let session, let input, let number, let cause):
            let queued = Slot.QueuedInput(input: input, origin: .host(number: number), cause: cause)
            enqueue(queued, for: session, now, &actions)
        case .requestEnded(let session, let effect, let outcome, let duration):
            respond(effect, outcome, duration, for: session, now, &actions)
        case .appended(let session):
            with(session) { core, slot in core.appended(&slot, now, &actions) }
        case .appendFailed(let session, let error):
            with(session) { core, slot in core.appendFailed(error, &slot, now, &actions) }
        case .lease(let session, let granted):
            with(session) { core, slot in
                slot.lease = granted ? .held : .none
                if !granted { slot.pausedUntil = now + core.limits.leasePause }
                core.advance(&slot, now, &actions)
            }
        case .leaseFailed(let session, let error):
            with(session) { core, slot in
                slot.lease = .none
                slot.readFailures += 1
                core.storeFailed(error, &slot, now, &actions)
            }
        case .leaseSurplus(let count): handOver(count, &actions)
        case .notPerformed(let session, let effect):
            with(session) { core, slot in
                core.giveUpLease(unsent: effect, &slot, now, &actions)
            }
        case .watched(let session, let isWatched):
            with(session) { core, slot in
                slot.isWatched = isWatched
                core.advance(&slot, now, &actions)
            }
        case .storeChanged(let session):
            with(session) { _, slot in
                // The read or write in progress may have happened before the other writer's append.
                slot.hasChanges = slot.isLoading || slot.append != nil
                guard !slot.hasChanges else { return }
                slot.isLoading = true
                actions.append(.load(session, after: slot.state.sequence))
            }
        case .timeCame: wakeDue(now, &actions)
        case .stopping:
            isStopping = true
            for place in slots.indices where slots[place] != nil {
                withSlot(at: place) { core, slot in core.stop(&slot, &actions) }
            }
        }
        park(&actions)
        announceWake(&actions)
        return actions
    }

    private mutating func wakeDue(_ now: Instant, _ actions: inout [EngineAction<Rules>]) {
        announcedWake = nil
        while let place = timers.popDue(by: now, where: { wakes[$0] == $1 }) {
            wakes[place] = nil
            slots[place]?.wakeAt = nil
            withSlot(at: place) { core, slot in core.advance(&slot, now, &actions) }
        }
    }

    private mutating func load(
        _ state: Rules.State,
        _ isWatched: Bool,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        let isNew = index[state.session] == nil
        if isNew {
            let slot = Slot(HeldState(state, by: rules), at: now)
            if let place = vacant.popLast() {
                precondition(slots[place] == nil, "\(state.session): its slot is another's")
                slots[place] = slot
                index[state.session] = place
            } else {
                index[state.session] = slots.count
                slots.append(slot)
                wakes.append(nil)
            }
        }
        with(state.session) { core, slot in
            precondition(slot.append == nil, "\(slot.state.session): read while it is written")
            let before = slot.state.sequence
            slot.isLoading = false
            slot.isWatched = slot.isWatched || isWatched
            slot.readFailures = 0
            slot.needsLoad = false
            // If the response is no longer needed, wait before sending to the other side again.
            slot.pausedUntil = slot.isResponseOvertaken ? now + core.schedule.floor : nil
            if !isNew, state.sequence >= before {
                slot.held = HeldState(state, by: core.rules)
            }
            if isNew || state.sequence > before {
                slot.seenAt = now
                slot.isRowAhead = core.isAhead(state, at: now)
            }
            if state.sequence > before, before > 0 {
                actions.append(.publish(state, sequenceBefore: before))
            }
            if slot.hasChanges {
                slot.hasChanges = false
                slot.isLoading = true
                actions.append(.load(state.session, after: slot.state.sequence))
                return
            }
            core.advance(&slot, now, &actions)
        }
    }

    private mutating func enqueue(
        _ queued: Slot.QueuedInput,
        for session: SessionID,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        guard let place = index[session], let count = slots[place]?.queue.count else {
            if let number = queued.number {
                actions.append(.reply(number, .rejected(.notOpen)))
            }
            return
        }
        if isStopping || count >= limits.queuedInputs {
            if let number = queued.number {
                actions.append(.reply(number, isStopping ? .stopping : .overloaded))
            }
            return
        }
        withSlot(at: place) { core, slot in
            slot.queue.append(queued)
            core.advance(&slot, now, &actions)
        }
    }

    private mutating func respond(
        _ effect: EffectID,
        _ outcome: Rules.Input.Outcome,
        _ duration: Int64,
        for session: SessionID,
        _ now: Instant,
        _ actions: inout [EngineAction<Rules>]
    ) {
        with(session) { core, slot in
            guard let sent = slot.inFlight, sent.effect == effect else { return }
            slot.inFlight = nil
            let retryAt = core.schedule.retryAt(
                after: outcome,
                delay: core.rules.retryDelay(after: outcome, in: slot.state),
                tries: slot.state.requests.failedTries(ofReading: sent.onlyReads),
                now: now,
                using: &core.generator
            )
            slot.queue.insert(
                Slot.QueuedInput(
                    input: .requestEnded(
                        effect,
                        outcome,
                        durationMilliseconds: duration,
                        retryAt: retryAt
                    ),
                    origin: .response(isLostReading: sent.onlyReads && outcome.isLost),
                    cause: "answer.\(effect.rawValue)"
                ),
                at: 0
            )
            core.advance(&slot, now, &actions)
        }
    }

    /// Removes idle sessions without listeners from memory.
    private mutating func park(_ actions: inout [EngineAction<Rules>]) {
        for place in parkable {
            guard let slot = slots[place] else { continue }
            let session = slot.state.session
            if slot.lease == .held { actions.append(.releaseLease(session)) }
            actions.append(.park(session))
            slots[place] = nil
            wakes[place] = nil
            index[session] = nil
            vacant.append(place)
        }
        parkable.removeAll(keepingCapacity: true)
    }

    /// The indices of slots that became idle while the current input was processed.
    var parkable: [Int] = []

    private mutating func announceWake(_ actions: inout [EngineAction<Rules>]) {
        timers.forgetOutdated(beyond: 2 * index.count + Self.outdatedTimers) { wakes[$0] == $1 }
        let earliest = timers.earliest { wakes[$0] == $1 }
        guard earliest != announcedWake else { return }
        announcedWake = earliest
        actions.append(.wake(earliest))
    }

    mutating func with(
        _ session: SessionID,
        _ body: (inout Self, inout Slot) -> Void
    ) {
        guard let place = index[session] else { return }
        withSlot(at: place, body)
    }

    private mutating func withSlot(
        at place: Int,
        _ body: (inout Self, inout Slot) -> Void
    ) {
        // Move the slot out instead of copying it.
        guard var slot = slots[place].take() else {
            preconditionFailure("slot \(place) of \(slots.count) is vacant, or in use already")
        }
        let wakeBefore = slot.wakeAt
        body(&self, &slot)
        let needsNothing = canPark(slot)
        let wake = slot.wakeAt
        slots[place] = consume slot
        wakes[place] = wake
        if let wake, wake != wakeBefore { timers.add(wake, for: place) }
        if needsNothing { parkable.append(place) }
    }
}
