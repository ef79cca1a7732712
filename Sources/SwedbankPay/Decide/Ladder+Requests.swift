internal import EventLog
internal import Workflow

extension SessionDecider {
    /// A request that changes something, with its tries; or the problem that it stays undone.
    func call(
        _ operation: Operation,
        sending body: OperationBody,
        in state: SessionState
    ) -> Step {
        guard let href = operation.href else {
            return .record([.problem(inconsistency("\(operation.rel.rawValue) has no address"))])
        }
        guard operation.hasUsableMethod else {
            return .record([
                .problem(inconsistency("\(operation.rel.rawValue) has an unknown HTTP method"))
            ])
        }
        let failures = state.requests.failures(of: operation.rel)
        if let failures, isExhausted(failures, in: state) {
            return .record([.problem(requestFailed(failures.last, in: state))])
        }
        if let opening = state.opening,
            let readable = state.requests.readableFrom(before: operation.rel)
        {
            return .call(read(in: state, opening, notBefore: readable, isPoll: false))
        }
        var earliest = failures?.last.retryAt
        if let failures, let opening = state.opening, asksFirst(after: failures, in: state) {
            return .call(read(in: state, opening, notBefore: earliest, isPoll: false))
        }
        if let repetition = state.requests.repetition(of: operation.rel) {
            let isOften = repetition.count >= limits.repetitions
            // One problem after another may be acknowledged, but never in a hurry.
            guard !isOften || failures != nil || operation.rel == .acknowledgeFailedAttempt else {
                return .record([
                    .problem(
                        inconsistency("\(operation.rel.rawValue) is asked for again and again")
                    )
                ])
            }
            if repetition.changedNothing || isOften {
                let pause = pauseAfterAnswer(in: state)
                earliest = max(earliest ?? pause, pause)
            }
        }
        return .call(
            change(operation.rel, operation.method, at: href, body, in: state, notBefore: earliest)
        )
    }

    /// The next request that changes something.
    func change(
        _ rel: Rel,
        _ method: String?,
        at href: Sealed,
        _ body: OperationBody,
        in state: SessionState,
        notBefore: Instant?
    ) -> OperationCall {
        let requests = state.requests
        return OperationCall(
            id: requests.nextChange,
            rel: rel,
            method: method,
            href: href,
            body: body,
            notBefore: notBefore,
            attempt: state.attempt?.number,
            tryNumber: (requests.failures(of: rel)?.count ?? 0) + 1,
            isPoll: false
        )
    }

    /// A reading that has to be made, in time; or the problem that it comes to nothing.
    func retriedReading(
        from earliest: Instant?,
        in state: SessionState,
        _ call: (Instant?) -> OperationCall
    ) -> Step {
        let next = state.requests.reading(
            from: earliest,
            pause: limits.pollInterval,
            at: state.lastAt
        ) { bound(of: $0.last, in: state) }
        switch next {
        case .due(let time): return .call(call(time))
        case .exhausted(let failures):
            return .record([.problem(requestFailed(failures.last, in: state))])
        case .unusable: return .record([.problem(unusableAnswers(in: state))])
        }
    }

    /// Reading the session by its own address, or by the running attempt's `get-payment` after a return.
    func read(
        in state: SessionState,
        _ opening: Opened,
        notBefore: Instant?,
        isPoll: Bool
    ) -> OperationCall {
        let operation =
            state.requests.need == .asked(.returned) ? pollOperation(in: state) : nil
        return reading(
            operation?.rel ?? .session,
            operation?.method,
            at: operation?.href ?? opening.sessionURL,
            in: state,
            notBefore: notBefore,
            isPoll: isPoll
        )
    }

    /// The next request that only reads.
    func reading(
        _ rel: Rel,
        _ method: String? = nil,
        at href: Sealed,
        _ body: OperationBody = .none,
        in state: SessionState,
        notBefore: Instant?,
        isPoll: Bool
    ) -> OperationCall {
        OperationCall(
            id: state.requests.nextReading,
            rel: rel,
            method: method ?? "GET",
            href: href,
            body: body,
            notBefore: notBefore,
            attempt: state.attempt?.number,
            tryNumber: state.requests.nextReadTry,
            isPoll: isPoll
        )
    }

    /// The `get-payment` to follow: one that is to be done next, else the running attempt's, else the session's.
    func pollOperation(in state: SessionState) -> Operation? {
        guard let snapshot = state.snapshot else { return nil }
        let ofAttempt = state.attempt.flatMap {
            snapshot.operation(.getPayment, of: $0.choice.method)
        }
        return [snapshot.working(.getPayment), ofAttempt]
            .compactMap { $0 }.first { $0.href != nil && $0.onlyReads }
    }

    /// R20: while an attempt is under way, or nothing can be chosen, the payment is looked at again and again.
    func pollStep(in state: SessionState, _ snapshot: Snapshot, opening: Opened) -> Step? {
        let isRunning = state.book.shown == .running
        guard state.attempt != nil || state.menu != nil || snapshot.methods.isEmpty || isRunning
        else { return nil }
        let earliest = nextPoll(in: state)
        if let failures = state.requests.readFailures, isExhausted(failures, in: state) {
            return .record([.problem(requestFailed(failures.last, in: state))])
        }
        if let operation = pollOperation(in: state), let href = operation.href {
            return .call(
                reading(
                    operation.rel,
                    operation.method,
                    at: href,
                    in: state,
                    notBefore: earliest,
                    isPoll: true
                )
            )
        }
        let isElsewhere = isRunning && state.attempt?.isStarted != true
        guard state.isAppRequested || state.page != nil || state.isTokenAccepted || isElsewhere
        else { return nil }
        return .call(read(in: state, opening, notBefore: earliest, isPoll: true))
    }

    /// Two seconds after the last answer at first; after half a minute the pause grows to ten.
    ///
    /// Source: payment session API, polling.
    func nextPoll(in state: SessionState) -> Instant {
        state.requests.nextPoll(
            at: state.lastAt,
            PollPace(
                first: limits.pollInterval,
                quick: limits.quickPolling,
                longest: limits.longestPollInterval,
                patience: state.attempt == nil && state.menu == nil ? limits.attempt : nil,
                late: limits.orderBackstop
            )
        )
    }

    /// When to read again where nothing says that there is news.
    func pauseAfterAnswer(in state: SessionState) -> Instant {
        state.requests.afterLastAnswer(limits.pollInterval, at: state.lastAt)
    }

    /// Whether a failing request has had its tries or its time.
    func isExhausted(
        _ failures: SessionRequests.FailedTries,
        in state: SessionState
    ) -> Bool {
        failures.isExhausted(within: bound(of: failures.last, in: state))
    }

    /// How often and how long a request that failed in this way is tried.
    ///
    /// Source: payment session API, time-outs: card requests have a longer budget.
    private func bound(of failure: OperationFailed, in state: SessionState) -> RetryBound {
        let cap = cap(after: failure, in: state)
        let tries = min(limits.tries, cap.tries ?? limits.tries)
        if let time = cap.time { return RetryBound(tries: tries, time: time) }
        let budget =
            asksIssuer(failure.rel, in: state) ? limits.cardRetryBudget : limits.retryBudget
        return RetryBound(tries: tries, time: budget, leastTries: 3)
    }

    /// Whether the PSP asks the card's issuer before it answers.
    func asksIssuer(_ rel: Rel, in state: SessionState) -> Bool {
        switch rel {
        case .createAuthentication, .completeAuthentication, .attemptPayload: true
        case .startPaymentAttempt: state.attempt?.choice.instrument == .card
        default: false
        }
    }
}

extension Operation {
    /// Whether the HTTP method is one that operations of the PSP have.
    ///
    /// Source: payment session API, transport rules.
    fileprivate var hasUsableMethod: Bool {
        method.map { ["GET", "POST"].contains($0.uppercased()) } ?? true
    }

    /// Whether following it can't change anything.
    fileprivate var onlyReads: Bool { method.map { $0.uppercased() == "GET" } ?? true }
}

extension SessionState {
    /// Whether the running attempt has sent the payer to another app.
    var isAppRequested: Bool {
        actions.contains { action in
            guard case .launchApp = action.kind, action.attempt == attempt?.number else {
                return false
            }
            switch action.status {
            case .open, .shown, .answered(.launched): return true
            case .answered, .withdrawn: return false
            }
        }
    }

    /// Whether the PSP took a wallet's token for the running attempt.
    var isTokenAccepted: Bool {
        guard let number = attempt?.number else { return false }
        return actions.contains { $0.attempt == number && $0.verdict == .accepted }
    }

    /// The action that was requested for a task; one that was withdrawn is asked for anew when the PSP wants it again.
    func action(for key: TaskKey) -> ClientAction? {
        actions.last { $0.key == key && $0.status != .withdrawn }
    }
}
