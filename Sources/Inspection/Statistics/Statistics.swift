internal import EventLog
internal import SwedbankPay

/// What many payments have in common, counted: exact, from their logs.
package struct Statistics {
    /// How the tries with one instrument went.
    struct Conversion: Hashable {
        var attempts = 0
        var paid = 0
        var failed = 0
        var open = 0
        /// Over, and nobody was told whether they paid.
        var unknown = 0

        /// Of a thousand tries that came to an end, how many paid; nothing when none did.
        var perMille: Int64? {
            let ended = attempts - open
            return ended == 0 ? nil : Int64(paid) * 1000 / Int64(ended)
        }
    }

    /// A kind of problem.
    struct ProblemKind: Hashable {
        /// The PSP's type without its prefix, or the engine's kind.
        var name: String
        var origin: ProblemOrigin
        var actor: Actor
    }

    /// A kind of request that failed and was, or was not, repeated.
    struct Failing: Hashable {
        var requests = 0
        var failures = 0
        var repeated = 0
        var uncertain = 0
    }

    private(set) var sessions = 0
    private(set) var outcomes: [Outcome: Int] = [:]
    private(set) var open = 0
    private(set) var stuck = 0
    private(set) var paidElsewhere = 0
    /// Sessions that a person ended; they are among those that failed.
    private(set) var closed = 0
    /// Sessions that are over, however they ended, without the PSP's word on the money that may have been taken.
    private(set) var endedUnknown = 0
    /// Sessions that verified the payer's details, which charges nothing; they are among those that completed, and nowhere
    /// among what is paid.
    private(set) var verified = 0
    private(set) var conversions: [Instrument: Conversion] = [:]
    private(set) var problems: [ProblemKind: Int] = [:]
    private(set) var requests: [Rel: Failing] = [:]
    /// From taking in to being paid.
    private(set) var toPaid = Durations()
    /// Of tries that paid, by instrument.
    private(set) var attempts: [Instrument: Durations] = [:]
    /// Of requests that were answered.
    private(set) var answers: [Rel: Durations] = [:]

    /// Of no sessions.
    package init() {}

    /// Takes in a session.
    ///
    /// - Parameter isStuck: Whether something has been due for a while that nobody did.
    package mutating func take(_ log: SessionLog, isStuck: Bool) {
        guard let begin = log.events.first?.at else { return }
        sessions += 1
        let (state, isPaidHere) = Self.folding(log)
        if let outcome = state.outcome { outcomes[outcome, default: 0] += 1 } else { open += 1 }
        if isStuck { stuck += 1 }
        if state.isClosedByHand { closed += 1 }
        let money = state.money
        let isPaid = money.taken != nil && !money.isVerification
        if money.isVerification, money.taken != nil { verified += 1 }
        let entries = money.isVerification ? [] : AttemptHistory(log).entries
        // An attempt whose outcome nobody knows did not fail: it may be paid.
        let isUnknown = state.outcome != nil && money.standing == .unknown
        if isUnknown { endedUnknown += 1 }
        for entry in entries {
            let isLast = entry.number == entries.last?.number
            take(entry, isPaidHere: isPaidHere && isPaid, isUnknown: isLast && isUnknown)
        }
        if state.outcome == .completed, isPaid, !isPaidHere { paidElsewhere += 1 }
        for recorded in log.events { take(recorded, since: begin, isPaid: isPaid) }
    }

    /// The fold of a log, and whether it was paid by something that the session itself had begun.
    private static func folding(_ log: SessionLog) -> (state: SessionState, isPaidHere: Bool) {
        var state = SessionState(session: log.session)
        var isPaidHere = false
        for recorded in log.events {
            if case .completed = recorded.event {
                isPaidHere = state.isPaying || state.checkout != nil
            }
            state.apply(recorded.event, at: recorded.at)
        }
        return (state, isPaidHere)
    }

    private mutating func take(
        _ entry: AttemptHistory.Entry,
        isPaidHere: Bool,
        isUnknown: Bool
    ) {
        let instrument = entry.choice.instrument
        conversions[instrument, default: Conversion()].attempts += 1
        switch entry.result {
        case "running": conversions[instrument]?.open += 1
        case Outcome.completed.rawValue where isPaidHere:
            conversions[instrument]?.paid += 1
            if let end = entry.endedAt {
                attempts[instrument, default: Durations()].add(end - entry.startedAt)
            }
        default:
            if isUnknown {
                conversions[instrument]?.unknown += 1
            } else {
                conversions[instrument]?.failed += 1
            }
        }
    }

    private mutating func take(_ recorded: RecordedEvent, since begin: Instant, isPaid: Bool) {
        switch recorded.event {
        // A client's word is no payment.
        case .completed(let completed) where isPaid && completed.evidence != .completeURLReached:
            toPaid.add(recorded.at - begin)
        case .problem(let problem):
            let name = problem.type.map { ProblemCatalogue.slug(of: $0) ?? EventWords.slug(of: $0) }
            let kind = ProblemKind(
                name: name ?? problem.kind?.rawValue ?? "unnamed",
                origin: problem.origin,
                actor: problem.actor
            )
            problems[kind, default: 0] += 1
        case .operationStarted(let started):
            requests[started.rel, default: Failing()].requests += 1
            if started.tryNumber > 1 { requests[started.rel]?.repeated += 1 }
        case .operationSucceeded(let succeeded):
            answers[succeeded.rel, default: Durations()]
                .add(.milliseconds(succeeded.durationMilliseconds))
        case .fetched(let fetched) where fetched.cause.onlyReads:
            requests[fetched.cause, default: Failing()].requests += 1
            if let milliseconds = fetched.durationMilliseconds {
                answers[fetched.cause, default: Durations()].add(.milliseconds(milliseconds))
            }
        case .operationFailed(let failed):
            requests[failed.rel, default: Failing()].failures += 1
            if failed.rel.onlyReads { requests[failed.rel]?.requests += 1 }
            if failed.reach == .maybeSent, !failed.rel.onlyReads {
                requests[failed.rel]?.uncertain += 1
            }
        default: break
        }
    }
}

/// Durations, and their percentiles by the nearest rank: values that really occurred.
package struct Durations: Hashable {
    private var milliseconds: [Int64] = []

    /// How many there are.
    var count: Int { milliseconds.count }

    mutating func add(_ duration: Duration) {
        milliseconds.append(max(0, duration.wholeMilliseconds))
    }

    /// The smallest value that so many of a hundred do not exceed; nothing without values.
    func percentiles(_ wanted: [Int]) -> [Int64]? {
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        return wanted.map { percent in
            let rank = (percent * sorted.count + 99) / 100
            return sorted[min(max(rank, 1), sorted.count) - 1]
        }
    }
}
