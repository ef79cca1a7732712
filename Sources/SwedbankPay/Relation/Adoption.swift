package import EventLog

extension SessionDecider {
    /// What is recorded of a person who declares that a store is the one that lives.
    public static let adopting = "adopt"

    /// What is recorded in a session of a store that a person declares to be the one that lives, though it may lack what was sent
    /// from another copy: who did it, and that the PSP is asked before anything is sent.
    ///
    /// Empty for a session that is over, or in which the engine has given up: they send nothing by themselves. And for a checkout
    /// without an order: there is nothing to read, and the PSP refuses a merchant's reference that another copy has used.
    package func adoption(
        by acted: OperatorActed,
        in state: SessionState,
        at now: Instant
    ) -> [SessionEvent] {
        guard state.outcome == nil, !state.isStalled, state.isOpen else { return [] }
        if let checkout = state.checkout, checkout.order?.id == nil { return [] }
        let reading = try? decide(.command(.refetch(by: acted.by)), in: state, at: now)
        return [.operatorActed(acted)] + (reading ?? [])
    }
}
