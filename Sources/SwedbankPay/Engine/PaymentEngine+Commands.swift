public import EventLog
public import Workflow

extension PaymentEngine {
    /// Starts an attempt to pay.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the session's state does not allow it.
    @discardableResult
    public func attempt(
        _ session: SessionID,
        with choice: AttemptRequest
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.attempt") { secrets, keys, _ in
            .command(.attempt(choice.sealed(in: &secrets, with: keys)))
        }
    }

    /// Pays on the PSP's own page: a menu of methods, or one of them.
    ///
    /// The client is asked to show that page (`showMenu`); the same wish again, while it is open, changes nothing.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the session's state does not allow it, or a method is not offered.
    @discardableResult
    public func menu(
        _ session: SessionID,
        showing mode: MenuMode = .menu
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.menu") { _, _, _ in .command(.menu(mode)) }
    }

    /// Takes what the client did about an action; the same report twice is fine.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` for an unknown action or one that was answered differently.
    @discardableResult
    public func report(
        _ session: SessionID,
        action: ActionID,
        _ answer: ClientAnswer
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "report.\(action.rawValue)") { secrets, keys, _ in
            .report(
                ClientReport(
                    action: action,
                    outcome: answer.sealed(in: &secrets, with: keys)
                )
            )
        }
    }

    /// The payer came back with an address.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when it is not the session's payment URL.
    @discardableResult
    public func returned(
        _ session: SessionID,
        with address: String
    ) async throws(EngineError) -> SessionState {
        // The payment URL may be sealed.
        let known = try await secrets(of: session)
        return try await drive(session, cause: "command.return") { _, _, state in
            let form = state.orderURLs.payment.flatMap { known.clear($0) }.flatMap {
                ReturnURL.match(
                    address,
                    paymentURL: $0,
                    callbackScheme: state.callbackScheme
                )
            }
            return .command(.returned(form))
        }
    }

    /// Does again what failed in a retryable way.
    @discardableResult
    public func retry(
        _ session: SessionID,
        by who: String = "host"
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.retry") { _, _, _ in .command(.retry(by: who)) }
    }

    /// Reads the session anew, or the order of a checkout.
    @discardableResult
    public func refetch(
        _ session: SessionID,
        by who: String = "host"
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.refetch") { _, _, _ in .command(.refetch(by: who))
        }
    }

    /// Gives up the session at the PSP.
    @discardableResult
    public func abort(
        _ session: SessionID,
        by who: String = "host"
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.abort") { _, _, _ in .command(.abort(by: who)) }
    }

    /// Records that a person looked at sealed values or intervened; also after the end.
    ///
    /// - Returns: The session, when the record is durable.
    @discardableResult
    public func record(
        _ acted: OperatorActed,
        in session: SessionID
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.\(acted.action)") { _, _, _ in
            .command(.recordOperator(acted))
        }
    }

    /// Ends a session that can never settle, as a person decided.
    ///
    /// The session is read once more before, so that its end says of the money what the PSP says then; where the PSP can't be
    /// reached, the end says that the money is unknown.
    ///
    /// - Parameter acted: Who decided it, with ``SessionDecider/closing`` as what they did and the reason why.
    /// - Throws: ``EngineError/rejected(_:)`` when something is still going on, or no reason is given.
    @discardableResult
    public func close(
        _ session: SessionID,
        by acted: OperatorActed
    ) async throws(EngineError) -> SessionState {
        try await readBeforeClosing(session)
        return try await drive(session, cause: "command.close") { _, _, _ in
            .command(.close(acted))
        }
    }

    /// Reads a session that is about to be closed, and waits until it was read or could not be.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when something is still going on: then it is not read either.
    public func readBeforeClosing(_ session: SessionID) async throws(EngineError) {
        let known = try await state(of: session)
        do throws(Rejection) {
            try decider.mayClose(known)
        } catch {
            throw .rejected(error)
        }
        let news = try await updates(of: session)
        var state = try await refetch(session, by: SessionDecider.closing)
        guard state.outcome == nil, !decider.isSettled(state) else { return }
        for await update in news {
            state = update.state
            if state.outcome != nil || update.isSettled { return }
        }
    }

    /// Takes up a session again: whatever is due is caught up.
    @discardableResult
    public func resume(_ session: SessionID) async throws(EngineError) -> SessionState {
        let state = try await wake(session)
        await relate(state)
        return state
    }
}
