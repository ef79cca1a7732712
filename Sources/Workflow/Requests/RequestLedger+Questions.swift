public import EventLog

/// What rules and engine ask before they send.
extension RequestLedger {
    /// The identity of the next request that changes something.
    ///
    /// Asked only while none is under way.
    public var nextChange: EffectID {
        precondition(inFlight == nil, "a request beside \(String(describing: inFlight))")
        return EffectID(rawValue: "e-\(startCount + 1)")
    }

    /// The identity of the next reading.
    public var nextReading: EffectID { EffectID(rawValue: "r-\(readCount + 1)") }

    /// The request to send next in a workflow that wants one change: a reading while there is a need to reconcile, else the
    /// change; nil while a request is in flight.
    public var nextRequest: (id: EffectID, onlyReads: Bool, notBefore: Instant?)? {
        guard inFlight == nil else { return nil }
        guard let need else { return (nextChange, false, failures?.last.retryAt) }
        return (nextReading, true, readFailures?.last.retryAt ?? need.readableFrom)
    }

    /// Whether an outcome of that request is waited for: it is in flight, or the one that comes next, which is how readings go.
    public func awaits(_ effect: EffectID, next: EffectID?) -> Bool {
        inFlight.map { $0.start.effect == effect } ?? (next == effect)
    }

    /// Tries of a kind of request that failed in a row, when it is the one that failed last.
    public func failures(of kind: Kind) -> FailedTries? {
        failures.flatMap { $0.last.kind == kind ? $0 : nil }
    }

    /// How often a kind of request succeeded in a row, when it is the one that succeeded last.
    public func repetition(of kind: Kind) -> Repetition? {
        repetition.flatMap { $0.kind == kind ? $0 : nil }
    }

    /// The number of the next try to read, counted from 1.
    public var nextReadTry: Int { (readFailures?.count ?? 0) + 1 }

    /// How many tries of a request failed before this one.
    public func failedTries(ofReading isReading: Bool) -> Int {
        (isReading ? readFailures : failures)?.count ?? 0
    }

    /// Whether anything is tried again by itself.
    public var awaitsRetry: Bool {
        failures?.last.retryAt != nil || readFailures?.last.retryAt != nil
    }

    /// The failure after which the next request waits for its time, where it waits.
    public var failureBeforeRetry: Failure? {
        let tries = need == nil ? failures : readFailures ?? failures
        return tries.flatMap { $0.last.retryAt == nil ? nil : $0.last }
    }

    /// Whether the answer to a reading came after that time.
    public func wasRead(after instant: Instant) -> Bool {
        lastAnswerAt.map { $0 > instant } ?? false
    }

    /// From when on the other side is to be read before a request of that kind is sent; nil when it need not be.
    ///
    /// A process left such a request behind, and no answer can have shown yet what came of it.
    public func readableFrom(before kind: Kind) -> Instant? {
        guard let leftBehind, leftBehind.kind == kind else { return nil }
        let isShown = lastAnswerAt.map { $0 >= leftBehind.readableFrom } ?? false
        return isShown ? nil : leftBehind.readableFrom
    }

    /// Whether and when the next reading may leave.
    ///
    /// - Parameters:
    ///   - earliest: The time that the workflow gives it; nil when it has none.
    ///   - pause: The wait after an answer that could not be used.
    ///   - now: When the last event was recorded.
    ///   - bound: How often and how long readings that failed in this way are tried.
    public func reading(
        from earliest: Instant?,
        pause: Duration,
        at now: Instant,
        within bound: (FailedTries) -> RetryBound
    ) -> Reading {
        if let readFailures, readFailures.isExhausted(within: bound(readFailures)) {
            return .exhausted(readFailures)
        }
        guard unusableAnswers < Self.unusableAnswerLimit else { return .unusable }
        return .due([earliest, readFailures?.last.retryAt, afterUnusable(pause, at: now)].latest)
    }

    /// A pause after the newest answer, or after the newest event until there is one.
    public func afterLastAnswer(_ pause: Duration, at now: Instant) -> Instant {
        (lastAnswerAt ?? now) + pause
    }

    /// When something may be sent after an answer that could not be used; nil after any other.
    public func afterUnusable(_ pause: Duration, at now: Instant) -> Instant? {
        unusableAnswers > 0 ? now + pause : nil
    }

    /// How many answers in a row may say nothing before that is a problem.
    static var unusableAnswerLimit: Int { 2 }

    /// Whether and when the next reading may leave.
    public enum Reading: Hashable, Sendable {
        /// From that time on; nil means at once.
        case due(Instant?)
        /// It failed too often, or for too long.
        case exhausted(FailedTries)
        /// The answers don't say how things stand.
        case unusable
    }

    /// When to read again because something may have changed.
    ///
    /// - Parameters:
    ///   - now: When the last event was recorded; counts until there is an answer.
    ///   - pace: How fast readings follow each other.
    public func nextPoll(at now: Instant, _ pace: PollPace) -> Instant {
        if let retryAt = readFailures?.last.retryAt { return retryAt }
        let last = lastAnswerAt ?? now
        return last + pace.pause(after: last - (pollingSince ?? last))
    }
}

extension RequestLedger.InFlight {
    /// When the other side shows what came of the request, whose process is gone.
    ///
    /// - Parameters:
    ///   - retryAt: When to go on by the schedule of retries.
    ///   - deadline: How long the request may take.
    ///   - settling: How long it may still take effect after that.
    public func readableFrom(
        _ retryAt: Instant,
        deadline: Duration,
        settling: Duration
    ) -> Instant {
        max(retryAt, at + (deadline + settling))
    }
}

extension RequestLedger.FailedTries {
    /// Whether the request has had its tries or its time, or is not tried again at all.
    public func isExhausted(within bound: RetryBound) -> Bool {
        guard last.retryAt != nil else { return true }
        if count >= bound.tries { return true }
        return count >= bound.leastTries && lastAt - since >= bound.time
    }
}

extension Sequence<Instant?> {
    /// The latest; nil when there is none.
    package var latest: Instant? { lazy.compactMap { $0 }.max() }
}
