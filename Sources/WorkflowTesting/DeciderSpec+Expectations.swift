public import EventLog
public import SwedbankPay

extension DeciderSpec {
    /// Expects exactly these whole events from the newest input.
    ///
    /// A failure names each member that differs, each event that is missing, and each that the test
    /// did not name.
    @discardableResult
    public func then(
        _ events: SessionEvent...,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        compare(with: events, at: SpecLocation(fileID, filePath, line, column))
        return self
    }

    /// Expects exactly these whole events from the newest input, made from what the test gave.
    ///
    /// ```swift
    /// spec.when(response: .paid)
    ///     .then(
    ///         .succeeded(.startPaymentAttempt), .fetched(by: .startPaymentAttempt),
    ///         .completed(.redirect)
    ///     )
    /// ```
    @discardableResult
    public func then(
        _ events: ExpectedEvent...,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        var given = given
        var whole: [SessionEvent] = []
        for expected in events {
            whole.append(expected.event(given))
            given.sequence = given.sequence + 1
        }
        compare(with: whole, at: SpecLocation(fileID, filePath, line, column))
        return self
    }

    /// Expects events of exactly these types from the newest input.
    ///
    /// It compares no payload: only for a test about the order of events alone.
    @discardableResult
    public func then(
        types: String...,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        if rejection != nil || newest.map(\.typeName) != types {
            report(
                "expected \(types), got \(outcomeText)",
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    /// Expects that the newest input was accepted and led to no events.
    @discardableResult
    public func thenNothing(
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        if rejection != nil || !newest.isEmpty {
            report(
                "expected no events, got \(outcomeText)",
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    /// Expects that the newest input was rejected for this reason.
    @discardableResult
    public func then(
        rejected expected: Rejection,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        if rejection != expected {
            report(
                "expected the rejection \(expected), got \(outcomeText)",
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    /// Expects a pending request.
    ///
    /// The request must do `rel`. If they are given, it must also send `body`, be due `pause` after
    /// the newest event, and go to `href`.
    @discardableResult
    public func hasPending(
        _ rel: Rel,
        sending body: OperationBody? = nil,
        in pause: Duration? = nil,
        to href: Sealed? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        let place = SpecLocation(fileID, filePath, line, column)
        guard let request = decider.pendingEffects(of: state).requests.first else {
            report("expected the request \(rel.rawValue), but none is pending", place)
            return self
        }
        if request.rel != rel {
            report("expected the request \(rel.rawValue), not \(request.rel.rawValue)", place)
        }
        if let body, request.body != body {
            report("expected \(rel.rawValue) to send \(body), not \(request.body)", place)
        }
        if let href, request.href != href {
            report("\(rel.rawValue) goes to another address", place)
        }
        if let pause {
            let actual = (request.notBefore ?? state.lastAt) - state.lastAt
            if actual != pause {
                report("expected \(rel.rawValue) in \(pause), not in \(actual)", place)
            }
        }
        return self
    }

    /// Expects exactly these pending effects.
    @discardableResult
    public func hasPending(
        effects: [Effect],
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        let pending = decider.pendingEffects(of: state)
        if pending != effects {
            report(
                "expected the pending effects \(effects), not \(pending)",
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    /// Expects no pending request; timers may be pending.
    @discardableResult
    public func hasNoPendingRequest(
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        if let request = decider.pendingEffects(of: state).requests.first {
            report(
                "expected no request, but \(request.rel.rawValue) is pending",
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    /// Expects that the payment waits for its client or has ended, or that it does not.
    @discardableResult
    public func isSettled(
        _ expected: Bool = true,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        if decider.isSettled(state) != expected {
            report(
                "the payment is \(expected ? "not " : "")settled",
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    /// Expects that the payment has ended with this outcome.
    @discardableResult
    public func ended(
        _ outcome: Outcome?,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        if state.outcome != outcome {
            report(
                "expected the end \(String(describing: outcome)), not "
                    + String(describing: state.outcome),
                SpecLocation(fileID, filePath, line, column)
            )
        }
        return self
    }

    private func compare(with expected: [SessionEvent], at place: SpecLocation) {
        guard rejection == nil else {
            report("expected \(expected.map(\.typeName)), got \(outcomeText)", place)
            return
        }
        if newest == expected { return }
        let difference = EventDifference(expected: expected, actual: newest)
        report(difference.lines.joined(separator: "\n"), place)
    }

    private var outcomeText: String {
        rejection.map { "the refusal \($0)" } ?? "\(newest.map(\.typeName)): \(newest)"
    }
}

extension SessionEvent {
    /// The type's name in the log.
    public var typeName: String { EventCodec.typeName(of: self) }
}
