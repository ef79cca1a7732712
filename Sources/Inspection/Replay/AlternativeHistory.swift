internal import EventLog
internal import SwedbankPay
internal import Workflow

/// Two histories of one session side by side: as recorded in the log, and as other rules would have
/// it.
///
/// Until the rules diverge there is only one. From then on, every input of the log advances the
/// recorded history, and also the other one if the input has a meaning there: the response to a
/// request when it makes the same request, a report when it requested the same client action.
struct AlternativeHistory {
    /// The maximum number of times that the PSP's last snapshot is read again after the end of the
    /// log; more would be a loop.
    static let maximumLastReads = 32

    private(set) var recorded: SessionState
    /// The other history's state; `nil` while both rules make the same decisions.
    private(set) var alternative: SessionState?
    private(set) var parting: ReplayCheck.Divergence?

    let known: SessionDecider
    var rules: SessionDecider
    /// The request that both histories have made and that has no response yet: its identity in the
    /// log and in the other history.
    var running: (recorded: EffectID, own: EffectID)?
    /// Whether the log made a request that the other rules do not make: later responses of the PSP
    /// then describe another situation.
    var isWorldAnother = false
    var gap: WhatIf.Gap?

    init(
        of session: SessionID,
        under rules: SessionDecider,
        insteadOf known: SessionDecider
    ) {
        recorded = SessionState(session: session)
        (self.rules, self.known) = (rules, known)
    }

    /// Processes a whole log.
    mutating func run(_ events: [RecordedEvent]) -> WhatIf.Ending {
        var index = 0
        while index < events.count {
            let end = Self.end(ofInputAt: index, in: events)
            let following = index + 1 < events.count ? events[index + 1].event : nil
            if isOver {
                record(events[index..<end])
            } else if alternative == nil {
                index = agree(at: index, end, following, in: events)
                continue
            } else {
                follow(events[index..<end], following)
            }
            index = end
        }
        return ending()
    }

    /// Whether the other history can continue no further.
    var isOver: Bool { gap != nil || alternative?.outcome != nil }

    /// The last of the events of one input, which have the same cause and time.
    private static func end(ofInputAt index: Int, in events: [RecordedEvent]) -> Int {
        let first = events[index]
        var end = index + 1
        while end < events.count, events[end].at == first.at,
            events[end].metadata.cause == first.metadata.cause
        {
            end += 1
        }
        return end
    }

    mutating func record(_ events: ArraySlice<RecordedEvent>) {
        for event in events { recorded.apply(event.event, at: event.at) }
    }

    /// Processes an input while both histories are one.
    ///
    /// - Returns: The index of the next input.
    private mutating func agree(
        at index: Int,
        _ end: Int,
        _ following: SessionEvent?,
        in events: [RecordedEvent]
    ) -> Int {
        let first = events[index]
        if let timer = earlyTimer(in: recorded, by: first.at) {
            part(at: first, recorded, timer.until, .timerFired(timer.timer))
            return index
        }
        guard let input = first.event.input(followedBy: following, in: recorded) else {
            record(events[index...index])
            return index + 1
        }
        let decided: [SessionEvent]
        do throws(Rejection) {
            decided = try rules.decide(input, in: recorded, at: first.at)
        } catch {
            parting = ReplayCheck.Divergence(
                sequence: first.sequence,
                recorded: first.event,
                decided: nil,
                rejection: error
            )
            alternative = recorded
            gap = WhatIf.Gap(reason: .refusal(error), sequence: recorded.sequence)
            record(events[index..<end])
            return end
        }
        let place = decided.indices.first {
            index + $0 >= events.count || events[index + $0].event != decided[$0]
        }
        guard let place = decided.isEmpty ? 0 : place else {
            record(events[index..<(index + decided.count)])
            return index + decided.count
        }
        let there = index + place < events.count ? events[index + place] : nil
        parting = ReplayCheck.Divergence(
            sequence: first.sequence + place,
            recorded: there?.event,
            decided: decided.indices.contains(place) ? decided[place] : nil
        )
        // A request that the log made and these rules do not make gets its response there, not
        // here.
        if case .starting = input, decided.isEmpty { isWorldAnother = true }
        alternative = recorded
        apply(decided, at: first.at)
        recordRunning()
        let next = max(end, min(index + place + 1, events.count))
        record(events[index..<next])
        return next
    }

    private mutating func part(
        at first: RecordedEvent,
        _ state: SessionState,
        _ instant: Instant,
        _ input: SessionInput
    ) {
        let decided = (try? rules.decide(input, in: state, at: max(instant, state.lastAt))) ?? []
        parting = ReplayCheck.Divergence(
            sequence: first.sequence,
            recorded: first.event,
            decided: decided.first
        )
        alternative = state
        apply(decided, at: instant)
        recordRunning()
    }

    /// Work in progress when the histories diverged is in progress in both.
    private mutating func recordRunning() {
        running = alternative?.running.map { ($0.start.effect, $0.start.effect) }
    }

    private mutating func apply(_ events: [SessionEvent], at instant: Instant) {
        for event in events {
            let at = max(instant, alternative?.lastAt ?? instant)
            alternative?.apply(event, at: at)
        }
    }

    /// Applies an input to the other history.
    mutating func decide(_ input: SessionInput, at instant: Instant) {
        guard let state = alternative else { return }
        do throws(Rejection) {
            apply(try rules.decide(input, in: state, at: max(instant, state.lastAt)), at: instant)
        } catch {
            stop(.refusal(error))
        }
    }

    mutating func stop(_ reason: WhatIf.Gap.Reason) {
        gap = gap ?? WhatIf.Gap(reason: reason, sequence: recorded.sequence)
    }
}
