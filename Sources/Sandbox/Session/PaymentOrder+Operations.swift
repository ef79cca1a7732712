extension PaymentOrder {
    /// Performs an operation of the session.
    ///
    /// Reading, telemetry and the payment menu's script are always possible; everything else only
    /// while it is offered.
    mutating func perform(
        _ key: OperationKey,
        _ body: JSON,
        at moment: Moment
    )
        throws(ProblemDetail) -> Reply
    {
        settle(at: moment)
        switch key.rel {
        case .getPayment: return .ok(snapshot())
        case .viewPayment:
            return Reply(status: 200, body: .script(menuScript), isShared: true)
        case .eventLogging:
            guard request.scenario.offersEventLogging else { throw refusal(of: key) }
            clientEvents.append(
                action: try RequestBodies.eventLogging(body),
                body: body,
                at: moment.date
            )
            return .noContent
        case .acknowledgeFailedAttempt:
            guard shownProblem?.attempt == key.round, request.scenario.acknowledgesProblems else {
                throw refusal(of: key)
            }
            shownProblem = nil
            return .noContent
        case .preparePayment, .expandMethod, .startPaymentAttempt, .createAuthentication,
            .completeAuthentication, .attemptPayload, .failPaymentAttempt, .customizePayment,
            .redirectPayer, .abortPayment:
            guard isAllowed(key) else { throw refusal(of: key) }
            try change(by: key, body, at: moment)
            settle(at: moment)
            updated = moment.date
            return .ok(snapshot())
        }
    }

    private func isAllowed(_ key: OperationKey) -> Bool {
        if offers().contains(key) { return true }
        return key.rel == .startPaymentAttempt && request.scenario.acceptsRepeatedStarts
            && runningIndex.map { attempts[$0].method } == key.method
    }

    private func refusal(of key: OperationKey) -> ProblemDetail {
        .operationNotAllowed("\(key.rel.rawValue) is not possible in the session's state.")
    }

    private mutating func change(
        by key: OperationKey,
        _ body: JSON,
        at moment: Moment
    )
        throws(ProblemDetail)
    {
        switch key.rel {
        case .preparePayment:
            try RequestBodies.preparePayment(body)
            isPrepared = true
        case .expandMethod:
            let method = key.method ?? ""
            try RequestBodies.expandMethod(body, method: method)
            expanded = method
        case .startPaymentAttempt:
            try start(key.method ?? "", body, at: moment)
        case .createAuthentication: try createAuthentication(body, at: moment)
        case .completeAuthentication: try completeAuthentication(body, at: moment)
        case .attemptPayload: try takePayload(body, at: moment)
        case .failPaymentAttempt: try failByClient(body, at: moment)
        case .customizePayment: try customize(body)
        case .abortPayment:
            let isBusy = runningIndex != nil && request.scenario.refusesAbortDuringAttempt
            guard request.scenario.abort == .offered, !isBusy else { throw refusal(of: key) }
            close(as: .aborted(reason: "Aborted by the payer"), at: moment)
        case .getPayment, .viewPayment, .eventLogging, .acknowledgeFailedAttempt, .redirectPayer:
            throw refusal(of: key)
        }
    }

    private mutating func failByClient(_ body: JSON, at moment: Moment) throws(ProblemDetail) {
        let kind = try RequestBodies.failPaymentAttempt(body)
        guard let index = runningIndex else { return }
        fail(index, with: clientProblem(kind, method: attempts[index].method), at: moment)
    }

    /// The problem that results from the client's report.
    ///
    /// - Note: Source: payment session API, `fail-payment-attempt`; only the problem type of a
    ///   failed launch is documented, the others are the closest in the catalogue.
    private func clientProblem(_ kind: String, method: String) -> ProblemDetail {
        switch kind {
        case "ClientAppLaunchFailed":
            return ProblemDetail(
                slug: "paymentorders/clientapplaunchfailed",
                status: 403,
                title: "Client app launch failed",
                detail: "The payment app could not be opened."
            )
        case "UserCancelled":
            if method == MethodName.creditCard { return Challenge.cancelled }
            return ProblemDetail(
                slug: "usercancelled",
                status: 403,
                title: "User cancelled",
                detail: "The payer cancelled the payment."
            )
        default:
            return ProblemDetail(
                slug: "systemerror",
                status: 500,
                title: "Technical error",
                detail: "The client could not carry out the payment."
            )
        }
    }
}
