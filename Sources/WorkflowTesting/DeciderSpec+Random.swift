internal import EventLog
public import SwedbankPay

extension DeciderSpec {
    /// Applies `count` random inputs of a sequence to the payment.
    ///
    /// `check` is called after each input, with the input.
    public func when(
        random sequence: inout CommandSequence,
        count: Int,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column,
        check: (SessionInput, DeciderSpec) -> Void = { _, _ in }
    ) -> DeciderSpec {
        let place = SpecLocation(fileID, filePath, line, column)
        var next = self
        for _ in 0..<count {
            next.clock.advance(by: sequence.pause())
            let pending = next.decider.pendingEffects(of: next.state)
            let input = sequence.next(in: next.state, pending: pending, at: next.clock.now)
            next.process(input, at: place)
            check(input, next)
        }
        return next
    }

    /// Performs all pending effects, as an engine would, until the payment waits for its client or
    /// has ended.
    ///
    /// At most `limit` requests and timers are performed; `response` gives a request's outcome.
    public func settling(
        limit: Int,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column,
        response: (OperationRequest) -> ProviderResponse.Outcome
    ) -> DeciderSpec {
        let place = SpecLocation(fileID, filePath, line, column)
        var next = self
        if let running = next.state.running {
            next.process(
                .interrupted(running.start.effect, retryAt: next.clock.now + Self.retryPause),
                at: place
            )
        }
        for _ in 0..<limit where !next.decider.isSettled(next.state) {
            let pending = next.decider.pendingEffects(of: next.state)
            let timer = pending.timers.min { $0.until < $1.until }
            let due = pending.requests.first.map { $0.notBefore ?? next.clock.now }
            if let timer, timer.until <= due ?? timer.until {
                next.clock.advance(to: timer.until)
                next.process(.timerFired(timer.timer), at: place)
            } else if let request = next.startOwed(at: place) {
                next.clock.advance(by: Self.responseTime)
                next.process(
                    .requestEnded(
                        request.id,
                        response(request),
                        durationMilliseconds: 50,
                        retryAt: next.clock.now + Self.retryPause
                    ),
                    at: place
                )
            } else {
                break
            }
        }
        return next
    }
}
