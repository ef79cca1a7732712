public import EventLog
public import SwedbankPay

/// What would have become of a session under other rules, as far as its log can tell.
///
/// The inputs of the log are given to the other rules one after the other, and what these rules owe to the PSP is answered
/// from the log: never from the network, and never by a guess. So payers and clients are taken to have done what they did.
/// Where other rules leave the recorded history, and want of the PSP or the client what the log has no answer to, the log
/// does not say how it would have ended, and that is the result.
public struct WhatIf: Sendable {
    /// Where the other rules first decide otherwise; nothing when they decide everything alike.
    public let parting: ReplayCheck.Divergence?
    /// How the session stands in the log.
    public let recorded: SessionState
    /// How it would have stood in the end, as far as the log can tell.
    public let alternative: SessionState
    /// How it would have ended.
    public let ending: Ending

    /// How a session would have ended.
    public enum Ending: Hashable, Sendable {
        /// It would have ended so.
        case ended(Outcome)
        /// It would have been open where the log ends.
        case open
        /// The log does not say.
        case unknown(Gap)
    }

    /// What the log has no answer to.
    public struct Gap: Hashable, Sendable {
        /// What that is.
        public enum Reason: Hashable, Sendable {
            /// The rules make a request that was not made then.
            case request(Rel)
            /// The rules refuse what the client did: nobody knows what it would have done instead.
            case refusal(Rejection)
            /// The client answered what these rules did not ask of it.
            case report
        }

        /// What it is.
        public var reason: Reason
        /// The place in the log up to which it could be told.
        public var sequence: Int64
    }

    /// Whether it would have ended as it did.
    public var endsAlike: Bool {
        switch ending {
        case .ended(let outcome): recorded.outcome == outcome
        case .open: recorded.outcome == nil
        case .unknown: false
        }
    }

    /// Gives a log to other rules.
    ///
    /// - Parameters:
    ///   - events: The whole log.
    ///   - session: The session.
    ///   - rules: The other rules.
    ///   - known: The rules that are in force: a limit that both keep alike fires when the log says that it fired, so that a
    ///     process that was not running is no difference.
    ///   - masked: The places of records in which text was masked.
    public init(
        of events: [RecordedEvent],
        session: SessionID,
        under rules: SessionDecider,
        insteadOf known: SessionDecider,
        masked: Set<Int64> = []
    ) {
        if rules.limits == known.limits,
            let state = Self.agreed(events, session, rules, masked)
        {
            (parting, recorded, alternative) = (nil, state, state)
            ending = state.outcome.map { .ended($0) } ?? .open
            return
        }
        var history = AlternativeHistory(
            of: session,
            under: rules,
            insteadOf: known,
            masked: masked
        )
        ending = history.run(events)
        (parting, recorded, alternative) = (
            history.parting, history.recorded, history.alternative ?? history.recorded
        )
    }

    /// The state in the end when every decision is taken alike.
    private static func agreed(
        _ events: [RecordedEvent],
        _ session: SessionID,
        _ rules: SessionDecider,
        _ masked: Set<Int64>
    ) -> SessionState? {
        var check = ReplayCheck(of: session, by: rules, masked: masked)
        do throws(ReplayCheck.Divergence) {
            for index in events.indices {
                let following = events.indices.contains(index + 1) ? events[index + 1].event : nil
                try check.take(events[index], followedBy: following)
            }
            try check.finish()
        } catch {
            return nil
        }
        return check.state
    }
}
