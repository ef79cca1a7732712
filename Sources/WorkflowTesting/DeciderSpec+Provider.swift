internal import EventLog
public import SwedbankPay

extension DeciderSpec {
    /// Starts the pending request when it is due, and responds with a snapshot.
    public func when(
        response snapshot: Snapshot,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        when(
            outcome: .snapshot(snapshot, status: 200),
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Starts the pending request when it is due, and gives it an outcome.
    public func when(
        outcome: ProviderResponse.Outcome,
        retryIn pause: Duration = DeciderSpec.retryPause,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        let place = SpecLocation(fileID, filePath, line, column)
        var next = self
        guard let request = next.startOwed(at: place) else {
            report("no request is pending that could get a response", place)
            return self
        }
        next.clock.advance(by: Self.responseTime)
        next.process(
            .requestEnded(
                request.id,
                outcome,
                durationMilliseconds: Self.responseTime.milliseconds,
                retryAt: next.clock.now + pause
            ),
            at: place
        )
        return next
    }

    /// Starts the pending request when it is due, without a response yet.
    public func whenRequestLeaves(
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        let place = SpecLocation(fileID, filePath, line, column)
        var next = self
        if next.startOwed(at: place) == nil { report("no request is pending", place) }
        return next
    }

    /// Moves the clock to the time of a pending timer and fires it.
    public func whenDue(
        _ timer: SessionTimer,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        let place = SpecLocation(fileID, filePath, line, column)
        var next = self
        guard let due = decider.pendingEffects(of: state).timers.first(where: { $0.timer == timer })
        else {
            report("the timer \(timer) is not pending", place)
            return self
        }
        next.clock.advance(to: due.until)
        next.process(.timerFired(timer), at: place)
        return next
    }

    /// Applies a client's report on the newest action.
    public func when(
        client outcome: ReportOutcome,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        guard let action = state.actions.last else {
            report(
                "the client was given no action",
                SpecLocation(fileID, filePath, line, column)
            )
            return self
        }
        return when(
            .report(ActionReport(action: action.id, outcome: outcome)),
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// A payment that was opened and prepared, and whose methods were offered to the client.
    public func ready(
        _ snapshot: Snapshot = .withSwishAndCard,
        opened: Opened = .sample(),
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        [.unprepared, snapshot].reduce(
            when(.open(opened), fileID: fileID, filePath: filePath, line: line, column: column)
        ) { spec, response in
            spec.when(
                response: response,
                fileID: fileID,
                filePath: filePath,
                line: line,
                column: column
            )
        }
    }

    /// A payment whose attempt was opened at the PSP and is about to start.
    public func expanded(
        _ request: ChoiceRequest,
        _ snapshot: Snapshot = .withSwishAndCard,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        return ready(
            snapshot,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
        .when(.attempt(request), fileID: fileID, filePath: filePath, line: line, column: column)
        .when(
            response: snapshot.expanding(request.method),
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    mutating func startOwed(at place: SpecLocation) -> OperationRequest? {
        guard let request = decider.pendingEffects(of: state).requests.first else { return nil }
        if let earliest = request.notBefore { clock.advance(to: earliest) }
        if !request.onlyReads {
            process(.starting(request.id), at: place)
            if state.running == nil { return nil }
        }
        requests.append((request, clock.now))
        return request
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
