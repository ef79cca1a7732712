internal import EventLog
internal import SwedbankPay
internal import Workflow

/// Continues after the histories have diverged.
extension AlternativeHistory {
    mutating func follow(
        _ events: ArraySlice<RecordedEvent>,
        _ following: SessionEvent?
    ) {
        guard let first = events.first else { return }
        fireTimers(by: first.at)
        if !isOver, let input = first.event.input(followedBy: following, in: recorded) {
            follow(input, at: first.at)
        }
        record(events)
    }

    private mutating func follow(_ input: SessionInput, at instant: Instant) {
        switch input {
        case .command: decide(input, at: instant)
        case .report(let report): follow(report, at: instant)
        case .starting(let effect): start(effect, at: instant)
        case .requestEnded(let effect, let outcome, let duration, let retryAt):
            respond(
                effect,
                .requestEnded(
                    running?.own ?? effect,
                    outcome,
                    durationMilliseconds: duration,
                    retryAt: retryAt
                ),
                at: instant
            )
        case .interrupted(let effect, let retryAt):
            respond(effect, .interrupted(running?.own ?? effect, retryAt: retryAt), at: instant)
        case .timerFired: fireTimers(by: instant, withTheLog: true)
        case .resumed: decide(.resumed, at: instant)
        }
    }

    private mutating func follow(_ report: ActionReport, at instant: Instant) {
        guard let asked = recorded.actions.first(where: { $0.id == report.action }),
            let own = alternative?.actions.last(where: { $0.isSame(as: asked) })
        else { return stop(.report) }
        decide(.report(ActionReport(action: own.id, outcome: report.outcome)), at: instant)
    }

    /// The log starts a request that changes something.
    private mutating func start(_ effect: EffectID, at instant: Instant) {
        let made =
            pendingRequest(in: recorded, by: known) ?? pendingRequest(in: recorded, by: rules)
        let own = alternative.flatMap { pendingRequest(in: $0, by: rules) }
        guard let made, made.id == effect, let own, own.rel == made.rel, own.href == made.href,
            own.body == made.body
        else {
            isWorldAnother = true
            if let own, !own.onlyReads { stop(.request(own.rel)) }
            return
        }
        running = (effect, own.id)
        decide(.starting(own.id), at: instant)
    }

    private mutating func respond(_ effect: EffectID, _ input: SessionInput, at instant: Instant) {
        if running?.recorded == effect {
            running = nil
            return decide(input, at: instant)
        }
        // The response to a request that only the log made.
        if recorded.running?.start.effect == effect { return }
        guard let state = alternative, let own = pendingRequest(in: state, by: rules), own.onlyReads
        else { return }
        guard !isWorldAnother else { return stop(.request(own.rel)) }
        let made = pendingRequest(in: recorded, by: known)
        guard own.notBefore ?? instant <= instant, state.checkout == nil || made?.rel == own.rel
        else { return }
        guard case .requestEnded(_, let outcome, let duration, let retryAt) = input else { return }
        decide(
            .requestEnded(own.id, outcome, durationMilliseconds: duration, retryAt: retryAt),
            at: instant
        )
    }

    private func pendingRequest(
        in state: SessionState,
        by decider: SessionDecider
    ) -> OperationRequest? {
        guard case .request(let request) = decider.next(in: state) else { return nil }
        return request
    }

    /// The first time limit that the other rules reach by a time and the rules in force do not, or
    /// not yet.
    func earlyTimer(
        in state: SessionState,
        by instant: Instant
    ) -> (timer: SessionTimer, until: Instant)? {
        guard rules.limits != known.limits else { return nil }
        let usual = known.timers(in: state)
        return rules.timers(in: state)
            .filter { own in own.until <= instant && !usual.contains { $0 == own } }
            .min { $0.until < $1.until }
    }

    /// Fires the time limits of the other rules that are reached by a time.
    ///
    /// - Parameters:
    ///   - instant: The time.
    ///   - withTheLog: Whether a time limit fired in the log: then limits that both rules share
    ///     fire as well.
    private mutating func fireTimers(by instant: Instant, withTheLog: Bool = false) {
        for _ in 0..<SessionDecider.maximumDerivedEvents {
            guard !isOver, let state = alternative else { return }
            var next = earlyTimer(in: state, by: instant)
            if next == nil, withTheLog {
                next = rules.timers(in: state).first { $0.until <= instant }
            }
            guard let next else { return }
            decide(.timerFired(next.timer), at: max(next.until, state.lastAt))
            // A limit may have no effect while a pending effect is more informative.
            guard alternative?.sequence != state.sequence else { return }
        }
    }

    /// How the other history ends at the end of the log.
    mutating func ending() -> WhatIf.Ending {
        for _ in 0..<Self.maximumLastReads {
            guard !isOver, let state = alternative,
                let own = pendingRequest(in: state, by: rules), own.onlyReads, !isWorldAnother,
                recorded.outcome == .completed || recorded.outcome == .canceled,
                let last = recorded.payment?.snapshot
            else { break }
            // The PSP's last snapshot is assumed to stay: the session has ended there.
            let instant = max(own.notBefore ?? recorded.lastAt, recorded.lastAt)
            decide(
                .requestEnded(
                    own.id,
                    .snapshot(last, status: 200),
                    durationMilliseconds: 0,
                    retryAt: instant
                ),
                at: instant
            )
        }
        if let outcome = alternative?.outcome ?? (parting == nil ? recorded.outcome : nil) {
            return .ended(outcome)
        }
        if let gap { return .unknown(gap) }
        guard let state = alternative, recorded.outcome != nil,
            let own = pendingRequest(in: state, by: rules)
        else { return .open }
        return .unknown(WhatIf.Gap(reason: .request(own.rel), sequence: recorded.sequence))
    }
}

extension ClientAction {
    /// Whether both are the same client action.
    fileprivate func isSame(as other: ClientAction) -> Bool {
        key == other.key && kind == other.kind
    }
}
