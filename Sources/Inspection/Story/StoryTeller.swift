internal import EventLog
internal import SwedbankPay

/// Builds a story from events, one after another.
struct StoryTeller {
    let decider: SessionDecider
    var state: SessionState
    var money: MoneyState { state.money }
    var sentences: [Story.Sentence] = []
    /// The newest event that was more than a poll.
    var lastSign: RecordedEvent?
    /// The sequence numbers of the polls since then.
    var polls: [SequenceNumber] = []
    /// The client actions by identity: the sentence about the request, the action, and when it was
    /// requested.
    var asked: [ActionID: (sentence: Int, step: Story.ClientStep, at: Instant)] = [:]
    /// The sentences about a failing request and about failing polls, as long as the failures
    /// continue.
    var failedRequest: Int?
    var failedPolls: Int?
    /// The sentence about a request that was in progress when the engine stopped, and is not known
    /// to have taken effect.
    var interruption: Int?
    /// The sentences about the newest failed attempt and the newest abort request, to which later
    /// events are added.
    var failedAttempt: Int?
    var abort: Int?
    /// The request that the newest response with the order answered.
    var orderSource: Rel?
    /// The sequence numbers of the requests that start a payment.
    var starts: [SequenceNumber] = []
    /// When the payer was last sent to another app, until they return.
    var leftAt: Instant?
    /// The sequence number of the newest event about the outcome, the standing problem or the open
    /// actions.
    var newestEvidence: SequenceNumber = 0

    /// The shortest quiet period that gets a sentence.
    static let silence = Duration.seconds(10)
    /// The shortest time for which the payer must hesitate to choose before that gets a sentence.
    static let hesitation = Duration.seconds(60)

    init(session: SessionID, decider: SessionDecider) {
        self.decider = decider
        state = SessionState(session: session)
    }

    mutating func add(_ recorded: RecordedEvent) {
        let before = state
        let isPoll = recorded.event.isPoll
        if isPoll {
            polls.append(recorded.sequence)
        } else {
            describeSilence(until: recorded.at, before, follows: recorded.event)
        }
        state.apply(recorded.event, at: recorded.at)
        recordResolution(recorded, before)
        describe(recorded, before)
        guard !isPoll else { return }
        lastSign = recorded
        polls = []
    }

    /// Ends the story, including the polls since the newest event.
    mutating func finish() {
        switch money.standing {
        case .unknown, .underWay: forbidNewAttempts()
        case .none, .intended, .confirmed: break
        }
        guard state.outcome == nil, !polls.isEmpty else { return }
        describeSilence(until: state.lastAt, state, follows: nil)
    }

    /// While money is or may be taken, ensures that no sentence about an earlier failure recommends
    /// paying again.
    private mutating func forbidNewAttempts() {
        let guidance = decider.guidance(for: state)
        for index in sentences.indices {
            switch sentences[index].fact {
            case .attemptFailed(let tried, let problem, let advice):
                sentences[index].fact = .attemptFailed(
                    tried,
                    problem,
                    advice.guided(by: guidance)
                )
            case .problem(let problem, let advice):
                sentences[index].fact = .problem(problem, advice.guided(by: guidance))
            default: break
            }
        }
    }

    mutating func say(
        _ fact: Story.Fact,
        _ recorded: RecordedEvent,
        also earlier: [SequenceNumber] = []
    ) {
        sentences.append(
            Story.Sentence(
                at: recorded.at,
                fact: fact,
                sequences: earlier + [recorded.sequence]
            )
        )
    }

    /// Adds an event to a sentence, if that exists.
    mutating func add(_ sequence: SequenceNumber, to index: Int?) {
        guard let index, sentences.indices.contains(index),
            !sentences[index].sequences.contains(sequence)
        else { return }
        sentences[index].sequences.append(sequence)
    }

    private mutating func describeSilence(
        until instant: Instant,
        _ before: SessionState,
        follows event: SessionEvent?
    ) {
        guard let lastSign, before.outcome == nil, instant - lastSign.at >= Self.silence else {
            return
        }
        // The time until a client reports, and the pauses between retries, are part of other
        // sentences.
        if let event, let action = event.answeredAction, let question = asked[action],
            question.sentence == sentences.count - 1
        {
            return
        }
        if failedRequest != nil || failedPolls != nil { return }
        if case .operationFailed = event { return }
        let awaited = awaited(in: before)
        guard awaited != .choice || instant - lastSign.at >= Self.hesitation else { return }
        sentences.append(
            Story.Sentence(
                at: lastSign.at,
                fact: .silence(
                    awaited,
                    instant - lastSign.at,
                    polls: polls.count
                ),
                sequences: [lastSign.sequence] + polls
            )
        )
    }

    /// What the session waits for in a state.
    private func awaited(in state: SessionState) -> Story.Silence {
        if let action = state.actions.last(where: \.isOpen) {
            return .client(Story.ClientStep(action.kind))
        }
        if let running = state.running { return .response(running.start.rel) }
        if state.isStalled { return .support }
        if state.isOverdue { return .signOfLife }
        if state.payment?.page != nil || state.checkout?.left == .completed { return .pageResult }
        if let attempt = state.payment?.attempt {
            return .payerElsewhere(attempt.choice.instrument)
        }
        return state.offers.isEmpty ? .psp : .choice
    }
}

extension StoryTeller {
    /// Adds one event to the story.
    private mutating func describe(_ recorded: RecordedEvent, _ before: SessionState) {
        switch recorded.event {
        case .refetchRequested(let refetch):
            say(.takenInAgain(by: refetch.by, isOrder: before.checkout != nil), recorded)
        case .methodsOffered(let offered): describe(offered, before, recorded)
        case .attemptStarted(let started):
            failedAttempt = nil
            leftAt = nil
            let isPreset =
                before.payment?.preferencesUsed == false
                && before.payment?.opening?.preferences.isEmpty == false
            say(
                .attempt(
                    number: started.number,
                    started.choice,
                    isPreset: isPreset,
                    hasBegun: false
                ),
                recorded
            )
        case .operationStarted(let started): describe(started, recorded)
        case .operationSucceeded(let succeeded): describe(succeeded, recorded)
        case .operationFailed(let failed): describe(failed, before, recorded)
        case .problem(let problem): describe(problem, before, recorded)
        case .problemAcknowledged(let acknowledged):
            add(recorded.sequence, to: failedAttempt)
            if !acknowledged.accepted { say(.notAcknowledged, recorded) }
        case .retryRequested(let retry):
            (failedRequest, failedPolls) = (nil, nil)
            say(.retryAsked(by: retry.by), recorded)
        case .abortRequested(let request):
            abort = sentences.count
            say(.abortAsked(by: request.by, isTaken: false), recorded)
        case .callbackReceived:
            // Whether the callback came first is only relevant for a payer who was redirected and
            // has not returned.
            say(.calledBack(beforeReturn: leftAt != nil), recorded)
        case .returned(let returned):
            say(.returned(returned.form, after: leftAt.map { recorded.at - $0 }), recorded)
            leftAt = nil
        case .completed, .canceled, .expired, .failed: describeEnd(recorded, before)
        case .checkout(.orderFetched(let fetched)):
            orderSource = fetched.cause
            describeOrder(before, recorded)
        case .checkout(.orderConfirmed(let confirmed)): describe(confirmed, recorded)
        case .checkout(.transactionRequested(let request)): describe(request, before, recorded)
        default: describe(EventDescription(recorded.event).story, recorded)
        }
    }

    private mutating func describe(
        _ offered: MethodsOffered,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        var instruments: [Instrument] = []
        for method in offered.methods where !instruments.contains(method.instrument) {
            instruments.append(method.instrument)
        }
        guard Set(instruments) != Set(before.offers.map(\.instrument)) else { return }
        say(.offered(instruments), recorded)
    }

    private mutating func describeEnd(_ recorded: RecordedEvent, _ before: SessionState) {
        newestEvidence = recorded.sequence
        // A successful poll would have ended the series.
        endTrouble(polling: true, .gaveUp, recorded)
        endTrouble(polling: false, .movedOn, recorded)
        let mayBePaid = money.standing == .unknown
        let evidence = polls.last.map { [$0] } ?? []
        switch recorded.event {
        case .completed(let completed):
            say(
                .ended(
                    .paid(
                        completed.evidence,
                        with: state.payment == nil ? nil : money.paidWith,
                        isPayerAway: leftAt != nil
                    )
                ),
                recorded,
                also: evidence
            )
        case .canceled(let canceled):
            say(.ended(.canceled(canceled.by)), recorded, also: evidence)
        case .expired(let expired):
            say(.ended(.expired(expired.reason, mayBePaid: mayBePaid)), recorded)
        case .failed(let failed):
            if failed.isByHand {
                say(.ended(.closed(mayBePaid: mayBePaid)), recorded)
                return
            }
            say(
                .ended(.failed(failed.reason, host: failed.host, mayBePaid: mayBePaid)),
                recorded
            )
        default: break
        }
    }
}

extension SessionEvent {
    /// Whether the event only records the result of a poll, or its failure.
    fileprivate var isPoll: Bool {
        switch self {
        case .fetched(let fetched): fetched.cause.onlyReads
        // A changed order has a sentence, and so has an unreadable response.
        case .checkout(.orderFetched(let fetched)):
            fetched.cause.onlyReads && fetched.order == nil
        case .operationSucceeded(let succeeded):
            succeeded.rel.onlyReads && succeeded.content == .empty
        default: false
        }
    }

    /// The client action on which the event reports, or whose page the client shows.
    fileprivate var answeredAction: ActionID? {
        switch EventDescription(self).story {
        case .reported(let action, _), .shown(let action): action
        case .nothing, .fact, .question: nil
        }
    }
}
