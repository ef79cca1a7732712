package import EventLog

extension SessionDecider {
    /// The operator action of declaring that a store is the live one.
    public static let adopting = "adopt"

    /// The events for a session of a store that an operator declares to be the live one, although
    /// it may lack what was sent from another copy.
    ///
    /// They record the operator, and that the PSP is read before any request is sent. They are
    /// empty for a session that has ended or in which the engine has given up, because these send
    /// no requests by themselves; and for a checkout without an order, because it cannot be read,
    /// and the PSP refuses a merchant's reference that another copy has used.
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
