public import EventLog

/// Tracks the requests of one workflow so that none takes effect twice: the guarantee
/// *noDoublePay*.
///
/// At most one request that changes something is in flight. Its start is recorded before it is
/// sent; after that it succeeded, it failed, or its outcome is unknown. After a request with an
/// unknown outcome nothing is sent until the other side has been read again
/// (``Need/unknownOutcome(earliestRead:)``). A read changes nothing and may be repeated at any
/// time.
///
/// The ledger is a value within a workflow's state: the state's fold calls its transitions, and the
/// rules call its queries. It is total: a log may contain facts that fit nothing, and the ledger
/// accepts them. What a request does, what a failure means and why the workflow reads is defined by
/// the workflow (`Start`, `Failure`, `Occasion`); the ledger stores these values as they are.
public struct RequestLedger<
    Start: RequestStart,
    Failure: RequestFailure,
    Occasion: Hashable & Sendable
>: Hashable, Sendable where Start.Kind == Failure.Kind {
    /// The names of the kinds of request.
    public typealias Kind = Start.Kind

    /// What may be done next.
    public private(set) var standing: Standing
    /// The number of requests that change something and were started; it determines the next
    /// identifier.
    private(set) var startCount = 0
    /// Tries of the last request that changes something, until one succeeds.
    public private(set) var failures: FailedTries?
    /// The request that succeeded last, and how often in a row.
    public private(set) var repetition: Repetition?
    /// The last request whose process ended before a response arrived.
    private(set) var leftBehind: LeftBehind?
    /// The number of reads that ended; it determines the next identifier.
    private(set) var readCount = 0
    /// Tries to read, until one succeeds.
    public private(set) var readFailures: FailedTries?
    /// When the newest response arrived that shows the current state, or should have.
    public private(set) var lastResponseAt: Instant?
    /// The number of consecutive responses that did not show the current state.
    public private(set) var unusableResponses = 0
    /// The number of consecutive reads without a change.
    public private(set) var unchangedReads = 0
    /// Since when reads have followed each other at the shortest pause.
    private(set) var pollingSince: Instant?

    /// Creates the ledger of a workflow that has not sent any request.
    public init() { standing = .reconciling(.firstResponse) }
}

/// Requests that change something.
extension RequestLedger {
    /// Records that a request is about to be sent.
    ///
    /// - Precondition: `sequence` is that of the event that says so, so it is at least 1.
    public mutating func started(_ start: Start, at now: Instant, sequence: SequenceNumber) {
        precondition(sequence > 0, "a request before the first event")
        startCount += 1
        standing = .inFlight(InFlight(start: start, at: now, sequence: sequence), need)
        // A read in flight was derived from an older view, so its response is ignored.
        readCount += 1
    }

    /// Records that a request succeeded.
    ///
    /// - Parameters:
    ///   - effect: The request.
    ///   - now: When it succeeded.
    /// - Returns: Whether it is the one in flight; any other changes nothing.
    public mutating func succeeded(_ effect: EffectID, at now: Instant) -> Bool {
        guard let ended = inFlight?.start, ended.effect == effect else { return false }
        land()
        failures = nil
        restartPolling(at: now)
        let isAgain = repetition?.kind == ended.kind
        repetition = Repetition(
            kind: ended.kind,
            count: (isAgain ? repetition?.count ?? 0 : 0) + 1
        )
        return true
    }

    /// Records that a request failed or that its outcome is unknown.
    ///
    /// - Parameters:
    ///   - failure: The record of the failure.
    ///   - now: When it failed.
    ///   - isWanted: Whether the purpose of the request is still wanted. If not, the failure does
    ///     not count for the next try.
    /// - Returns: Whether it is the one in flight; any other changes nothing.
    public mutating func failed(
        _ failure: Failure,
        at now: Instant,
        isWanted: Bool
    ) -> Bool {
        guard inFlight?.start.effect == failure.effect else { return false }
        land()
        if failure.isInterruption, let readable = failure.retryAt {
            leftBehind = LeftBehind(kind: failure.kind, earliestRead: readable)
        }
        let isSame = failures?.last.kind == failure.kind
        failures = isWanted ? following(isSame ? failures : nil, failure, at: now) : nil
        if isWanted, failure.isSafeToResend { return true }
        need = failure.retryAt.map { .unknownOutcome(earliestRead: $0) } ?? .refused
        return true
    }

    /// Records the failure or unknown outcome of the request in flight, whose effect is still
    /// wanted, or otherwise of a read.
    public mutating func failed(_ failure: Failure, at now: Instant) {
        if !failed(failure, at: now, isWanted: true) { readingFailed(failure, at: now) }
    }

    /// Forgets earlier failures and successes, which do not concern the current purpose.
    public mutating func forgetTries() {
        failures = nil
        repetition = nil
    }

    /// Forgets earlier failures, which do not concern the next try.
    public mutating func forgetFailures() { failures = nil }

    /// Forgets the tries of a kind of request that is requested again.
    public mutating func forgetTries(of kind: Kind) {
        repetition = nil
        if failures?.last.kind == kind { failures = nil }
    }

    private mutating func land() {
        precondition(inFlight != nil, "no request is under way: \(standing)")
        standing = need.map { .reconciling($0) } ?? .free
    }

    private func following(
        _ earlier: FailedTries?,
        _ failure: Failure,
        at now: Instant
    ) -> FailedTries {
        precondition(earlier.map { $0.count > 0 } ?? true, "tries are counted from 1")
        return FailedTries(
            count: (earlier?.count ?? 0) + 1,
            since: earlier?.since ?? now,
            lastAt: now,
            last: failure
        )
    }
}

/// Reads of the other side.
extension RequestLedger {
    /// Records a reason to read, and to do so at once; the first of several is kept.
    public mutating func read(because reason: Need) { need = need?.atOnce ?? reason }

    /// Records a reason to read that replaces any earlier one.
    public mutating func read(only reason: Need) { need = reason }

    /// Removes the need to read, because the known state is reliable or reading is impossible.
    public mutating func clearNeed() { need = nil }

    /// Records a response that shows the current state, to a read or to a request that changed
    /// something.
    public mutating func responded(at now: Instant, byReading isReading: Bool) {
        readCount += isReading ? 1 : 0
        need = nil
        forgetReadFailures()
        lastResponseAt = now
    }

    /// Records how such a response compares with the previous one.
    ///
    /// - Parameters:
    ///   - isUnchanged: Whether it is the same.
    ///   - isWhole: Whether the read covered everything; only such reads are counted.
    ///   - now: When it arrived.
    public mutating func compare(isUnchanged: Bool, isWhole: Bool, at now: Instant) {
        precondition(lastResponseAt != nil, "compared before there was a response: \(standing)")
        if !isUnchanged {
            unchangedReads = 0
        } else if isWhole {
            unchangedReads += 1
        }
        pollingSince = pollingSince ?? now
        repetition?.changedNothing = isUnchanged
    }

    /// Records a response to a read that does not show the current state.
    public mutating func readingUnusable(at now: Instant) {
        readCount += 1
        unusableResponses += 1
        lastResponseAt = now
        need = need ?? .unusableResponse
    }

    /// Records a response to a request that changed something that does not show the current state.
    public mutating func countUnusableResponse() { unusableResponses += 1 }

    /// Records that a read failed.
    public mutating func readingFailed(_ failure: Failure, at now: Instant) {
        readCount += 1
        readFailures = following(readFailures, failure, at: now)
        need = need ?? .unusableResponse
    }

    /// Forgets failed and unusable reads, which do not concern the next one.
    public mutating func forgetReadFailures() {
        readFailures = nil
        unusableResponses = 0
    }

    /// Stops reading permanently, because it is no longer permitted.
    public mutating func giveUpReading() {
        need = nil
        readFailures = nil
    }

    /// Restarts polling at the shortest pause, because something may change soon.
    public mutating func restartPolling(at now: Instant) {
        pollingSince = now
        unchangedReads = 0
    }

    /// Ends the workflow: no response is expected, and no request is retried or made for it any
    /// more.
    public mutating func ended() {
        standing = .free
        forgetTries()
    }
}

extension RequestLedger {
    /// The request in flight that changes something.
    public var inFlight: InFlight? {
        if case .inFlight(let request, _) = standing { request } else { nil }
    }

    /// Why the other side must be read; `nil` when the known state can be relied upon.
    public private(set) var need: Need? {
        get {
            switch standing {
            case .free: nil
            case .inFlight(_, let need): need
            case .reconciling(let need): need
            }
        }
        set {
            switch standing {
            case .inFlight(let request, _): standing = .inFlight(request, newValue)
            case .free, .reconciling: standing = newValue.map { .reconciling($0) } ?? .free
            }
        }
    }
}
