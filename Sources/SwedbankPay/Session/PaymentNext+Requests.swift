internal import EventLog
internal import Workflow

extension PaymentRules {
    /// A request that changes something, with its retries, or the problem that prevents it.
    func request(
        _ operation: Operation,
        sending body: OperationBody,
        in state: PaymentState
    ) -> Step {
        guard let href = operation.href else {
            return .record([.problem(inconsistency(.noAddress, operation.rel.rawValue))])
        }
        guard operation.hasUsableMethod else {
            return .record([
                .problem(inconsistency(.unknownMethod, operation.rel.rawValue))
            ])
        }
        let failures = state.requests.failures(of: operation.rel)
        if let failures, isExhausted(failures, in: state) {
            return .record([.problem(requestFailed(failures.last, in: state))])
        }
        if let readable = state.requests.earliestRead(before: operation.rel) {
            return read(in: state, notBefore: readable, isPoll: false)
        }
        var earliest = failures?.last.retryAt
        if let failures, asksFirst(after: failures, in: state) {
            return read(in: state, notBefore: earliest, isPoll: false)
        }
        if let repetition = state.requests.repetition(of: operation.rel) {
            let isOften = repetition.count >= limits.repetitions
            // Several problems may be acknowledged one after the other, but never in quick
            // succession.
            guard !isOften || failures != nil || operation.rel == .acknowledgeFailedAttempt else {
                return .record([
                    .problem(
                        inconsistency(.requestedAgain, operation.rel.rawValue)
                    )
                ])
            }
            if repetition.changedNothing || isOften {
                let pause = pauseAfterResponse(in: state)
                earliest = max(earliest ?? pause, pause)
            }
        }
        return .request(
            change(operation.rel, operation.method, at: href, body, in: state, notBefore: earliest)
        )
    }

    /// Whether the session has to be read before a request that certainly had no effect is
    /// repeated.
    ///
    /// If the effect is uncertain, the session is read anyway, whatever the catalogue says.
    private func asksFirst(
        after failures: SessionRequests.FailedTries,
        in state: PaymentState
    ) -> Bool {
        let failure = failures.last
        guard failure.isSafeToResend, let status = failure.status,
            advice(on: failure.document, status, in: state).asksFirst
        else { return false }
        return !state.requests.wasRead(after: failures.lastAt)
    }

    /// Reads the session by its own address, or by the running attempt's `get-payment` after a
    /// return.
    func read(
        in state: PaymentState,
        notBefore: Instant?,
        isPoll: Bool
    ) -> Step {
        let operation =
            state.requests.need == .asked(.returned) ? pollOperation(in: state) : nil
        guard let address = operation?.href ?? state.opening?.sessionURL else { return .rest }
        return .request(
            reading(
                operation?.rel ?? .session,
                operation?.method,
                at: address,
                in: state,
                notBefore: notBefore,
                isPoll: isPoll
            )
        )
    }

    /// The `get-payment` to follow: one that is marked as next, otherwise the running attempt's,
    /// otherwise the session's.
    func pollOperation(in state: PaymentState) -> Operation? {
        guard let snapshot = state.snapshot else { return nil }
        let ofAttempt = state.attempt.flatMap {
            snapshot.operation(.getPayment, of: $0.choice.method)
        }
        return [snapshot.working(.getPayment), ofAttempt]
            .compactMap { $0 }.first { $0.href != nil && $0.onlyReads }
    }

    /// R20: while an attempt is in progress, or nothing can be chosen, the payment is polled.
    func pollStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        let isRunning = state.book.shown == .running
        guard state.attempt != nil || state.menu != nil || snapshot.methods.isEmpty || isRunning
        else { return nil }
        let earliest = nextPoll(in: state)
        if let failures = state.requests.readFailures, isExhausted(failures, in: state) {
            return .record([.problem(requestFailed(failures.last, in: state))])
        }
        if let operation = pollOperation(in: state), let href = operation.href {
            return .request(
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
        return read(in: state, notBefore: earliest, isPoll: true)
    }

    /// The time of the next poll: two seconds after the last response at first; after half a minute
    /// the pause grows to ten.
    ///
    /// - Note: Source: payment session API, polling.
    func nextPoll(in state: PaymentState) -> Instant {
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

    /// When to read again without any hint that something has changed.
    func pauseAfterResponse(in state: PaymentState) -> Instant {
        state.requests.afterLastResponse(limits.pollInterval, at: state.lastAt)
    }

}

extension SessionDecider {
    /// The pause between the last response and the next poll of a native payment; `nil` when it has
    /// not been read.
    package func pollInterval(of state: SessionState) -> Duration? {
        guard let payment = state.payment, let last = payment.requests.lastResponseAt else {
            return nil
        }
        return self.payment.nextPoll(in: payment) - last
    }
}

extension Operation {
    /// Whether the HTTP method is one that the PSP's operations have.
    ///
    /// - Note: Source: payment session API, transport rules.
    fileprivate var hasUsableMethod: Bool {
        method.map { ["GET", "POST"].contains($0.uppercased()) } ?? true
    }

    /// Whether following it can't change anything.
    fileprivate var onlyReads: Bool { method.map { $0.uppercased() == "GET" } ?? true }
}

extension PaymentState {
    /// Whether the running attempt has sent the payer to another app.
    var isAppRequested: Bool {
        progress.actions.contains { action in
            guard case .launchApp = action.kind, action.attempt == attempt?.number else {
                return false
            }
            switch action.status {
            case .open, .shown, .reported(.launched): return true
            case .reported, .withdrawn: return false
            }
        }
    }

    /// Whether the PSP accepted a wallet's token for the running attempt.
    var isTokenAccepted: Bool {
        guard let number = attempt?.number else { return false }
        return progress.actions.contains { $0.attempt == number && $0.verdict == .accepted }
    }

    /// The action that was requested for a task; a withdrawn one is requested again when the PSP
    /// requires it again.
    func action(for key: TaskKey) -> ClientAction? {
        progress.actions.last { $0.key == key && $0.status != .withdrawn }
    }
}
