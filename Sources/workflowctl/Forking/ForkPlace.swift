internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Checks whether a log can be forked at a sequence number without making the history after it
/// impossible.
enum ForkPlace {
    /// Checks whether a log can be forked at a sequence number.
    ///
    /// The decider's rules say which events were decided together.
    ///
    /// - Throws: A failure when it cannot.
    static func check(
        _ log: SessionLog,
        upTo sequence: Int64,
        under decider: SessionDecider
    ) throws(Failure) {
        guard (1...Int64(log.events.count)).contains(sequence) else {
            throw .usage(
                "at",
                "the log has \(log.events.count) events",
                hint: "choose a place in it"
            )
        }
        let state = log.state(at: sequence)
        switch log.events.first?.event {
        case .opened?: break
        case .checkout(.checkoutOpened(let opened))?:
            guard opened.gateway != .custom else { throw .customGateway(log.session) }
        default:
            throw .notHere(
                "the log does not begin with the session",
                hint: "'workflowctl verify' tells what is wrong with it"
            )
        }
        guard state.outcome == nil else {
            throw .usage(
                "at",
                "the session is over at event \(sequence)",
                hint: "fork it earlier: 'workflowctl log \(log.session)' shows the places"
            )
        }
        guard let checkout = state.checkout else { return }
        try check(checkout, log, upTo: sequence)
        try requireWholeDecision(log, upTo: sequence, under: decider)
    }

    private static func check(
        _ checkout: CheckoutState,
        _ log: SessionLog,
        upTo sequence: Int64
    ) throws(Failure) {
        if let native = checkout.nativeSession {
            throw .notHere(
                "the order is with the native session \(native) at event \(sequence)",
                hint: "fork that session, or the checkout before 'handedOver'"
            )
        }
        if case .done = checkout.checkIn, checkout.order == nil {
            throw .notHere(
                "the payer has just checked in at event \(sequence), and a sandbox does not know that payer",
                hint: "fork the checkout while the check-in is shown, or when its order is there"
            )
        }
        guard checkout.order?.status?.isFinal != true, checkout.transactions.isEmpty else {
            throw .notHere(
                "the order is \(checkout.order?.status?.rawValue ?? "over") at event \(sequence)",
                hint: "the sandbox's order is a new one: fork the checkout before that was read"
            )
        }
    }

    /// Refuses to separate events that were decided together, since they were appended together.
    private static func requireWholeDecision(
        _ log: SessionLog,
        upTo sequence: Int64,
        under decider: SessionDecider
    ) throws(Failure) {
        var check = ReplayCheck(of: log.session, by: decider, masked: log.masked)
        for (index, recorded) in log.events.enumerated() {
            let following = log.events.indices.contains(index + 1) ? log.events[index + 1] : nil
            // Where this build decides differently, it is not known which events belong together.
            guard (try? check.take(recorded, followedBy: following?.event)) != nil else { return }
            guard recorded.sequence >= sequence else { continue }
            let isWhole = (try? check.finish()) != nil
            if isWhole, recorded.sequence == sequence { return }
            guard isWhole else { continue }
            throw .notHere(
                "events up to \(recorded.sequence) were decided together with event \(sequence)",
                hint: "choose --at \(recorded.sequence)"
            )
        }
    }
}

extension OrderStatus {
    /// Whether the order can no longer be paid.
    fileprivate var isFinal: Bool {
        [.paid, .failed, .cancelled, .reversed, .aborted].contains(self)
    }
}

extension Failure {
    /// Returns the failure for a checkout whose orders are created by the host's own code.
    fileprivate static func customGateway(_ session: SessionID) -> Failure {
        Failure(
            .refused,
            "fork.custom-gateway",
            "the order was created by code of the host, which no sandbox stands in for",
            hint: "'workflowctl replay \(session) --what-if' asks what would have become of it"
        )
    }

    /// Returns the failure for a sequence number at which the log cannot be forked.
    fileprivate static func notHere(_ reason: String, hint: String) -> Failure {
        Failure(.refused, "fork.not-here", reason, hint: hint)
    }
}
