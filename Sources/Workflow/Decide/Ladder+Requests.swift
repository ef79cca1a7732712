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
        let setback = state.setback.flatMap { $0.rel == operation.rel ? $0 : nil }
        if let setback, isExhausted(setback, in: state) {
            return .record([.problem(requestFailed(setback, in: state))])
        }
        if let opening = state.opening, let until = state.leftBehind?.until(operation.rel),
            state.reading.lastAnswerAt.map({ $0 < until }) ?? true
        {
            return .call(read(in: state, opening, notBefore: until, isPoll: false))
        }
        if let setback, let opening = state.opening, asksFirst(after: setback, in: state) {
            return .call(read(in: state, opening, notBefore: setback.retryAt, isPoll: false))
        }
        var earliest = setback?.retryAt
        if let repetition = state.repetition, repetition.rel == operation.rel {
            let isOften = repetition.count >= limits.repetitions
            // One problem after another may be acknowledged, but never in a hurry.
            guard !isOften || setback != nil || operation.rel == .acknowledgeFailedAttempt else {
                return .record([
                    .problem(
                        inconsistency("\(operation.rel.rawValue) is asked for again and again")
                    )
                ])
            }
            if repetition.changedNothing || isOften {
                let pause = (state.reading.lastAnswerAt ?? state.lastAt) + limits.pollInterval
                earliest = max(earliest ?? pause, pause)
            }
        }
        return .call(
            OperationCall(
                id: EffectID(rawValue: "e-\(state.operationCount + 1)"),
                rel: operation.rel,
                method: operation.method,
                href: href,
                body: body,
                notBefore: earliest,
                attempt: state.attempt?.number,
                tryNumber: (setback?.tries ?? 0) + 1,
                isPoll: false
            )
        )
    }

    /// Reading the session by its own address, or by the running attempt's `get-payment` after a return.
    func read(
        in state: SessionState,
        _ opening: Opened,
        notBefore: Instant?,
        isPoll: Bool
    ) -> OperationCall {
        let operation = state.reading.need == .returned ? pollOperation(in: state) : nil
        return reading(
            operation,
            at: operation?.href ?? opening.sessionURL,
            in: state,
            notBefore: notBefore,
            isPoll: isPoll
        )
    }

    func reading(
        _ operation: Operation?,
        at href: Sealed,
        in state: SessionState,
        notBefore: Instant?,
        isPoll: Bool
    ) -> OperationCall {
        OperationCall(
            id: state.nextReadingEffect,
            rel: operation?.rel ?? .session,
            method: operation?.method ?? "GET",
            href: href,
            body: .none,
            notBefore: notBefore,
            attempt: state.attempt?.number,
            tryNumber: (state.reading.setback?.tries ?? 0) + 1,
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
        if let setback = state.reading.setback, isExhausted(setback, in: state) {
            return .record([.problem(requestFailed(setback, in: state))])
        }
        if let operation = pollOperation(in: state), let href = operation.href {
            return .call(
                reading(operation, at: href, in: state, notBefore: earliest, isPoll: true)
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
        let last = state.reading.lastAnswerAt ?? state.lastAt
        if let retryAt = state.reading.setback?.retryAt { return retryAt }
        let elapsed = (last - (state.reading.pollingSince ?? last)).wholeMicroseconds
        if state.attempt == nil, state.menu == nil, elapsed > limits.attempt.wholeMicroseconds {
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

    /// Whether a failing request has had its tries or its time.
    func isExhausted(_ setback: Setback, in state: SessionState) -> Bool {
        guard setback.retryAt != nil else { return true }
        let cap = cap(after: setback.failure, in: state)
        if setback.tries >= min(limits.tries, cap.tries ?? limits.tries) { return true }
        let elapsed = setback.lastAt - setback.since
        if let time = cap.time { return elapsed >= time }
        return setback.tries >= 3 && elapsed >= budget(of: setback, in: state)
    }

    /// Source: payment session API, time-outs: card requests have a longer budget.
    private func budget(of setback: Setback, in state: SessionState) -> Duration {
        asksIssuer(setback.rel, in: state) ? limits.cardRetryBudget : limits.retryBudget
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
    /// The identity of the next request that only reads.
    package var nextReadingEffect: EffectID { EffectID(rawValue: "r-\(reading.count + 1)") }

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
