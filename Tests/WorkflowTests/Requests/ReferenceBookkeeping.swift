@testable import EventLog
@testable import SwedbankPay

/// The bookkeeping of requests before there was a ledger: flags, and which event sets them.
///
/// The ledger is compared with this plain copy. What does not concern requests (attempt, page,
/// order, problem) it reads from the state before an event.
struct ReferenceBookkeeping {
    var sequence: SequenceNumber = 0
    var lastAt = Instant(microseconds: 0)
    var need: Need? = .first
    var notBefore: Instant?
    var readCount = 0
    var lastResponseAt: Instant?
    var pollingSince: Instant?
    var unusableResponses = 0
    var unchangedReads = 0
    var readSetback: Setback?
    var running: Running?
    var operationCount = 0
    var setback: Setback?
    var leftBehind: LeftBehind?
    var repetition: Repetition?
    var isStalled = false

    enum Need: String {
        case first, emptyResponse, unusableResponse, unknownOutcome, refused, acknowledged, returned
        case retry, overdue, refetched, closing
    }

    struct Running: Equatable {
        var start: OperationStarted
        var at: Instant
        var place: SequenceNumber
    }

    struct Repetition: Equatable {
        var rel: Rel
        var count: Int
        var changedNothing = false
    }

    struct LeftBehind: Equatable {
        var rel: Rel
        var readableAt: Instant
    }

    struct Setback: Equatable {
        var rel: Rel
        var tries: Int
        var since: Instant
        var lastAt: Instant
        var retryAt: Instant?
        var failure: OperationFailed
    }
}

/// Requests that change something.
extension ReferenceBookkeeping {
    mutating func start(_ started: OperationStarted) {
        operationCount += 1
        running = Running(start: started, at: lastAt, place: sequence)
        readCount += 1
    }

    mutating func succeed(_ succeeded: OperationSucceeded, _ before: SessionState) {
        if succeeded.rel.onlyReads {
            guard succeeded.content != .snapshot else { return }
            readCount += 1
            unusableResponses += 1
            lastResponseAt = lastAt
            need = need ?? .unusableResponse
            return
        }
        guard running?.start.effect == succeeded.effect else { return }
        running = nil
        setback = nil
        startPollingAnew()
        let isAgain = repetition?.rel == succeeded.rel
        repetition = Repetition(
            rel: succeeded.rel,
            count: (isAgain ? repetition?.count ?? 0 : 0) + 1
        )
        switch succeeded.content {
        case .snapshot: break
        case .empty: need(.emptyResponse, before)
        case .undecodable:
            unusableResponses += 1
            need(.unusableResponse, before)
        }
    }

    mutating func fail(_ failed: OperationFailed, _ before: SessionState) {
        if failed.rel.onlyReads {
            readCount += 1
            readSetback = following(readSetback, failed)
            if need == nil { need = .unusableResponse }
            return
        }
        guard running?.start.effect == failed.effect else { return }
        let isForMenu = isRunningForMenu(in: before)
        running = nil
        if failed.code == OperationFailed.interruptedCode, let retryAt = failed.retryAt {
            leftBehind = LeftBehind(rel: failed.rel, readableAt: retryAt)
        }
        guard isForMenu else {
            setback = nil
            need = failed.retryAt == nil ? .refused : .unknownOutcome
            notBefore = failed.retryAt
            return
        }
        setback = following(setback, failed)
        let mayBeRepeated =
            failed.retryAt != nil && (failed.reach == .notSent || failed.status == 429)
        guard !mayBeRepeated else { return }
        need = failed.retryAt == nil ? .refused : .unknownOutcome
        notBefore = failed.retryAt
    }

    private func following(_ earlier: Setback?, _ failed: OperationFailed) -> Setback {
        let isAgain = earlier.map {
            $0.rel == failed.rel || ($0.rel.onlyReads && failed.rel.onlyReads)
        }
        let same = isAgain == true ? earlier : nil
        return Setback(
            rel: failed.rel,
            tries: (same?.tries ?? 0) + 1,
            since: same?.since ?? lastAt,
            lastAt: lastAt,
            retryAt: failed.retryAt,
            failure: failed
        )
    }

    func isRunningForMenu(in state: SessionState) -> Bool {
        guard let running, running.start.rel == .customizePayment else { return true }
        guard running.start.attempt == state.payment?.attempt?.number else { return false }
        guard state.payment?.attempt == nil, let menu = state.payment?.menu else { return true }
        return menu.chosenAt < running.place
    }
}

/// Reading.
extension ReferenceBookkeeping {
    mutating func need(_ reason: Need, _ before: SessionState) {
        guard before.outcome == nil else { return }
        need = need ?? reason
        notBefore = nil
    }

    mutating func startPollingAnew() {
        pollingSince = lastAt
        unchangedReads = 0
    }

    mutating func wakeFromStall(_ before: SessionState) {
        guard isStalled else { return }
        isStalled = false
        setback = nil
        repetition = nil
        forgetUnreadable()
        need(.retry, before)
    }

    mutating func forgetUnreadable() {
        readSetback = nil
        unusableResponses = 0
    }

    mutating func settleReading() {
        need = nil
        notBefore = nil
        forgetUnreadable()
        lastResponseAt = lastAt
    }

    mutating func recordReading() {
        readCount += 1
        settleReading()
    }

    mutating func recordChange(_ before: SessionState) {
        guard before.outcome != nil else { return }
        isStalled = false
        forgetUnreadable()
    }
}

/// The queries of the bookkeeping.
extension ReferenceBookkeeping {
    func nextPoll(in state: SessionState, _ limits: SessionLimits) -> Instant {
        let last = lastResponseAt ?? lastAt
        if let retryAt = readSetback?.retryAt { return retryAt }
        let elapsed = (last - (pollingSince ?? last)).wholeMicroseconds
        if state.payment?.attempt == nil, state.payment?.menu == nil,
            elapsed > limits.attempt.wholeMicroseconds
        {
            return last + limits.orderBackstop
        }
        let quick = limits.quickPolling.wholeMicroseconds
        var pause = limits.pollInterval.wholeMicroseconds
        let longest = limits.longestPollInterval.wholeMicroseconds
        var stages = elapsed < quick ? 0 : 1 + (elapsed - quick) / 10_000_000
        while stages > 0, pause < longest {
            pause = min(pause * 3 / 2, longest)
            stages -= 1
        }
        return last + .microseconds(pause)
    }

    func isExhausted(
        _ setback: Setback,
        in state: SessionState,
        _ decider: SessionDecider
    ) -> Bool {
        guard setback.retryAt != nil else { return true }
        let limits = decider.limits
        let cap = decider.cap(after: setback.failure, in: state)
        if setback.tries >= min(limits.tries, cap.tries ?? limits.tries) { return true }
        let elapsed = setback.lastAt - setback.since
        if let time = cap.time { return elapsed >= time }
        let asksIssuer = decider.asksIssuer(setback.rel, in: state)
        let budget = asksIssuer ? limits.cardRetryBudget : limits.retryBudget
        return setback.tries >= 3 && elapsed >= budget
    }

    /// Returns when a request is recovered if its process is gone by now.
    func recoveryTime(in state: SessionState, _ decider: SessionDecider) -> Instant? {
        running.map { running in
            let limits = decider.limits
            let asksIssuer = decider.asksIssuer(running.start.rel, in: state)
            let deadline = asksIssuer ? limits.cardRequestDeadline : limits.requestDeadline
            return max(lastAt, running.at + (deadline + limits.settling))
        }
    }
}
