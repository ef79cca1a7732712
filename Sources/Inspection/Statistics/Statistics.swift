internal import EventLog
internal import SwedbankPay

/// Statistics of many payments, counted exactly from their logs.
package struct Statistics {
    /// The results of the attempts with one instrument.
    struct Conversion: Hashable {
        var attempts = 0
        /// Attempts that were paid, as the order names their method.
        var paid = 0
        /// Attempts that were probably paid: the PSP does not say how.
        var probable = 0
        var failed = 0
        var open = 0
        /// Attempts that ended without it being known whether they were paid.
        var unknown = 0

        /// Of a thousand ended attempts, the number that were paid, or probably; `nil` when none
        /// has ended.
        var perMille: Int64? {
            let ended = attempts - open
            return ended == 0 ? nil : Int64(paid + probable) * 1000 / Int64(ended)
        }
    }

    /// A kind of problem.
    struct ProblemKind: Hashable {
        /// The PSP's type without its prefix, or the engine's kind.
        var name: String
        var origin: ProblemOrigin
        var actor: Actor
    }

    /// The failures of one kind of request, and whether it was repeated.
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
    /// Paid sessions that were not paid with an attempt or page of theirs.
    private(set) var paidElsewhere = 0
    /// Paid sessions of which it is not even probable how they were paid.
    private(set) var paidUnknown = 0
    /// Sessions that an operator closed; they are among the failed ones.
    private(set) var closed = 0
    /// Sessions that have ended, with any outcome, without confirmation by the PSP of money that
    /// may have been taken.
    private(set) var endedUnknown = 0
    /// Sessions whose money is as a person found it at the PSP.
    private(set) var resolvedByPerson = 0
    /// Sessions that verified the payer's details without a charge, as the PSP confirms; they are
    /// among the completed ones, but never counted as paid.
    private(set) var verified = 0
    private(set) var conversions: [Instrument: Conversion] = [:]
    private(set) var problems: [ProblemKind: Int] = [:]
    private(set) var requests: [Rel: Failing] = [:]
    /// The durations from opening to payment.
    private(set) var toPaid = Durations()
    /// The durations of paid attempts, by instrument.
    private(set) var attempts: [Instrument: Durations] = [:]
    /// The durations of requests that got a response.
    private(set) var responses: [Rel: Durations] = [:]

    /// Creates empty statistics.
    package init() {}

    /// Adds a session.
    ///
    /// - Parameters:
    ///   - log: The session's log.
    ///   - isStuck: Whether something has been overdue for a while.
    package mutating func add(_ log: SessionLog, isStuck: Bool) {
        guard let begin = log.events.first?.at else { return }
        sessions += 1
        let state = log.state
        if let outcome = state.outcome { outcomes[outcome, default: 0] += 1 } else { open += 1 }
        if isStuck { stuck += 1 }
        if state.isClosedByHand { closed += 1 }
        let money = state.money
        let isPaid = money.taken != nil && !money.isVerification && !money.isContradicted
        if money.isVerified(endingAs: state.outcome) { verified += 1 }
        let entries = money.isVerification ? [] : AttemptHistory(log).entries
        // An attempt with an unknown outcome did not fail: it may be paid.
        let isUnknown = state.outcome != nil && money.standing == .unknown
        if isUnknown { endedUnknown += 1 }
        if money.finding != nil { resolvedByPerson += 1 }
        for entry in entries {
            let isLast = entry.number == entries.last?.number
            add(entry, isUnknown: isLast && isUnknown)
        }
        if isPaid, let paidWith = state.money.paidWith, state.payment != nil { add(paidWith) }
        for recorded in log.events { add(recorded, since: begin, isPaid: isPaid) }
    }

    private mutating func add(_ paidWith: PaidWith) {
        switch paidWith {
        case .named, .probable: break
        case .possible: paidUnknown += 1
        case .elsewhere: paidElsewhere += 1
        }
    }

    private mutating func add(_ entry: AttemptHistory.Entry, isUnknown: Bool) {
        let instrument = entry.choice.instrument
        conversions[instrument, default: Conversion()].attempts += 1
        switch entry.result {
        case "running": conversions[instrument]?.open += 1
        // A person's finding does not name the instrument either.
        case AttemptHistory.resolvedAsPaid: conversions[instrument]?.probable += 1
        case AttemptHistory.unknown: conversions[instrument]?.unknown += 1
        case Outcome.completed.rawValue where !isUnknown:
            conversions[instrument]?.paid += 1
            addDuration(of: entry)
        case AttemptHistory.probablyCompleted:
            conversions[instrument]?.probable += 1
            addDuration(of: entry)
        default:
            if isUnknown {
                conversions[instrument]?.unknown += 1
            } else {
                conversions[instrument]?.failed += 1
            }
        }
    }

    private mutating func addDuration(of entry: AttemptHistory.Entry) {
        guard let end = entry.endedAt else { return }
        attempts[entry.choice.instrument, default: Durations()].add(end - entry.startedAt)
    }

    private mutating func add(_ recorded: RecordedEvent, since begin: Instant, isPaid: Bool) {
        switch recorded.event {
        // A client's report alone does not prove a payment.
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
            responses[succeeded.rel, default: Durations()]
                .add(.milliseconds(succeeded.durationMilliseconds))
        case .fetched(let fetched) where fetched.cause.onlyReads:
            requests[fetched.cause, default: Failing()].requests += 1
            if let milliseconds = fetched.durationMilliseconds {
                responses[fetched.cause, default: Durations()].add(.milliseconds(milliseconds))
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

/// Durations, and their percentiles by the nearest rank, which are values that really occurred.
package struct Durations: Hashable {
    private var milliseconds: [Int64] = []

    /// The number of durations.
    var count: Int { milliseconds.count }

    mutating func add(_ duration: Duration) {
        milliseconds.append(max(0, duration.wholeMilliseconds))
    }

    /// The smallest values that these percentages do not exceed; `nil` without values.
    func percentiles(_ wanted: [Int]) -> [Int64]? {
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        return wanted.map { percent in
            let rank = (percent * sorted.count + 99) / 100
            return sorted[min(max(rank, 1), sorted.count) - 1]
        }
    }
}
