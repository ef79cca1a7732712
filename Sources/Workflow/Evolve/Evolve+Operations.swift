extension SessionState {
    mutating func apply(_ started: OperationStarted) {
        operationCount += 1
        running = RunningOperation(start: started, at: lastAt)
        // A reading request under way was derived from an older view: its answer is not acted upon.
        reading.count += 1
        switch started.rel {
        case .expandMethod: attempt?.expansions += 1
        case .customizePayment: attempt?.customizations += 1
        case .startPaymentAttempt: attempt?.mayHaveStarted = false
        default: break
        }
    }

    mutating func apply(_ succeeded: OperationSucceeded) {
        if succeeded.rel.onlyReads {
            applyReadingAnswer(succeeded)
            return
        }
        guard running?.start.effect == succeeded.effect else { return }
        running = nil
        setback = nil
        reading.unchangedReads = 0
        startPollingAnew()
        waitAnew()
        let isAgain = repetition?.rel == succeeded.rel
        repetition = Repetition(
            rel: succeeded.rel,
            count: (isAgain ? repetition?.count ?? 0 : 0) + 1
        )
        switch succeeded.rel {
        case .startPaymentAttempt: beginAttempt()
        case .abortPayment: isAbortAccepted = true
        default: break
        }
        switch succeeded.content {
        case .snapshot: break
        case .empty: need(.emptyAnswer)
        case .undecodable:
            reading.unusableAnswers += 1
            need(.unusableAnswer)
        }
    }

    private mutating func applyReadingAnswer(_ succeeded: OperationSucceeded) {
        switch succeeded.content {
        case .snapshot: break
        case .empty, .undecodable:
            reading.count += 1
            reading.unusableAnswers += 1
            reading.lastAnswerAt = lastAt
            reading.need = reading.need ?? .unusableAnswer
        }
    }

    mutating func apply(_ failed: OperationFailed) {
        if failed.rel.onlyReads {
            reading.count += 1
            reading.setback = reading.setback.following(failed, at: lastAt)
            if reading.need == nil { reading.need = .unusableAnswer }
            return
        }
        guard running?.start.effect == failed.effect else { return }
        running = nil
        setback = setback.following(failed, at: lastAt)
        guard !failed.mayBeRepeatedAsItIs else { return }
        reading.need = failed.retryAt == nil ? .refused : .unknownOutcome
        reading.notBefore = failed.retryAt
        guard failed.retryAt == nil else {
            if failed.rel == .startPaymentAttempt, let number = attempt?.number {
                attempt?.mayHaveStarted = true
                begunAttempt = number
            }
            return
        }
        if failed.rel.beginsAttempt {
            endAttempt()
        } else if failed.rel == .abortPayment {
            abortRequestedBy = nil
        }
    }
}

extension SessionState {
    /// The PSP has the attempt.
    mutating func beginAttempt() {
        guard let number = attempt?.number else { return }
        attempt?.isStarted = true
        attempt?.mayHaveStarted = false
        begunAttempt = number
    }
}

extension Attempt {
    /// Whether the PSP was asked anything for this attempt.
    var hasReachedProvider: Bool {
        isStarted || mayHaveStarted || expansions > 0 || customizations > 0
    }
}

extension OperationFailed {
    /// Whether the request certainly had no effect and the PSP did not speak against it.
    var mayBeRepeatedAsItIs: Bool {
        retryAt != nil && (reach == .notSent || status == 429)
    }
}

extension Setback? {
    /// The setback that a further failure makes of this one.
    func following(_ failed: OperationFailed, at instant: Instant) -> Setback {
        guard let self, self.rel == failed.rel || (self.rel.onlyReads && failed.rel.onlyReads)
        else {
            return Setback(
                rel: failed.rel,
                tries: 1,
                since: instant,
                lastAt: instant,
                retryAt: failed.retryAt,
                failure: failed
            )
        }
        return Setback(
            rel: failed.rel,
            tries: self.tries + 1,
            since: self.since,
            lastAt: instant,
            retryAt: failed.retryAt,
            failure: failed
        )
    }
}
