public import EventLog
public import SwedbankPay
internal import Workflow

/// Folds a log and compares every decision in it with what these rules decide.
///
/// No effects are performed. The inputs are derived from the log itself: the first event of an
/// input determines what the input was, and the rules must then decide the events that follow in
/// the log.
public struct ReplayCheck: Sendable {
    /// The rules to compare with.
    public let decider: SessionDecider
    /// The fold of the events before the last input.
    private var folded: SessionState
    /// The next step in that state, if it is known; computed once for each state.
    private var next: Workflow.NextStep<SessionDecider>?
    /// The decision on the last input, and its time, while its events are compared.
    private var decision: (made: Decision<SessionDecider>, at: Instant)?
    /// The events of that decision seen so far.
    private var matched: [RecordedEvent] = []
    /// Whether they have the time at which the decision was made.
    private var isTimely = true

    /// The first difference between a log and these rules.
    public struct Divergence: Error, Hashable, Sendable {
        /// The sequence number of the event that differs.
        public var sequence: SequenceNumber
        /// The event in the log; `nil` when the log ends where these rules decide more.
        public var recorded: SessionEvent?
        /// The event that these rules decide instead; `nil` for none.
        public var decided: SessionEvent?
        /// Why these rules reject the input, if they do.
        public var rejection: Rejection?
    }

    /// Creates a check of a session's log from its beginning.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - decider: The rules to compare with.
    public init(of session: SessionID, by decider: SessionDecider) {
        self.decider = decider
        folded = SessionState(session: session)
    }

    /// The state so far.
    public var state: SessionState {
        var state = folded
        for recorded in matched { state.apply(recorded.event, at: recorded.at) }
        return state
    }

    /// Checks the next event of the log.
    ///
    /// - Parameters:
    ///   - recorded: The event.
    ///   - following: The event after it, which identifies some inputs.
    /// - Throws: The first ``Divergence``.
    public mutating func verify(
        _ recorded: RecordedEvent,
        followedBy following: SessionEvent?
    ) throws(Divergence) {
        if decision == nil { try decide(recorded, following) }
        guard let decision else {
            folded.apply(recorded.event, at: recorded.at)
            next = nil
            return
        }
        let wanted = decision.made.events[matched.count]
        guard wanted == recorded.event else {
            throw Divergence(
                sequence: recorded.sequence,
                recorded: recorded.event,
                decided: wanted
            )
        }
        isTimely = isTimely && recorded.at == decision.at
        matched.append(recorded)
        if matched.count == decision.made.events.count { conclude(with: decision.made) }
    }

    /// Continues in the state that the rules computed, when the log has exactly the events that
    /// they decided.
    private mutating func conclude(with made: Decision<SessionDecider>) {
        (folded, next) = isTimely ? (made.state, made.next) : (state, nil)
        (decision, isTimely) = (nil, true)
        matched.removeAll(keepingCapacity: true)
    }

    /// Ends the check.
    ///
    /// - Throws: A ``Divergence`` when these rules decide events that the log does not have.
    public func finish() throws(Divergence) {
        if let decision {
            throw Divergence(
                sequence: state.sequence + 1,
                recorded: nil,
                decided: decision.made.events[matched.count]
            )
        }
    }

    private mutating func decide(
        _ recorded: RecordedEvent,
        _ following: SessionEvent?
    ) throws(Divergence) {
        guard let input = recorded.event.input(followedBy: following, in: folded) else {
            // Not decided by the rules (audit events, unknown types), so there is no comparison.
            return
        }
        let decided: Decision<SessionDecider>?
        do throws(Rejection) {
            decided = try decider.decision(
                on: input,
                in: folded,
                next: next ?? decider.next(in: folded),
                at: recorded.at
            )
        } catch {
            throw Divergence(
                sequence: recorded.sequence,
                recorded: recorded.event,
                decided: nil,
                rejection: error
            )
        }
        guard let decided else {
            throw Divergence(
                sequence: recorded.sequence,
                recorded: recorded.event,
                decided: nil
            )
        }
        decision = (decided, recorded.at)
    }
}

extension SessionEvent {
    /// The input whose first event this is; `nil` for events that no input of the rules leads to.
    func input(followedBy following: SessionEvent?, in state: SessionState) -> SessionInput? {
        switch self {
        case .operationSucceeded(let succeeded):
            return respond(to: succeeded, followedBy: following, in: state)
        case .fetched(let fetched):
            guard let snapshot = fetched.snapshot ?? state.payment?.snapshot else { return nil }
            return .requestEnded(
                state.requests.nextReading,
                .snapshot(snapshot, status: 200),
                durationMilliseconds: fetched.durationMilliseconds ?? 0,
                retryAt: state.lastAt
            )
        case .problem(let problem):
            guard problem.kind == .deadlineExceeded else { return .resumed }
            if let attempt = state.payment?.attempt {
                return .timerFired(.attemptLimit(number: attempt.number))
            }
            guard let menu = state.payment?.menu else { return .resumed }
            return .timerFired(.menuLimit(chosenAt: menu.chosenAt))
        case .checkout(let event): return event.input(in: state)
        case .operatorActed(let acted) where acted.isClosing(followedBy: following):
            return .command(.close(acted))
        default: return EventDescription(self).input
        }
    }

    private func respond(
        to succeeded: OperationSucceeded,
        followedBy following: SessionEvent?,
        in state: SessionState
    ) -> SessionInput? {
        let outcome: ProviderResponse.Outcome
        switch succeeded.content {
        case .snapshot:
            switch following {
            case .fetched(let fetched)?:
                guard let snapshot = fetched.snapshot ?? state.payment?.snapshot else { return nil }
                outcome = .snapshot(snapshot, status: succeeded.status)
            case .checkout(let event)?:
                guard let response = event.respond(succeeded.status, in: state) else { return nil }
                outcome = response
            default: return nil
            }
        case .empty: outcome = .empty(status: succeeded.status)
        case .undecodable(let raw): outcome = .undecodable(status: succeeded.status, raw: raw)
        }
        return .requestEnded(
            succeeded.effect,
            outcome,
            durationMilliseconds: succeeded.durationMilliseconds,
            retryAt: state.lastAt
        )
    }
}
