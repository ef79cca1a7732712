public import EventLog

/// Queries that rules and the engine use before they send.
extension RequestLedger {
    /// The identifier of the next request that changes something.
    ///
    /// It may be read only while no such request is in flight.
    public var nextChange: EffectID {
        precondition(inFlight == nil, "a request beside \(String(describing: inFlight))")
        return EffectID(rawValue: "e-\(startCount + 1)")
    }

    /// The identifier of the next read.
    public var nextReading: EffectID { EffectID(rawValue: "r-\(readCount + 1)") }

    /// The request to send next in a workflow with a pending change; `nil` while a request is in
    /// flight.
    ///
    /// It is a read while there is a need to reconcile, otherwise the change.
    public var nextRequest: (id: EffectID, onlyReads: Bool, notBefore: Instant?)? {
        guard inFlight == nil else { return nil }
        guard let need else { return (nextChange, false, failures?.last.retryAt) }
        return (nextReading, true, readFailures?.last.retryAt ?? need.earliestRead)
    }

    /// Whether the outcome of a request is expected: the request is in flight, or it is the next
    /// one, as reads are.
    public func awaits(_ effect: EffectID, next: EffectID?) -> Bool {
        inFlight.map { $0.start.effect == effect } ?? (next == effect)
    }

    /// Consecutive failed tries of a kind of request, if it is the one that failed last.
    public func failures(of kind: Kind) -> FailedTries? {
        failures.flatMap { $0.last.kind == kind ? $0 : nil }
    }

    /// The number of consecutive successes of a kind of request, if it is the one that succeeded
    /// last.
    public func repetition(of kind: Kind) -> Repetition? {
        repetition.flatMap { $0.kind == kind ? $0 : nil }
    }

    /// The number of the next try to read, from 1.
    public var nextReadTry: Int { (readFailures?.count ?? 0) + 1 }

    /// The number of failed tries of the request.
    public func failedTries(ofReading isReading: Bool) -> Int {
        (isReading ? readFailures : failures)?.count ?? 0
    }

    /// Whether a read must wait until it can show the outcome of a request.
    var awaitsOutcome: Bool {
        if need?.earliestRead != nil { return true }
        guard let leftBehind else { return false }
        return lastResponseAt.map { $0 < leftBehind.earliestRead } ?? true
    }

    /// Whether anything is scheduled for an automatic retry.
    public var awaitsRetry: Bool {
        failures?.last.retryAt != nil || readFailures?.last.retryAt != nil
    }

    /// The failure after which the next request waits for its time, if it waits.
    public var failureBeforeRetry: Failure? {
        let tries = need == nil ? failures : readFailures ?? failures
        return tries.flatMap { $0.last.retryAt == nil ? nil : $0.last }
    }

    /// Whether the response to a read arrived after that time.
    public func wasRead(after instant: Instant) -> Bool {
        lastResponseAt.map { $0 > instant } ?? false
    }

    /// When the other side can be read before a request of that kind is sent; `nil` when no read is
    /// needed.
    ///
    /// A process left such a request behind, and no response so far can have shown its outcome.
    public func earliestRead(before kind: Kind) -> Instant? {
        guard let leftBehind, leftBehind.kind == kind else { return nil }
        let isShown = lastResponseAt.map { $0 >= leftBehind.earliestRead } ?? false
        return isShown ? nil : leftBehind.earliestRead
    }

    /// Whether and when the next read may be sent.
    ///
    /// - Parameters:
    ///   - earliest: The earliest time according to the workflow; `nil` when it has none.
    ///   - pause: The pause after an unusable response.
    ///   - now: When the last event was recorded.
    ///   - bound: The maximum number of tries and the maximum duration for reads that fail in this
    ///     way.
    /// - Returns: The decision.
    public func reading(
        from earliest: Instant?,
        pause: Duration,
        at now: Instant,
        within bound: (FailedTries) -> RetryBound
    ) -> Reading {
        if let readFailures, readFailures.isExhausted(within: bound(readFailures)) {
            return .exhausted(readFailures)
        }
        guard unusableResponses < Self.unusableResponseLimit else { return .unusable }
        return .due([earliest, readFailures?.last.retryAt, afterUnusable(pause, at: now)].latest)
    }

    /// A pause after the newest response, or after the newest event while there is none.
    public func afterLastResponse(_ pause: Duration, at now: Instant) -> Instant {
        (lastResponseAt ?? now) + pause
    }

    /// When something may be sent after an unusable response; `nil` after any other.
    public func afterUnusable(_ pause: Duration, at now: Instant) -> Instant? {
        unusableResponses > 0 ? now + pause : nil
    }

    /// The number of consecutive unusable responses that are tolerated before a problem is
    /// reported.
    static var unusableResponseLimit: Int { 2 }

    /// Whether and when the next read may be sent.
    public enum Reading: Hashable, Sendable {
        /// From that time on; `nil` means at once.
        case due(Instant?)
        /// Reads failed too often or for too long.
        case exhausted(FailedTries)
        /// The responses do not show the current state.
        case unusable
    }

    /// When to poll next.
    ///
    /// - Parameters:
    ///   - now: When the last event was recorded; used until there is a response.
    ///   - pace: How quickly reads follow each other.
    /// - Returns: The time of the next read.
    public func nextPoll(at now: Instant, _ pace: PollPace) -> Instant {
        if let retryAt = readFailures?.last.retryAt { return retryAt }
        let last = lastResponseAt ?? now
        return last + pace.pause(after: last - (pollingSince ?? last))
    }
}

extension RequestLedger.InFlight {
    /// When the other side will show the outcome of the request, whose process has ended.
    ///
    /// - Parameters:
    ///   - retryAt: When to continue according to the retry schedule.
    ///   - deadline: How long the request may take.
    ///   - settling: How long it may still take effect after that.
    /// - Returns: The time.
    public func earliestRead(
        _ retryAt: Instant,
        deadline: Duration,
        settling: Duration
    ) -> Instant {
        max(retryAt, at + (deadline + settling))
    }
}

extension RequestLedger.FailedTries {
    /// Whether the request has used up its tries or its time, or is not retried at all.
    public func isExhausted(within bound: RetryBound) -> Bool {
        guard last.retryAt != nil else { return true }
        if count >= bound.tries { return true }
        return count >= bound.minimumTries && lastAt - since >= bound.time
    }

    /// When to read again although reads were given up: after a pause that grows with the time for
    /// which they have failed.
    ///
    /// - Parameter pauses: The shortest and the longest pause.
    /// - Returns: The time; `nil` when the failure is not retried.
    package func lateReading(_ pauses: ClosedRange<Duration>) -> Instant? {
        guard let retryAt = last.retryAt else { return nil }
        let grown = (lastAt - since) / 4
        return retryAt + min(max(grown, pauses.lowerBound), pauses.upperBound)
    }
}

extension Sequence<Instant?> {
    /// The latest of the instants; `nil` when there is none.
    package var latest: Instant? { lazy.compactMap { $0 }.max() }
}
