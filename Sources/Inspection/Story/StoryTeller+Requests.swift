internal import EventLog
internal import SwedbankPay
internal import Workflow

/// Describes requests to the PSP: what was started, what failed, and how that ended.
extension StoryTeller {
    /// The current sentence about a failing request, and its content.
    ///
    /// Polls have a series of failures of their own, even while the outcome of a request that
    /// changes something is unknown.
    private func trouble(polling isPoll: Bool) -> (index: Int, known: Story.Trouble)? {
        guard let index = isPoll ? failedPolls : failedRequest,
            case .trouble(let known) = sentences[index].fact
        else { return nil }
        return (index, known)
    }

    mutating func describe(_ started: OperationStarted, _ recorded: RecordedEvent) {
        // When creating the order charges, that request starts the payment.
        let charges = started.rel == .paymentOrders && state.checkout?.chargesAtCreation == true
        if started.rel == .startPaymentAttempt || charges { starts.append(recorded.sequence) }
        if let (index, rel, gap, isRead) = openInterruption {
            interruption = nil
            let ending: Story.Ending = rel == started.rel ? .sentAgain : .movedOn
            sentences[index].fact = .interrupted(rel, gap, ending, isRead: isRead)
            add(recorded.sequence, to: index)
        }
        // Sent again, after the session showed that the first had no effect: the same series of
        // failures continues.
        guard let (_, known) = trouble(polling: false), known.rel != started.rel else { return }
        endTrouble(polling: false, .movedOn, recorded)
    }

    mutating func describe(_ succeeded: OperationSucceeded, _ recorded: RecordedEvent) {
        if let (_, known) = trouble(polling: false), known.rel == succeeded.rel {
            endTrouble(polling: false, known.isUncertain ? .sentAgain : .responded, recorded)
        }
        if case .undecodable = succeeded.content { say(.unreadable(succeeded.rel), recorded) }
        switch succeeded.rel {
        case .startPaymentAttempt: describeStart(recorded)
        case .abortPayment:
            guard let abort, case .abortAsked(let who, _) = sentences[abort].fact else { return }
            sentences[abort].fact = .abortAsked(by: who, isTaken: true)
            add(recorded.sequence, to: abort)
        case .failPaymentAttempt: say(.failureTold, recorded)
        case .acknowledgeFailedAttempt: add(recorded.sequence, to: failedAttempt)
        default: break
        }
    }

    /// Adds that the PSP started the payment, within the sentence about the choice if nothing else
    /// was known since.
    private mutating func describeStart(_ recorded: RecordedEvent) {
        let number = state.payment?.attempt?.number ?? state.attemptCount
        guard let last = sentences.indices.last,
            case .attempt(number, let choice, let isPreset, _) = sentences[last].fact
        else {
            say(.begun(attempt: number), recorded)
            return
        }
        sentences[last].fact = .attempt(
            number: number,
            choice,
            isPreset: isPreset,
            hasBegun: true
        )
        add(recorded.sequence, to: last)
    }

    mutating func describe(
        _ failed: OperationFailed,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        newestEvidence = recorded.sequence
        if recorded.event.isInterruption {
            let since = before.running?.at ?? before.lastAt
            interruption = sentences.count
            say(
                .interrupted(failed.rel, recorded.at - since, nil, isRead: false),
                recorded,
                also: before.requests.inFlight.map { [$0.sequence] } ?? []
            )
            return
        }
        let isPoll = failed.rel.onlyReads
        // Polls count as one series, whatever address they use.
        if let (index, known) = trouble(polling: isPoll), isPoll || known.rel == failed.rel {
            var known = known
            known.add(failed, at: recorded.at)
            sentences[index].fact = .trouble(known)
            add(recorded.sequence, to: index)
        } else {
            var fresh = Story.Trouble(rel: failed.rel, lastAt: recorded.at)
            fresh.add(failed, at: recorded.at)
            if isPoll { failedPolls = sentences.count } else { failedRequest = sentences.count }
            say(.trouble(fresh), recorded)
        }
        guard failed.retryAt == nil else { return }
        endTrouble(polling: isPoll, failed.status == nil ? .gaveUp : .refused, recorded)
    }

    private var openInterruption: (index: Int, rel: Rel, gap: Duration, isRead: Bool)? {
        guard let index = interruption,
            case .interrupted(let rel, let gap, nil, let isRead) = sentences[index].fact
        else { return nil }
        return (index, rel, gap, isRead)
    }

    /// Records that the session was read: sentences about requests with an unknown outcome depend
    /// on that, too.
    private mutating func recordReading(_ recorded: RecordedEvent) {
        if let (index, rel, gap, isRead) = openInterruption, !isRead {
            sentences[index].fact = .interrupted(rel, gap, nil, isRead: true)
            add(recorded.sequence, to: index)
        }
        if let (index, known) = trouble(polling: false), !known.isRead {
            var known = known
            known.isRead = true
            sentences[index].fact = .trouble(known)
            add(recorded.sequence, to: index)
        }
    }

    /// Records what polls and other responses show about requests with an unknown outcome.
    mutating func recordResolution(_ recorded: RecordedEvent, _ before: SessionState) {
        switch recorded.event {
        case .fetched(let fetched): if fetched.cause.onlyReads { recordReading(recorded) }
        case .checkout(.orderFetched(let fetched)) where fetched.cause.onlyReads:
            recordReading(recorded)
        default: return
        }
        endTrouble(polling: true, .responded, recorded)
        guard let attempt = before.payment?.attempt, attempt.mayHaveStarted, !attempt.isStarted,
            state.payment?.attempt?.isStarted == true
        else { return }
        if let (index, rel, gap, isRead) = openInterruption {
            interruption = nil
            sentences[index].fact = .interrupted(rel, gap, .tookEffect, isRead: isRead)
            add(recorded.sequence, to: index)
        }
        if let (_, known) = trouble(polling: false), known.rel == .startPaymentAttempt {
            endTrouble(polling: false, .tookEffect, recorded)
        }
    }

    /// Ends the current series of failures, if there is one.
    mutating func endTrouble(
        polling isPoll: Bool,
        _ ending: Story.Ending,
        _ recorded: RecordedEvent
    ) {
        guard let (index, known) = trouble(polling: isPoll) else { return }
        if isPoll { failedPolls = nil } else { failedRequest = nil }
        var ended = known
        ended.ending = ending
        ended.endedAt = recorded.at
        sentences[index].fact = .trouble(ended)
        add(recorded.sequence, to: index)
    }
}

extension StoryTeller {
    mutating func describe(
        _ problem: Problem,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        newestEvidence = recorded.sequence
        if problem.kind == .requestFailed {
            endTrouble(polling: true, .gaveUp, recorded)
            endTrouble(polling: false, .gaveUp, recorded)
        }
        let advice = decider.advice(
            on: problem,
            instrument: before.payment?.attempt?.choice.instrument
                ?? before.payment?.lastChoice?.instrument
        ).guided(by: decider.guidance(for: state))
        guard problem.origin == .session else {
            say(.problem(problem, advice), recorded, also: absorbedRefusal(by: problem))
            return
        }
        failedAttempt = sentences.count
        leftAt = nil
        let evidence = polls.last.map { [$0] } ?? []
        say(
            .attemptFailed(before.payment?.tried ?? .elsewhere, problem, advice),
            recorded,
            also: evidence
        )
    }

    /// Removes a sentence about a request that failed permanently, because the sentence about its
    /// problem contains the same.
    private mutating func absorbedRefusal(by problem: Problem) -> [SequenceNumber] {
        guard let last = sentences.last, case .trouble(let known) = last.fact, known.count == 1,
            known.ending == .refused, known.rel == problem.rel
        else { return [] }
        sentences.removeLast()
        return last.sequences
    }
}

extension Story.Trouble {
    /// Adds a further failure.
    fileprivate mutating func add(_ failed: OperationFailed, at instant: Instant) {
        count += 1
        lastAt = instant
        retryAt = failed.retryAt
        let hasFailedInside = (failed.status ?? 0) >= 500
        if !failed.rel.onlyReads, failed.reach == .maybeSent || hasFailedInside {
            isUncertain = true
        }
        let cause = Story.Cause(failed)
        if !causes.contains(where: cause.isLike) { causes.append(cause) }
    }
}

extension Story.Cause {
    /// Whether both failed in the same way, regardless of the duration.
    fileprivate func isLike(_ other: Story.Cause) -> Bool {
        code == other.code && status == other.status && reach == other.reach
            && reason == other.reason
    }
}

extension SessionEvent {
    /// Whether the event means that the engine stopped while a request was in progress.
    var isInterruption: Bool {
        guard case .operationFailed(let failed) = self else { return false }
        return failed.isInterruption
    }
}

extension PaymentState {
    /// What a failure that the PSP reports belongs to.
    fileprivate var tried: Story.Tried {
        guard begunAttempt == 0 else { return .attempt(begunAttempt) }
        return isOnlyPaidElsewhere ? .elsewhere : .page
    }
}
