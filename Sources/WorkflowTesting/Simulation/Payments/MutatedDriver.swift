public import EventLog
public import SwedbankPay
public import Workflow

/// A driver of payments that replaces the statements about their money.
public protocol MoneyReporter: CoreDriver<SessionDecider> {
    /// Returns the statement about the money of a session.
    func reportedMoney(of state: SessionState) -> MoneyState
}

/// An engine core that is broken in one way.
public struct MutatedDriver: CoreDriver, MoneyReporter {
    /// The defect.
    public let mutation: Mutation
    private var sent: [EffectID: OperationRequest] = [:]
    private var requests: [SessionID: Int] = [:]
    private var ledgers: [SessionID: SessionRequests] = [:]
    /// The session whose payer has to decide first, and the polls that wait for that.
    private var awaited: SessionID?
    private var held: [(session: SessionID, request: OperationRequest)] = []

    /// Creates a driver that breaks the cores it drives.
    public init(_ mutation: Mutation) { self.mutation = mutation }

    /// Passes the input to the core, or what the mutation makes of it.
    public mutating func handle(
        _ input: EngineInput<SessionDecider>,
        at now: Instant,
        in core: inout EngineCore<SessionDecider>
    ) -> [EngineAction<SessionDecider>] {
        if case .command(let session, _, let number, _) = input { requests[session] = number }
        if mutation == .resendTooSoon {
            core.rules.limits.requestDeadline = .zero
            core.rules.limits.cardRequestDeadline = .zero
            core.rules.limits.settling = .zero
        }
        if let instead = replacing(input) { return instead }
        var actions = core.handle(bent(input), at: now)
        if mutation == .queueWithoutEnd, case .command = input {
            core.limits.queuedInputs = .max
            for _ in 0..<100 { actions += core.handle(input, at: now) }
        }
        if mutation == .giveUpEarly {
            for case .perform(let session, let request) in actions where !request.onlyReads {
                let failed = ProviderResponse.Outcome.failed(
                    reach: .notSent,
                    code: "http.timeout",
                    isTransient: true
                )
                actions += core.handle(
                    .requestEnded(session, request.id, failed, durationMilliseconds: 0),
                    at: now
                )
            }
        }
        return actions.flatMap { bent($0, core) }
    }

    /// Returns the record, or what the mutation makes of it.
    public func stored(_ record: StoredRecord) -> StoredRecord {
        guard mutation == .spoilSeals else { return record }
        var spoilt = record
        spoilt.seals = record.seals.map { $0.reversed() }
        return spoilt
    }

    /// Whether the store assigns the log positions of records before their commit.
    public var assignsPositionsEarly: Bool { mutation == .assignPositionsEarly }

    /// Returns what the engine hears of others, or what the mutation makes of it.
    public func heard(_ changes: StoreChanges) -> StoreChanges {
        guard mutation == .readOnePage else { return changes }
        return StoreChanges(cursor: changes.cursor, heads: changes.heads, isComplete: true)
    }

    /// Returns what the engine believes to have of a session, or what the mutation makes of it.
    public func remembers(_ memory: Following.Memory) -> Following.Memory {
        mutation == .overlookWhileLoading ? .nothing : memory
    }

    /// Returns the statement about the money, or what the mutation makes of it.
    public func reportedMoney(of state: SessionState) -> MoneyState {
        var money = state.money
        switch mutation {
        case .forgetOtherDevice where money.standing == .underWay && state.payment?.attempt == nil:
            money.standing = .intended
        case .forgetDoubt where money.standing == .unknown && state.outcome == nil:
            let newest = Int(state.attemptCount)
            if money.doubts.allSatisfy({ ($0.attempt ?? newest) < newest }) {
                money.standing = .intended
            }
        case .skipLastReading where money.standing == .unknown && state.outcome == .expired,
            .endOnEarlierResponse where money.standing == .unknown && state.outcome == .expired:
            money.standing = .none
        case .countOrdered where money.taken?.net != nil: money.taken?.net = 10_000
        case .letFirstConfirmationWin where money.standing == .none:
            if let confirmed = state.confirmation {
                money.standing = .confirmed
                money.taken = TakenMoney(evidence: .order, net: confirmed.amount)
            }
        case .letStatusWin:
            switch state.checkout?.order?.status {
            case .reversed?: money.taken?.net = 0
            case .failed?: money.standing = .none
            default: break
            }
        case .forgetRequestedRefund: money.requested = []
        case .ignoreReversal:
            if let taken = money.taken, let net = taken.net {
                money.taken?.net = net + (taken.reversed ?? 0)
            }
        default: break
        }
        return money
    }

    /// Returns whether a log is driven, or what the mutation makes of it.
    public func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool {
        var proof = proof
        switch mutation {
        case .trustAnyRecord: return true
        case .overlookCutEnd: return log.allSatisfy { proof.accepts($0) }
        default: return log.allSatisfy { proof.accepts($0) } && proof.isWhole
        }
    }

    /// Returns whether a row is corrected, or what the mutation makes of it.
    public func corrects(_ row: SessionSummary, due: Instant) -> Bool {
        mutation != .believeRow && !row.agreesOnDue(with: due)
    }

    private func key(_ session: SessionID, _ effect: EffectID) -> EffectID {
        EffectID(rawValue: "\(session).\(effect.rawValue)")
    }

    /// The actions that replace passing an input to the core.
    private func replacing(_ input: EngineInput<SessionDecider>) -> [EngineAction<SessionDecider>]?
    {
        guard case .requestEnded(let session, let effect, let outcome, _) = input,
            let request = sent[key(session, effect)]
        else { return nil }
        switch (mutation, outcome) {
        case (.repeatBlindly, .failed(.maybeSent, _, _)) where !request.onlyReads:
            return [.perform(session, request)]
        case (.pollWithoutPause, .snapshot) where request.isPoll:
            return [.perform(session, request)]
        default: return nil
        }
    }

    private func bent(_ input: EngineInput<SessionDecider>) -> EngineInput<SessionDecider> {
        switch (mutation, input) {
        case (.lockForever, .command(let session, let asked, let number, let cause)):
            guard case .command(.checkout(.transact(var request, let currency))) = asked else {
                return input
            }
            request.again = false
            return .command(
                session,
                .command(.checkout(.transact(request, currency: currency))),
                number: number,
                cause: cause
            )
        case (.takeLostForUnsent, .requestEnded(let session, let effect, let outcome, let duration)):
            guard case .failed(.maybeSent, let code, _) = outcome else { return input }
            return .requestEnded(
                session,
                effect,
                .failed(reach: .notSent, code: code, isTransient: true),
                durationMilliseconds: duration
            )
        case (.believeAnything, .requestEnded(let session, let effect, .refused, let duration)):
            return .requestEnded(
                session,
                effect,
                .snapshot(.paid, status: 200),
                durationMilliseconds: duration
            )
        case (
            .takeForeign,
            .requestEnded(
                let session,
                let effect,
                .snapshot(var snapshot, let status),
                let duration
            )
        ):
            snapshot.urls.complete = "https://shop.example/complete"
            return .requestEnded(
                session,
                effect,
                .snapshot(snapshot, status: status),
                durationMilliseconds: duration
            )
        case (.forgetStartAfterCrash, .loaded(var state, let isWatched)):
            guard state.running != nil, let ledger = ledgers[state.session] else { return input }
            state.progress.requests = ledger
            return .loaded(state, isWatched: isWatched)
        case (.dropConflict, .appendFailed(let session, .conflict)): return .appended(session)
        case (.ignoreLease, .lease(let session, false)): return .lease(session, granted: true)
        default: return input
        }
    }

    private mutating func bent(
        _ action: EngineAction<SessionDecider>,
        _ core: EngineCore<SessionDecider>
    ) -> [EngineAction<SessionDecider>] {
        switch (mutation, action) {
        case (.performBeforeAppend, .append(let append)):
            guard var state = core.state(of: append.session) else { return [action] }
            for event in append.events {
                if case .operationStarted(let started) = event,
                    case .request(let request)? = core.rules.pendingEffects(of: state).first,
                    request.id == started.effect
                {
                    return [.perform(append.session, request), action]
                }
                state.apply(event, at: append.at)
            }
            return [action]
        case (.acknowledgeBeforeDurable, .append(let append)):
            guard var state = core.state(of: append.session),
                let number = requests.removeValue(forKey: append.session)
            else { return [action] }
            for event in append.events { state.apply(event, at: append.at) }
            return [.reply(number, .accepted(state)), action]
        case (.forgetEvent, .publish(var state, let before)):
            state.progress.requests.countUnusableResponse()
            return [.publish(state, sequenceBefore: before)]
        case (.tellSecret, .append(var append)):
            append.cause = SimulatedSecrets.mark + append.cause
            return [.append(append)]
        case (.skipLastReading, .append(var append)):
            append.events = append.events.map(\.endingUnread)
            return [.append(append)]
        case (.endOnEarlierResponse, .append(var append)):
            guard let response = core.state(of: append.session)?.money.asOf,
                append.at - response <= .seconds(60)
            else { return [action] }
            append.events = append.events.map(\.endingUnread)
            return [.append(append)]
        case (.forgetStartAfterCrash, .append(let append)):
            guard var state = core.state(of: append.session) else { return [action] }
            for event in append.events {
                if case .operationStarted = event { ledgers[append.session] = state.requests }
                state.apply(event, at: append.at)
            }
            return [action]
        case (.startDespiteUnknown, .append(var append)):
            guard var started = core.state(of: append.session)?.running?.start,
                append.events.contains(where: \.leavesOutcomeUnknown)
            else { return [action] }
            started.effect = EffectID(rawValue: started.effect.rawValue + "-again")
            append.events.append(.operationStarted(started))
            return [.append(append)]
        case (.loseWakeUps, .wake): return []
        case (.goOnAfterTheEnd, .publish(let state, _)):
            guard state.outcome != nil,
                let request = sent[key(state.session, EffectID(rawValue: "e-1"))]
            else { return [action] }
            return [action, .perform(state.session, request)]
        case (.waitForOthers, _): return inTurn(action)
        case (_, .perform(let session, let request)):
            sent[key(session, request.id)] = request
            return [action]
        default: return [action]
        }
    }

    /// Polls one session until it has ended, and holds the polls of all others meanwhile.
    private mutating func inTurn(
        _ action: EngineAction<SessionDecider>
    ) -> [EngineAction<SessionDecider>] {
        switch action {
        case .perform(let session, let request) where request.isPoll:
            guard awaited == nil || awaited == session else {
                held.append((session, request))
                return []
            }
            awaited = session
        case .cancel(let session, let effect):
            held.removeAll { $0.session == session && $0.request.id == effect }
        case .publish(let state, _):
            let isPaying = state.payment?.attempt?.isOverdue == false
            guard awaited == state.session, !isPaying else { break }
            awaited = held.first?.session
            guard !held.isEmpty else { break }
            let next = held.removeFirst()
            return [action, .perform(next.session, next.request)]
        default: break
        }
        return [action]
    }
}

extension SessionEvent {
    /// Whether the outcome of a request is unknown after this event.
    fileprivate var leavesOutcomeUnknown: Bool {
        guard case .operationFailed(let failed) = self else { return false }
        return failed.reach == .maybeSent && !failed.rel.onlyReads && failed.retryAt != nil
    }
    /// The session's end, in place of the last reading before it.
    fileprivate var endingUnread: SessionEvent {
        guard case .refetchRequested(let asked) = self, asked.by == "engine" else { return self }
        return .expired(Expired(reason: .lifetime))
    }
}
