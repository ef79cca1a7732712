internal import EventLog
internal import Workflow

extension PaymentRules {
    /// R13 to R16: the invisible method request, the start of authentication, the challenge and its
    /// result.
    func authenticationStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        let working = snapshot.workingOperations(for: state.attempt?.choice.method) {
            !$0.tasks.isEmpty || $0.rel == .createAuthentication
                || $0.rel == .completeAuthentication
        }
        guard !working.isEmpty else { return nil }
        if let step = methodStep(in: state, working) { return step }
        if let operation = working.first(where: { $0.rel == .createAuthentication }) {
            return createAuthentication(operation, in: state)
        }
        for operation in working {
            for task in operation.tasks where task.rel == .scaRedirect {
                return challengeStep(task, of: operation, snapshot, working, in: state)
            }
        }
        return nil
    }

    /// R13: requested once for each task; what follows waits for the report or the time limit.
    private func methodStep(in state: PaymentState, _ working: [Operation]) -> Step? {
        for operation in working {
            for task in operation.tasks where task.rel == .scaMethodRequest && task.href != nil {
                let key = task.key(in: operation.rel, attempt: state.attempt?.number)
                guard let action = state.action(for: key) else {
                    let request = TaskRequested(
                        action: state.nextAction,
                        key: key,
                        attempt: state.attempt?.number,
                        task: task
                    )
                    return ask(.threeDSMethodRequested(request), in: state)
                }
                if action.isOpen { return .rest }
            }
        }
        return nil
    }

    /// R14: with the method request's result, otherwise the preset one, otherwise "unknown".
    private func createAuthentication(_ operation: Operation, in state: PaymentState) -> Step {
        guard let notificationURL = operation.sealed(.notificationURL) else {
            return .record([.problem(inconsistency(.noNotificationURL))])
        }
        var indicator = operation.presetIndicator ?? .unknown
        for task in operation.tasks where task.rel == .scaMethodRequest {
            let key = task.key(in: operation.rel, attempt: state.attempt?.number)
            if let result = state.action(for: key)?.methodResult { indicator = result }
        }
        return request(
            operation,
            sending: .authentication(indicator: indicator, notificationURL: notificationURL),
            in: state
        )
    }

    /// R15 and R16: the challenge is requested once, and its result is submitted.
    private func challengeStep(
        _ task: IntegrationTask,
        of operation: Operation,
        _ snapshot: Snapshot,
        _ working: [Operation],
        in state: PaymentState
    ) -> Step? {
        guard task.href != nil else {
            return .record([.problem(inconsistency(.noChallengeAddress))])
        }
        let key = task.key(in: operation.rel, attempt: state.attempt?.number)
        guard let action = state.action(for: key) else {
            let request = TaskRequested(
                action: state.nextAction,
                key: key,
                attempt: state.attempt?.number,
                task: task,
                notificationURL: state.notificationURL
            )
            return ask(.threeDSRequested(request), in: state)
        }
        if action.status == .reported(.canceled) {
            return clientFailureStep(.userCancelled, nil, in: state, snapshot)
                ?? challengeClosed(in: state)
        }
        guard case .reported(.challengeCompleted(let cRes)) = action.status else { return nil }
        guard let complete = working.first(where: { $0.rel == .completeAuthentication }) else {
            return nil
        }
        return request(complete, sending: .challengeResult(cRes: cRes), in: state)
    }

    /// The payer left the issuer's page: a retry requests it again, unless the PSP ends the
    /// attempt.
    private func challengeClosed(in state: PaymentState) -> Step? {
        guard state.problem == nil else { return nil }
        return .record([
            .problem(
                Problem(
                    origin: .client,
                    kind: .challengeClosed,
                    isRetryable: true,
                    actor: .payer
                )
            )
        ])
    }

    /// R17: the app is opened once for each task; an app that could not be opened is reported to
    /// the PSP.
    func appLaunchStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        let working = snapshot.workingOperations(for: state.attempt?.choice.method) {
            !$0.tasks.isEmpty
        }
        for operation in working {
            for task in operation.tasks where task.rel == .launchClientApp {
                guard task.href != nil, task.hasLaunchableScheme else {
                    return .record([.problem(inconsistency(.closedAppAddress))])
                }
                let key = task.key(in: operation.rel, attempt: state.attempt?.number)
                guard let action = state.action(for: key) else {
                    let request = TaskRequested(
                        action: state.nextAction,
                        key: key,
                        attempt: state.attempt?.number,
                        task: task
                    )
                    let callback = task.scheme == "swish" ? state.orderURLs.payment : nil
                    return ask(
                        .externalAppRequested(
                            ExternalAppRequested(request: request, callbackURL: callback)
                        ),
                        in: state
                    )
                }
                if action.hasFailed { return launchFailureStep(in: state, snapshot) }
            }
        }
        return nil
    }

    private func launchFailureStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        if let step = clientFailureStep(.appLaunchFailed, nil, in: state, snapshot) { return step }
        guard state.problem == nil else { return nil }
        return .record([
            .problem(
                Problem(
                    origin: .client,
                    kind: .appLaunchFailed,
                    isRetryable: true,
                    actor: .payer
                )
            )
        ])
    }
}

extension ClientAction {
    /// The result of a method request that ended.
    var methodResult: CompletionIndicator? {
        switch status {
        case .reported(.done): .completed
        case .reported(.failed): .failed
        case .reported(.timedOut): .unknown
        case .reported, .open, .shown, .withdrawn: nil
        }
    }
}

extension IntegrationTask {
    /// Whether a client may be given the address to open: a page, or an app's own scheme.
    ///
    /// A scheme that acts inside a browser, on files or on the system does not belong to an app to
    /// pay with.
    var hasLaunchableScheme: Bool {
        guard let scheme else { return false }
        return scheme == "https" || CallbackScheme(scheme) != nil
    }
}
