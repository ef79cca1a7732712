internal import EventLog

/// A state that nobody changes any more, with what it owes.
///
/// A state may have some hundred parts; held here it is handed on by one reference, and its rules are asked once.
final class HeldState<Rules: WorkflowRules>: Sendable {
    /// The state.
    let state: Rules.State
    /// Its pending effects.
    let owed: [PendingEffect<Rules.Call, Rules.Input.Timer>]
    /// Whether it only waits for its client, or is over.
    let isSettled: Bool
    private let next: NextStep<Rules>

    /// Takes a state over from whoever has made it.
    convenience init(_ state: consuming Rules.State, by rules: Rules) {
        let next = rules.next(in: state)
        self.init(state, next: next, by: rules)
    }

    /// Takes over what a decision led to.
    convenience init(_ decision: Decision<Rules>, by rules: Rules) {
        self.init(decision.state, next: decision.next, by: rules)
    }

    private init(_ state: consuming Rules.State, next: NextStep<Rules>, by rules: Rules) {
        self.next = next
        owed = rules.effects(of: state, next: next)
        isSettled = rules.isSettled(state, next: next)
        self.state = state
    }

    /// What an input brings; nil when it changes nothing.
    func decision(
        on input: Rules.Input,
        by rules: Rules,
        at now: Instant
    ) throws(Rules.Rejection) -> Decision<Rules>? {
        try rules.decision(on: input, in: state, next: next, at: now)
    }

    /// Its row in the projection.
    func summary(by rules: Rules) -> SessionSummary {
        rules.summary(of: state, next: next)
    }

    /// The request that it owes by this time.
    func dueCall(at now: Instant) -> Rules.Call? {
        for case .call(let call) in owed where (call.notBefore ?? now) <= now { return call }
        return nil
    }
}
