import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// Everything visible of a state, as text: what is shown, what comes next, what is allowed.
struct FoldAccount {
    let decider: SessionDecider

    /// Returns the text of a state.
    func text(of state: SessionState) -> String {
        let next = decider.next(in: state)
        return [
            summary(of: state), JSONDocument.text(view(of: state)), step(next),
            decider.timers(in: state).map { "\($0.timer.name) \($0.until)" }.joined(separator: " "),
            state.requests.inFlight.map { $0.start.effect.rawValue } ?? "-",
            decisions(in: state),
        ].joined(separator: "\n")
    }

    private func summary(of state: SessionState) -> String {
        let row = decider.summary(of: state)
        let members: [Any?] = [
            row.session, row.phase, row.outcome, row.isSettled, row.lastSequence, row.openedAt,
            row.lastAt, row.reference, row.label, row.problem, row.dueAt, state.isOver,
            state.metadata.count, state.callbackScheme, state.orderURLs.payment?.shown,
        ]
        return members.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
    }

    private func view(of state: SessionState) -> JSONValue {
        SessionView(state, by: decider, disclosing: .masked).json
    }

    private func step(_ next: Workflow.NextStep<SessionDecider>) -> String {
        switch next {
        case .rest: "rest"
        case .record(let events): "record " + events.map(text).joined(separator: " ")
        case .request(let request):
            """
            call \(request.id.rawValue) \(request.rel.rawValue) \(request.method ?? "-") \(request.href) \
            \(name(of: request.body)) \(request.notBefore.map { "\($0)" } ?? "-") \
            \(request.attempt ?? 0) \(request.tryNumber) \(request.isPoll)
            """
        }
    }

    private func name(of body: OperationBody) -> String {
        Mirror(reflecting: body).children.first?.label ?? "\(body)"
    }

    /// Returns an event in its stored form.
    private func text(_ event: SessionEvent) -> String {
        var writer = CanonicalWriter()
        event.writeData(to: &writer)
        return event.typeName + String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns the results of commands, and how they are rejected.
    private func decisions(in state: SessionState) -> String {
        let now = state.lastAt + .seconds(3)
        let native = SessionID(at: Instant(microseconds: 0), random: (9, 9))
        let found = MoneyResolution(verdict: .paid, amount: 5)
        let commands: [SessionCommand] = [
            .attempt(.swish(msisdn: nil)), .attempt(.card(rank: 1)), .menu(.menu),
            .menu(.instrument(.creditCard)), .returned(.original), .retry(by: "a"),
            .refetch(by: "a"), .refetch(by: SessionDecider.closing), .abort(by: "a"),
            .callback(CallbackReceived(digest: .zero)),
            .close(OperatorActed(by: "a", action: SessionDecider.closing, reason: "r")),
            .recordOperator(
                OperatorActed(
                    by: "a",
                    action: OperatorActed.resolving,
                    reason: "r",
                    resolution: found
                )
            ),
            .checkout(.instrument(.swish)), .checkout(.handOver(native)),
            .checkout(.handBack(HandedBack(session: native, outcome: .completed))),
            .checkout(
                .transact(
                    TransactionRequest(
                        kind: .capture,
                        payeeReference: "CAP99",
                        amount: 100,
                        vatAmount: 20,
                        description: "x"
                    )
                )
            ),
        ]
        var inputs = commands.map { SessionInput.command($0) }
        inputs.append(.timerFired(.sessionLimit))
        if let running = state.running {
            inputs.append(.interrupted(running.start.effect, retryAt: now))
        }
        for action in state.actions.suffix(2) {
            for outcome in [ReportOutcome.shown, .completed, .canceled, .failed(error: nil)] {
                inputs.append(.report(ActionReport(action: action.id, outcome: outcome)))
            }
        }
        return inputs.map { outcome(of: $0, in: state, at: now) }.joined(separator: " ")
    }

    private func outcome(of input: SessionInput, in state: SessionState, at now: Instant) -> String
    {
        do {
            let events = try decider.decide(input, in: state, at: now)
            return events.map(\.typeName).joined(separator: "+")
        } catch {
            return error.code
        }
    }
}
