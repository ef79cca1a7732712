internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Decides where a log can be forked so that the continuation remains truthful.
enum ForkPlace {
    /// Checks whether a log can be forked at a sequence number.
    ///
    /// The decider's rules determine which events were decided together.
    ///
    /// - Throws: A failure when it cannot.
    static func check(
        _ log: SessionLog,
        upTo sequence: SequenceNumber,
        under decider: SessionDecider
    ) throws(Failure) {
        guard (1...SequenceNumber(log.events.count)).contains(sequence) else {
            throw .usage(
                "at",
                "the log has only \(log.events.count) events",
                hint: "choose a smaller sequence number"
            )
        }
        let state = log.state(at: sequence)
        switch log.events.first?.event {
        case .opened?: break
        case .checkout(.checkoutOpened(let opened))?:
            guard opened.gateway != .custom else { throw .customGateway(log.session) }
        default:
            throw .notHere(
                "the log does not start with the opening of a session",
                hint: "run 'workflowctl verify' to see what is wrong with it"
            )
        }
        guard state.outcome == nil else {
            throw .usage(
                "at",
                "the session has already ended at event \(sequence)",
                hint: "choose an earlier event; 'workflowctl log \(log.session.short)' lists them"
            )
        }
        guard let checkout = state.checkout else { return }
        try check(checkout, log, upTo: sequence)
        try requireWholeDecision(log, upTo: sequence, under: decider)
    }

    private static func check(
        _ checkout: CheckoutState,
        _ log: SessionLog,
        upTo sequence: SequenceNumber
    ) throws(Failure) {
        if let native = checkout.nativeSession {
            throw .notHere(
                "at event \(sequence), the order is handed over to native session \(native)",
                hint: "fork that session, or choose an event before 'handedOver'"
            )
        }
        if case .done = checkout.checkIn, checkout.order == nil {
            throw .notHere(
                "at event \(sequence), the payer has just checked in, and a sandbox does not know that payer",
                hint:
                    "choose an event before the check-in is completed, or after the order is created"
            )
        }
        guard checkout.order?.status?.isFinal != true, checkout.transactions.isEmpty else {
            throw .notHere(
                "the order is already \(checkout.order?.status?.rawValue ?? "closed") at event \(sequence)",
                hint: "the sandbox creates a new order; choose an earlier event"
            )
        }
    }

    /// Refuses to fork between events that were decided together, since they were appended
    /// together.
    private static func requireWholeDecision(
        _ log: SessionLog,
        upTo sequence: SequenceNumber,
        under decider: SessionDecider
    ) throws(Failure) {
        var check = ReplayCheck(of: log.session, by: decider)
        for (index, recorded) in log.events.enumerated() {
            let following = log.events.indices.contains(index + 1) ? log.events[index + 1] : nil
            // Where this build decides differently, it is unknown which events belong together.
            guard (try? check.verify(recorded, followedBy: following?.event)) != nil else { return }
            guard recorded.sequence >= sequence else { continue }
            let isWhole = (try? check.finish()) != nil
            if isWhole, recorded.sequence == sequence { return }
            guard isWhole else { continue }
            throw .notHere(
                "event \(sequence) was decided together with the events up to \(recorded.sequence)",
                hint: "use --at \(recorded.sequence)"
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
    /// Returns the failure for a checkout whose orders the host's own code creates.
    fileprivate static func customGateway(_ session: SessionID) -> Failure {
        Failure(
            .refused,
            "fork.custom-gateway",
            "the order was created by the host application's own gateway, which a sandbox cannot replace",
            hint:
                "run 'workflowctl replay \(session.short) --what-if' to see how it would have ended "
                + "under other rules"
        )
    }

    /// Returns the failure for a sequence number at which a fork would describe something
    /// impossible.
    fileprivate static func notHere(_ reason: String, hint: String) -> Failure {
        Failure(.refused, "fork.not-here", reason, hint: hint)
    }
}
