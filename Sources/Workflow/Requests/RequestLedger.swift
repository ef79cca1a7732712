public import EventLog

/// Keeps account of the requests of one workflow, so that none takes effect twice: the guarantee *noDoublePay*.
///
/// At most one request that changes something is in flight. Its start is recorded before it leaves; then it succeeded, it
/// failed, or nobody knows. Until the other side was read again nothing is sent after a request whose outcome is unknown
/// (``Need/unknownOutcome(readableFrom:)``). A reading changes nothing and may be repeated at any time.
///
/// A value that a workflow's state holds: its fold calls the transitions, its rules ask the questions. It is total: a log
/// may hold facts that fit nothing, and the ledger takes them as they come. What a request does, what a failure means and
/// why the workflow wants to read is the workflow's (`Start`, `Failure`, `Occasion`); the ledger keeps it as it is.
public struct RequestLedger<
    Start: RequestStart,
    Failure: RequestFailure,
    Occasion: Hashable & Sendable
>: Hashable, Sendable where Start.Kind == Failure.Kind {
    /// What requests are called.
    public typealias Kind = Start.Kind

    /// What may be done next.
    public private(set) var standing: Standing
    /// How many requests that change something were started; names the next one.
    private(set) var startCount = 0
    /// Tries of the last request that changes something, until one succeeds.
    public private(set) var failures: FailedTries?
    /// The request that succeeded last, and how often in a row.
    public private(set) var repetition: Repetition?
    /// The last request whose process was gone before an answer came.
    private(set) var leftBehind: LeftBehind?
    /// How many readings came to an end; names the next one.
    private(set) var readCount = 0
    /// Tries to read, until one succeeds.
    public private(set) var readFailures: FailedTries?
    /// When the newest answer came that says how things stand, or should have.
    public private(set) var lastAnswerAt: Instant?
    /// Answers in a row that did not say how things stand.
    public private(set) var unusableAnswers = 0
    /// Readings in a row that showed nothing new.
    public private(set) var unchangedReads = 0
    /// Since when readings have followed each other at the shortest pause.
    private(set) var pollingSince: Instant?

    /// A ledger of a workflow that has sent nothing.
    public init() { standing = .reconciling(.firstAnswer) }
}

/// Requests that change something.
extension RequestLedger {
    /// A request is about to leave.
    public mutating func started(_ start: Start, at now: Instant, sequence: Int64) {
        startCount += 1
        standing = .inFlight(InFlight(start: start, at: now, sequence: sequence), need)
        // A reading under way was derived from an older view: its answer is not acted upon.
        readCount += 1
    }

    /// A request succeeded.
    ///
    /// - Returns: Whether it is the one in flight; nothing is changed by any other.
    public mutating func succeeded(_ effect: EffectID, at now: Instant) -> Bool {
        guard let ended = inFlight?.start, ended.effect == effect else { return false }
        land()
        failures = nil
        pollAnew(at: now)
        let isAgain = repetition?.kind == ended.kind
        repetition = Repetition(
            kind: ended.kind,
            count: (isAgain ? repetition?.count ?? 0 : 0) + 1
        )
        return true
    }

    /// A request failed, or nobody knows.
    ///
    /// - Parameters:
    ///   - failure: What is recorded of it.
    ///   - now: When.
    ///   - isWanted: Whether what it was for is still wanted. If not, it says nothing about the next try.
    /// - Returns: Whether it is the one in flight; nothing is changed by any other.
    public mutating func failed(
        _ failure: Failure,
        at now: Instant,
        isWanted: Bool
    ) -> Bool {
        guard inFlight?.start.effect == failure.effect else { return false }
        land()
        if failure.isInterruption, let readable = failure.retryAt {
            leftBehind = LeftBehind(kind: failure.kind, readableFrom: readable)
        }
        let isSame = failures?.last.kind == failure.kind
        failures = isWanted ? following(isSame ? failures : nil, failure, at: now) : nil
        if isWanted, failure.mayBeRepeatedAsItIs { return true }
        need = failure.retryAt.map { .unknownOutcome(readableFrom: $0) } ?? .refused
        return true
    }

    /// A request failed, or nobody knows: the one in flight, whose effect is still wanted, or else a reading.
    public mutating func failed(_ failure: Failure, at now: Instant) {
        if !failed(failure, at: now, isWanted: true) { readingFailed(failure, at: now) }
    }

    /// What failed or succeeded before says nothing about what is wanted now.
    public mutating func forgetTries() {
        failures = nil
        repetition = nil
    }

    /// What failed before says nothing about the next try.
    public mutating func forgetFailures() { failures = nil }

    /// A kind of request is wanted anew.
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
        FailedTries(
            count: (earlier?.count ?? 0) + 1,
            since: earlier?.since ?? now,
            lastAt: now,
            last: failure
        )
    }
}

/// Reading.
extension RequestLedger {
    /// There is a reason to read, and to do it at once; the first of several is kept.
    public mutating func read(because reason: Need) { need = need?.atOnce ?? reason }

    /// The same, and it goes before a reason that there was already.
    public mutating func read(only reason: Need) { need = reason }

    /// What is known is relied upon, or nothing can be read: nothing is read before what comes next.
    public mutating func relyOnWhatIsKnown() { need = nil }

    /// An answer says how things stand, to a reading or to a request that changed something.
    public mutating func answered(at now: Instant, byReading isReading: Bool) {
        readCount += isReading ? 1 : 0
        need = nil
        forgetReadFailures()
        lastAnswerAt = now
    }

    /// What such an answer was like, beside the one before.
    ///
    /// - Parameters:
    ///   - isUnchanged: Whether it is the same.
    ///   - isWhole: Whether it was read to see everything: only such readings are counted.
    ///   - now: When it came.
    public mutating func compare(isUnchanged: Bool, isWhole: Bool, at now: Instant) {
        precondition(lastAnswerAt != nil, "compared before there was an answer: \(standing)")
        if !isUnchanged {
            unchangedReads = 0
        } else if isWhole {
            unchangedReads += 1
        }
        pollingSince = pollingSince ?? now
        repetition?.changedNothing = isUnchanged
    }

    /// A reading was answered, and the answer does not say how things stand.
    public mutating func readingUnusable(at now: Instant) {
        readCount += 1
        unusableAnswers += 1
        lastAnswerAt = now
        need = need ?? .unusableAnswer
    }

    /// A request that changed something was answered in that way.
    public mutating func countUnusableAnswer() { unusableAnswers += 1 }

    /// A reading failed.
    public mutating func readingFailed(_ failure: Failure, at now: Instant) {
        readCount += 1
        readFailures = following(readFailures, failure, at: now)
        need = need ?? .unusableAnswer
    }

    /// Readings that failed or could not be used say nothing about the next.
    public mutating func forgetReadFailures() {
        readFailures = nil
        unusableAnswers = 0
    }

    /// Nobody lets anything be read: that is not tried again.
    public mutating func giveUpReading() {
        need = nil
        readFailures = nil
    }

    /// There may be news soon: readings follow each other at the shortest pause again.
    public mutating func pollAnew(at now: Instant) {
        pollingSince = now
        unchangedReads = 0
    }

    /// The workflow is over: nothing is awaited, repeated or read for it.
    public mutating func ended() {
        standing = .free
        forgetTries()
    }
}

extension RequestLedger {
    /// The request that changes something and is under way.
    public var inFlight: InFlight? {
        if case .inFlight(let request, _) = standing { request } else { nil }
    }

    /// Why the other side has to be read; nil when what is known can be relied upon.
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
