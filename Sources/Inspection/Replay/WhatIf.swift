public import EventLog
public import SwedbankPay

/// How a session would have proceeded under other rules, as far as its log shows.
///
/// The inputs of the log are applied to the other rules one after another, and the requests of
/// these rules get their responses from the log, never from the network and never by guessing. So
/// payers and clients are assumed to have acted as they did. When the other rules leave the
/// recorded history, and require from the PSP or the client what the log does not contain, the log
/// cannot show how the session would have ended, and that is the result.
public struct WhatIf: Sendable {
    /// The first different decision of the other rules; `nil` when there is none.
    public let parting: ReplayCheck.Divergence?
    /// The session's state in the log.
    public let recorded: SessionState
    /// The session's final state under the other rules, as far as the log shows.
    public let alternative: SessionState
    /// How the session would have ended.
    public let ending: Ending

    /// How a session would have ended.
    public enum Ending: Hashable, Sendable {
        /// With this outcome.
        case ended(Outcome)
        /// Still open at the end of the log.
        case open
        /// The log does not show it.
        case unknown(Gap)
    }

    /// The assumptions about what the log does not contain.
    public struct Gap: Hashable, Sendable {
        /// The kinds of gap.
        public enum Reason: Hashable, Sendable {
            /// The rules make a request that was not made then.
            case request(Rel)
            /// The rules reject what the client did; what it would have done instead is unknown.
            case refusal(Rejection)
            /// The client reported on an action that these rules did not request.
            case report
        }

        /// The kind of gap.
        public var reason: Reason
        /// The last sequence number up to which the other history is known.
        public var sequence: SequenceNumber
    }

    /// Whether the session would have ended with the same outcome.
    public var endsAlike: Bool {
        switch ending {
        case .ended(let outcome): recorded.outcome == outcome
        case .open: recorded.outcome == nil
        case .unknown: false
        }
    }

    /// Applies other rules to a log.
    ///
    /// - Parameters:
    ///   - events: The whole log.
    ///   - session: The session.
    ///   - rules: The other rules.
    ///   - known: The rules in effect: a time limit that both share fires when it fired in the log,
    ///     so that a process that was not running makes no difference.
    public init(
        of events: [RecordedEvent],
        session: SessionID,
        under rules: SessionDecider,
        insteadOf known: SessionDecider
    ) {
        if rules.limits == known.limits,
            let state = Self.agreed(events, session, rules)
        {
            (parting, recorded, alternative) = (nil, state, state)
            ending = state.outcome.map { .ended($0) } ?? .open
            return
        }
        var history = AlternativeHistory(of: session, under: rules, insteadOf: known)
        ending = history.run(events)
        (parting, recorded, alternative) = (
            history.parting, history.recorded, history.alternative ?? history.recorded
        )
    }

    /// The final state when all decisions are equal.
    private static func agreed(
        _ events: [RecordedEvent],
        _ session: SessionID,
        _ rules: SessionDecider
    ) -> SessionState? {
        var check = ReplayCheck(of: session, by: rules)
        do throws(ReplayCheck.Divergence) {
            for index in events.indices {
                let following = events.indices.contains(index + 1) ? events[index + 1].event : nil
                try check.verify(events[index], followedBy: following)
            }
            try check.finish()
        } catch {
            return nil
        }
        return check.state
    }
}
