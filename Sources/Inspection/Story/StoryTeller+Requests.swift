internal import EventLog
internal import SwedbankPay
internal import Workflow

/// Describes requests to the PSP: what was started, what failed, and how that ended.
extension StoryTeller {
    /// The current sentence about a failing request, and its content.
    ///
    /// Polls have a series of failures of their own, even while the outcome of a request that
    /// changes something is unknown.
    private func trouble(looking isLook: Bool) -> (index: Int, told: Story.Trouble)? {
        guard let index = isLook ? failedLooks : failedRequest,
            case .trouble(let told) = sentences[index].fact
        else { return nil }
        return (index, told)
    }

    mutating func tell(_ started: OperationStarted, _ recorded: RecordedEvent) {
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
        guard let (_, told) = trouble(looking: false), told.rel != started.rel else { return }
        endTrouble(looking: false, .movedOn, recorded)
    }

    mutating func tell(_ succeeded: OperationSucceeded, _ recorded: RecordedEvent) {
        if let (_, told) = trouble(looking: false), told.rel == succeeded.rel {
            endTrouble(looking: false, told.isUncertain ? .sentAgain : .answered, recorded)
        }
        if case .undecodable = succeeded.content { say(.unreadable(succeeded.rel), recorded) }
        switch succeeded.rel {
        case .startPaymentAttempt: tellBeginning(recorded)
        case .abortPayment:
            guard let abort, case .abortAsked(let who, _) = sentences[abort].fact else { return }
            sentences[abort].fact = .abortAsked(by: who, isTaken: true)
            add(recorded.sequence, to: abort)
        case .failPaymentAttempt: say(.failureTold, recorded)
        case .acknowledgeFailedAttempt: add(recorded.sequence, to: failedAttempt)
        default: break
        }
    }

    /// Adds that the PSP started the payment, within the sentence about the choice if it is the
    /// last one.
    private mutating func tellBeginning(_ recorded: RecordedEvent) {
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

    mutating func tell(
        _ failed: OperationFailed,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        newestWord = recorded.sequence
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
        let isLook = failed.rel.onlyReads
        // Polls count as one series, whatever address they use.
        if let (index, told) = trouble(looking: isLook), isLook || told.rel == failed.rel {
            var told = told
            told.add(failed, at: recorded.at)
            sentences[index].fact = .trouble(told)
            add(recorded.sequence, to: index)
        } else {
            var fresh = Story.Trouble(rel: failed.rel, lastAt: recorded.at)
            fresh.add(failed, at: recorded.at)
            if isLook { failedLooks = sentences.count } else { failedRequest = sentences.count }
            say(.trouble(fresh), recorded)
        }
        guard failed.retryAt == nil else { return }
        endTrouble(looking: isLook, failed.status == nil ? .gaveUp : .refused, recorded)
    }

    private var openInterruption: (index: Int, rel: Rel, gap: Duration, isRead: Bool)? {
        guard let index = interruption,
            case .interrupted(let rel, let gap, nil, let isRead) = sentences[index].fact
        else { return nil }
        return (index, rel, gap, isRead)
    }

    /// Records that the session was read: sentences about requests with an unknown outcome depend
    /// on that, too.
    private mutating func noteReading(_ recorded: RecordedEvent) {
        if let (index, rel, gap, isRead) = openInterruption, !isRead {
            sentences[index].fact = .interrupted(rel, gap, nil, isRead: true)
            add(recorded.sequence, to: index)
        }
        if let (index, told) = trouble(looking: false), !told.isRead {
            var told = told
            told.isRead = true
            sentences[index].fact = .trouble(told)
            add(recorded.sequence, to: index)
        }
    }

    /// Records what polls and other responses show about requests with an unknown outcome.
    mutating func noteResolution(_ recorded: RecordedEvent, _ before: SessionState) {
        switch recorded.event {
        case .fetched(let fetched): if fetched.cause.onlyReads { noteReading(recorded) }
        case .checkout(.orderFetched(let fetched)) where fetched.cause.onlyReads:
            noteReading(recorded)
        default: return
        }
        endTrouble(looking: true, .answered, recorded)
        guard let attempt = before.payment?.attempt, attempt.mayHaveStarted, !attempt.isStarted,
            state.payment?.attempt?.isStarted == true
        else { return }
        if let (index, rel, gap, isRead) = openInterruption {
            interruption = nil
            sentences[index].fact = .interrupted(rel, gap, .tookEffect, isRead: isRead)
            add(recorded.sequence, to: index)
        }
        if let (_, told) = trouble(looking: false), told.rel == .startPaymentAttempt {
            endTrouble(looking: false, .tookEffect, recorded)
        }
    }

    /// Ends the current series of failures, if there is one.
    mutating func endTrouble(
        looking isLook: Bool,
        _ ending: Story.Ending,
        _ recorded: RecordedEvent
    ) {
        guard let (index, told) = trouble(looking: isLook) else { return }
        if isLook { failedLooks = nil } else { failedRequest = nil }
        var ended = told
        ended.ending = ending
        ended.endedAt = recorded.at
        sentences[index].fact = .trouble(ended)
        add(recorded.sequence, to: index)
    }
}

extension StoryTeller {
    mutating func tell(
        _ problem: Problem,
        _ before: SessionState,
        _ recorded: RecordedEvent
    ) {
        newestWord = recorded.sequence
        if problem.kind == .requestFailed {
            endTrouble(looking: true, .gaveUp, recorded)
            endTrouble(looking: false, .gaveUp, recorded)
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
        let evidence = looks.last.map { [$0] } ?? []
        say(
            .attemptFailed(number: before.payment?.begunAttempt ?? 0, problem, advice),
            recorded,
            also: evidence
        )
    }

    /// Removes a sentence about a request that failed permanently, when the problem that it caused
    /// says the same.
    private mutating func absorbedRefusal(by problem: Problem) -> [Int64] {
        guard let last = sentences.last, case .trouble(let told) = last.fact, told.count == 1,
            told.ending == .refused, told.rel == problem.rel
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
    }
}

extension SessionEvent {
    /// Whether the event says that the engine stopped while a request was under way.
    var isInterruption: Bool {
        guard case .operationFailed(let failed) = self else { return false }
        return failed.isInterruption
    }
}
