@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// What rules and engine query about requests, and the results at one point of a log.
struct LedgerResponses: Equatable {
    /// The request in flight that changes something.
    var inFlight: InFlight?
    /// Whether its purpose is still wanted.
    var isForMenu: Bool
    /// When it would be recovered if its process were gone by now.
    var recoveredAt: Instant?
    /// The next requests; none that changes something while one is running.
    var nextChange: EffectID?
    var nextRead: EffectID
    /// Why a read precedes everything else, and from when on.
    var reasonToRead: String?
    var notBefore: Instant?
    /// What fails repeatedly.
    var changes: Failures?
    var reads: Failures?
    /// What succeeds repeatedly.
    var repeated: Repeated?
    /// The request that a process left behind.
    var leftBehind: Rel?
    var earliestRead: Instant?
    /// The progress of reading.
    var lastResponseAt: Instant?
    var unusableResponses: Int
    var unchangedReads: Int
    var nextPoll: Instant
    /// Whether the engine waits for a command.
    var hasGivenUp: Bool

    struct InFlight: Equatable {
        var start: OperationStarted
        var at: Instant
    }

    struct Failures: Equatable {
        var rel: Rel
        var tries: Int
        var since: Instant
        var lastAt: Instant
        var failure: OperationFailed
        var isExhausted: Bool
    }

    struct Repeated: Equatable {
        var rel: Rel
        var count: Int
        var changedNothing: Bool
    }
}

extension LedgerResponses {
    /// Creates the results of the reference.
    init(_ reference: ReferenceBookkeeping, in state: SessionState, _ decider: SessionDecider) {
        func failures(_ setback: ReferenceBookkeeping.Setback?) -> Failures? {
            setback.map {
                Failures(
                    rel: $0.rel,
                    tries: $0.tries,
                    since: $0.since,
                    lastAt: $0.lastAt,
                    failure: $0.failure,
                    isExhausted: reference.isExhausted($0, in: state, decider)
                )
            }
        }
        inFlight = reference.running.map { InFlight(start: $0.start, at: $0.at) }
        isForMenu = reference.isRunningForMenu(in: state)
        recoveredAt = reference.recoveryTime(in: state, decider)
        nextChange =
            reference.running == nil
            ? EffectID(rawValue: "e-\(reference.operationCount + 1)") : nil
        nextRead = EffectID(rawValue: "r-\(reference.readCount + 1)")
        reasonToRead = reference.need?.rawValue
        notBefore = reference.need == nil ? nil : reference.notBefore
        changes = failures(reference.setback)
        reads = failures(reference.readSetback)
        repeated = reference.repetition.map {
            Repeated(rel: $0.rel, count: $0.count, changedNothing: $0.changedNothing)
        }
        leftBehind = reference.leftBehind?.rel
        earliestRead = reference.leftBehind?.readableAt
        lastResponseAt = reference.lastResponseAt
        unusableResponses = reference.unusableResponses
        unchangedReads = reference.unchangedReads
        nextPoll = reference.nextPoll(in: state, decider.limits)
        hasGivenUp = reference.isStalled
    }

    /// Creates the results of the state.
    init(_ state: SessionState, _ decider: SessionDecider) {
        func failures(_ tries: SessionRequests.FailedTries?) -> Failures? {
            tries.map {
                Failures(
                    rel: $0.last.rel,
                    tries: $0.count,
                    since: $0.since,
                    lastAt: $0.lastAt,
                    failure: $0.last,
                    isExhausted: decider.isExhausted($0, in: state)
                )
            }
        }
        let requests = state.requests
        inFlight = requests.inFlight.map { InFlight(start: $0.start, at: $0.at) }
        isForMenu = state.payment?.isRunningForMenu ?? true
        recoveredAt = Self.recovery(in: state, decider)
        nextChange = requests.inFlight == nil ? requests.nextChange : nil
        nextRead = requests.nextReading
        reasonToRead = requests.need.map(\.name)
        notBefore = requests.need?.earliestRead
        changes = failures(requests.failures)
        reads = failures(requests.readFailures)
        repeated = requests.repetition.map {
            Repeated(rel: $0.kind, count: $0.count, changedNothing: $0.changedNothing)
        }
        leftBehind = requests.leftBehind?.kind
        earliestRead = requests.leftBehind?.earliestRead
        lastResponseAt = requests.lastResponseAt
        unusableResponses = requests.unusableResponses
        unchangedReads = requests.unchangedReads
        nextPoll = decider.nextPoll(in: state)
        hasGivenUp = state.isStalled
    }

    private static func recovery(in state: SessionState, _ decider: SessionDecider) -> Instant? {
        guard let running = state.running else { return nil }
        let facts = decider.interruption(
            of: running.start.effect,
            retryAt: state.lastAt,
            in: state
        )
        guard case .operationFailed(let failed)? = facts.first else { return nil }
        return failed.retryAt
    }
}

extension SessionRequests.Need {
    /// The reference's name for it.
    fileprivate var name: String {
        switch self {
        case .firstResponse: "first"
        case .unknownOutcome: "unknownOutcome"
        case .asked(let occasion): "\(occasion)"
        case .emptyResponse, .unusableResponse, .refused: "\(self)"
        }
    }
}

/// The queries of the rules of the session's kind.
extension SessionDecider {
    func isExhausted(_ tries: SessionRequests.FailedTries, in state: SessionState) -> Bool {
        switch state {
        case .unopened: false
        case .payment(let payment): self.payment.isExhausted(tries, in: payment)
        case .checkout(let checkout): self.checkout.isExhausted(tries, in: checkout)
        }
    }

    func asksIssuer(_ rel: Rel, in state: SessionState) -> Bool {
        switch state {
        case .unopened: false
        case .payment(let payment): self.payment.asksIssuer(rel, in: payment)
        case .checkout(let checkout): self.checkout.asksIssuer(rel, in: checkout)
        }
    }

    func cap(after failure: OperationFailed, in state: SessionState) -> RetryCap {
        policy.cap(after: failure, with: state.payment?.payingInstrument)
    }

    /// A checkout does not poll a session.
    func nextPoll(in state: SessionState) -> Instant {
        if let payment = state.payment { return self.payment.nextPoll(in: payment) }
        let pace = PollPace(
            first: limits.pollInterval,
            quick: limits.quickPolling,
            longest: limits.longestPollInterval,
            patience: limits.attempt,
            late: limits.orderBackstop
        )
        return state.requests.nextPoll(at: state.lastAt, pace)
    }

    func interruption(
        of effect: EffectID,
        retryAt: Instant,
        in state: SessionState
    ) -> [SessionEvent] {
        switch state {
        case .unopened: []
        case .payment(let payment):
            self.payment.interruption(of: effect, retryAt: retryAt, in: payment)
        case .checkout(let checkout):
            self.checkout.interruption(of: effect, retryAt: retryAt, in: checkout)
        }
    }
}
