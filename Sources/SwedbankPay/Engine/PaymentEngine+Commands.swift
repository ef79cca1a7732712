public import EventLog
public import Workflow

extension PaymentEngine {
    /// Starts an attempt to pay.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the session's state does not allow it.
    @discardableResult
    public func attempt(
        _ session: SessionID,
        with choice: AttemptRequest,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.attempt".caused(by: key)) { secrets, keys, _ in
            .command(.attempt(choice.sealed(in: &secrets, with: keys)))
        }
    }

    /// Pays on the PSP's own page: a menu of methods, or one of them.
    ///
    /// The client is asked to show that page (`showMenu`). Repeating the command while the page is
    /// open has no effect.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the session's state does not allow it or a
    ///   method is not offered.
    @discardableResult
    public func menu(
        _ session: SessionID,
        showing mode: MenuMode = .menu,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.menu".caused(by: key)) { _, _, _ in
            .command(.menu(mode))
        }
    }

    /// Records the client's report about an action; repeating the same report has no effect.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` for an unknown action or one with a different report.
    @discardableResult
    public func report(
        _ session: SessionID,
        action: ActionID,
        _ response: ClientReport,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "report.\(action.rawValue)".caused(by: key)) {
            secrets,
            keys,
            _ in
            .report(
                ActionReport(
                    action: action,
                    outcome: response.sealed(in: &secrets, with: keys)
                )
            )
        }
    }

    /// Records that the payer returned with an address.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the address is not the session's payment URL.
    @discardableResult
    public func returned(
        _ session: SessionID,
        with address: String,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        // The payment URL may be sealed.
        let known = try await secrets(of: session)
        return try await drive(session, cause: "command.return".caused(by: key)) { _, _, state in
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

    /// Retries the failed request.
    @discardableResult
    public func retry(
        _ session: SessionID,
        by who: String = "host",
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.retry".caused(by: key)) { _, _, _ in
            .command(.retry(by: who))
        }
    }

    /// Reads the session again, or the order of a checkout.
    @discardableResult
    public func refetch(
        _ session: SessionID,
        by who: String = "host",
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.refetch".caused(by: key)) { _, _, _ in
            .command(.refetch(by: who))
        }
    }

    /// Aborts the session at the PSP.
    @discardableResult
    public func abort(
        _ session: SessionID,
        by who: String = "host",
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.abort".caused(by: key)) { _, _, _ in
            .command(.abort(by: who))
        }
    }

    /// Records that an operator read sealed values or intervened, also after the end.
    ///
    /// - Returns: The session's state, once the record is durable.
    /// - Throws: ``EngineError/rejected(_:)`` for a statement with a ``OperatorActed/flaw``, or a
    ///   finding about money whose outcome is known.
    @discardableResult
    public func record(
        _ acted: OperatorActed,
        in session: SessionID,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.\(acted.action)".caused(by: key)) { _, _, _ in
            .command(.recordOperator(acted))
        }
    }

    /// Ends a session that can never settle, as an operator decided.
    ///
    /// The session is read once more first, so that its end records the PSP's current view of the
    /// money; if the PSP cannot be reached, the end records that the state of the money is unknown.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - acted: Who decided it, with ``SessionDecider/closing`` as the action and with the
    ///     reason.
    ///   - key: The key of the request for it, if it has one.
    /// - Returns: The session's state after its end.
    /// - Throws: ``EngineError/rejected(_:)`` when something is still in progress, no reason is
    ///   given, or the statement has a ``OperatorActed/flaw``.
    @discardableResult
    public func close(
        _ session: SessionID,
        by acted: OperatorActed,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        // Not a rule of the decision: the replay of an earlier log would refuse its reason.
        if let flaw = acted.flaw { throw .rejected(.malformedStatement(flaw)) }
        try await readBeforeClosing(session)
        return try await drive(session, cause: "command.close".caused(by: key)) { _, _, _ in
            .command(.close(acted))
        }
    }

    /// Reads a session that is about to be closed, and waits until it was read or could not be.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when something is still in progress; the session is
    ///   then not read.
    public func readBeforeClosing(_ session: SessionID) async throws(EngineError) {
        let known = try await state(of: session)
        do throws(Rejection) {
            try decider.mayClose(known)
        } catch {
            throw .rejected(error)
        }
        let changes = try await updates(of: session)
        var state = try await refetch(session, by: SessionDecider.closing)
        guard state.outcome == nil, !decider.isSettled(state) else { return }
        for await update in changes {
            state = update.state
            if state.outcome != nil || update.isSettled { return }
        }
    }

    /// Resumes a session: whatever is due is done.
    @discardableResult
    public func resume(_ session: SessionID) async throws(EngineError) -> SessionState {
        let state = try await wake(session)
        await relate(state)
        return state
    }
}
