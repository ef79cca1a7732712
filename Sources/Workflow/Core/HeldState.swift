internal import EventLog

/// An immutable state with its pending effects.
///
/// A state may have some hundred parts. Held here, it is passed on as one reference, and its rules
/// are evaluated once.
final class HeldState<Rules: WorkflowRules>: Sendable {
    /// The state.
    let state: Rules.State
    /// Its pending effects.
    let pending: [PendingEffect<Rules.Request, Rules.Input.Timer>]
    /// Whether it only waits for its client, or has ended.
    let isSettled: Bool
    private let next: NextStep<Rules>

    /// Creates a held state from a state that it takes ownership of.
    convenience init(_ state: consuming Rules.State, by rules: Rules) {
        let next = rules.next(in: state)
        self.init(state, next: next, by: rules)
    }

    /// Creates a held state from the result of a decision.
    convenience init(_ decision: Decision<Rules>, by rules: Rules) {
        self.init(decision.state, next: decision.next, by: rules)
    }

    private init(_ state: consuming Rules.State, next: NextStep<Rules>, by rules: Rules) {
        self.next = next
        pending = rules.effects(of: state, next: next)
        isSettled = rules.isSettled(state, next: next)
        self.state = state
        // A response and a timer name what they belong to by nothing else.
        precondition(
            pending.count < 2 || Set(pending.map(\.identity)).count == pending.count,
            "\(self.state.session): two pending requests or timers have one identifier"
        )
    }

    /// The decision on an input; `nil` when the input changes nothing.
    func decision(
        on input: Rules.Input,
        by rules: Rules,
        at now: Instant
    ) throws(Rules.Rejection) -> Decision<Rules>? {
        try rules.decision(on: input, in: state, next: next, at: now)
    }

    /// The session's row in the projection.
    func summary(by rules: Rules) -> SessionSummary {
        rules.summary(of: state, next: next)
    }

    /// The pending request that is due at this time.
    func dueRequest(at now: Instant) -> Rules.Request? {
        for case .request(let request) in pending where (request.notBefore ?? now) <= now {
            return request
        }
        return nil
    }
}

extension PendingEffect {
    /// What distinguishes the pending effects of a state.
    fileprivate enum Identity: Hashable {
        case request(EffectID)
        case timer(Timer)
    }

    fileprivate var identity: Identity {
        switch self {
        case .request(let request): .request(request.id)
        case .wait(let timer, _): .timer(timer)
        }
    }
}
