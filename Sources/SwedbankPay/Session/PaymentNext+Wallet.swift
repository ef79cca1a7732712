internal import EventLog
internal import Workflow

extension PaymentRules {
    /// R12: the wallet is requested once for each task; its token is submitted, its failure is
    /// reported.
    ///
    /// Only the attempt's own method counts: another method's operation of that kind would receive
    /// the wrong token (flaw F-35).
    func walletStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard let attempt = state.attempt, attempt.choice.instrument.isWallet else { return nil }
        let method = attempt.choice.method
        guard let operation = snapshot.payloadOperation(of: method),
            let task = operation.tasks.first(where: { $0.rel == .walletSDK })
        else { return nil }
        let key = task.key(in: operation.rel, attempt: attempt.number)
        guard let action = state.action(for: key) else {
            let request = TaskRequested(
                action: state.nextAction,
                key: key,
                attempt: attempt.number,
                task: task
            )
            return ask(
                .walletRequested(WalletRequested(request: request, method: method)),
                in: state
            )
        }
        switch action.status {
        case .reported(.authorized(let payload)):
            // A token that the PSP accepted is not submitted again, however long the session still
            // offers the operation.
            guard action.verdict == nil else { return nil }
            return request(
                operation,
                sending: .walletPayload(method: method, payload: payload),
                in: state
            )
        case .reported(.canceled):
            return clientFailureStep(.userCancelled, nil, in: state, snapshot)
                ?? walletFailed(.walletClosed, nil)
        case .reported(.failed(let error)):
            return clientFailureStep(.technicalError, error, in: state, snapshot)
                ?? walletFailed(nil, error)
        case .reported, .open, .shown, .withdrawn: return nil
        }
    }

    /// Reports to the PSP why the client can't continue, if the PSP offers that.
    func clientFailureStep(
        _ failure: ClientFailure,
        _ error: OutsideText?,
        in state: PaymentState,
        _ snapshot: Snapshot
    ) -> Step? {
        let ofAttempt = state.attempt.flatMap {
            snapshot.operation(.failPaymentAttempt, of: $0.choice.method)
        }
        guard let operation = ofAttempt ?? snapshot.sessionOperation(.failPaymentAttempt) else {
            return nil
        }
        return request(operation, sending: .clientFailure(failure, errorCode: error), in: state)
    }

    private func walletFailed(_ cause: ProblemCause?, _ error: OutsideText?) -> Step {
        .record([
            .problem(
                Problem(
                    origin: .client,
                    kind: .walletFailed,
                    code: cause?.rawValue,
                    detail: error,
                    isRetryable: false,
                    actor: .payer
                )
            )
        ])
    }
}

extension Snapshot {
    /// The operation that accepts a wallet's token: the method's own, or one of the session.
    fileprivate func payloadOperation(of method: PaymentMethodName) -> Operation? {
        let operation = operation(.attemptPayload, of: method) ?? sessionOperation(.attemptPayload)
        guard let operation, workingOperations.contains(operation) else { return nil }
        return operation
    }
}
