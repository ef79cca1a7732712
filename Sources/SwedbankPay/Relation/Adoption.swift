package import EventLog

extension SessionDecider {
    /// What is recorded of a person who declares that a store is the one that lives.
    public static let adopting = "adopt"

    /// What is recorded in a session of a store that a person declares to be the one that lives, though it may lack what was sent
    /// from another copy: who did it, and that the PSP is asked before anything is sent.
    ///
    /// Nothing in a session that is over, or in which the engine has given up: they send nothing by themselves.
    package func adoption(
        by acted: OperatorActed,
        in state: SessionState,
        at now: Instant
    ) -> [SessionEvent] {
        guard state.outcome == nil, !state.isStalled, state.payment?.opening != nil else {
            return []
        }
        let reading = try? decide(.command(.refetch(by: acted.by)), in: state, at: now)
        return [.operatorActed(acted)] + (reading ?? [])
    }
}
