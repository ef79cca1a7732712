extension PaymentOrder {
    /// The operations that the session permits now.
    struct Offers: Sendable {
        var session: [Offer] = []
        var methods: [String: [Offer]] = [:]

        /// Whether the operation is among them.
        func contains(_ key: OperationKey) -> Bool {
            if session.contains(where: { $0.key == key }) { return true }
            return key.method.flatMap { methods[$0] }?.contains { $0.key == key } ?? false
        }
    }

    /// Returns what the session permits now.
    ///
    /// An operation is performed if and only if it is offered, so a stale href results in a 409.
    func offers() -> Offers {
        guard isPrepared else {
            return Offers(session: [Offer(key: OperationKey(rel: .preparePayment), next: true)])
        }
        let scenario = request.scenario
        let logging =
            scenario.offersEventLogging ? [Offer(key: OperationKey(rel: .eventLogging))] : []
        if let outcome {
            guard redirectURL(after: outcome) != nil else { return Offers(session: logging) }
            let redirect = Offer(key: OperationKey(rel: .redirectPayer), next: true)
            return Offers(session: [redirect] + logging)
        }
        let view = [Offer(key: OperationKey(rel: .viewPayment))]
        let abort = scenario.abort == .absent ? [] : [Offer(key: OperationKey(rel: .abortPayment))]
        var offers = Offers(session: abort + view + logging)
        if let index = runningIndex {
            offers.methods[attempts[index].method] = running(attempts[index])
        } else if shownProblem == nil || !scenario.acknowledgesProblems {
            if scenario.customizing != .absent {
                offers.session.insert(Offer(key: OperationKey(rel: .customizePayment)), at: 0)
            }
            for method in visibleMethods where MethodName.isNative(method) {
                let rel: Rel = expanded == method ? .startPaymentAttempt : .expandMethod
                offers.methods[method] = [
                    Offer(key: OperationKey(rel: rel, method: method, round: attempts.count))
                ]
            }
        }
        return offers
    }

    /// The URL to which the payer is redirected now that the order is over; `nil` when the PSP does
    /// not specify it.
    func redirectURL(after outcome: Outcome) -> String? {
        switch outcome {
        case .paid: request.urls.completeURL
        case .aborted: request.urls.cancelURL
        case .failed: nil
        }
    }

    private func running(_ attempt: Attempt) -> [Offer] {
        func offer(_ rel: Rel, next: Bool = false) -> Offer {
            Offer(
                key: OperationKey(rel: rel, method: attempt.method, round: attempt.number),
                next: next
            )
        }
        var step: Offer
        switch attempt.stage {
        case .swish(let payment):
            step = offer(.getPayment, next: true)
            guard let link = payment.appLink else { return [step] }
            step.tasks = [["rel": "launch-client-app", "href": .string(link), "method": "GET"]]
        case .authentication(let challenge):
            step = offer(.createAuthentication, next: true)
            step.expects = expectations(
                of: challenge,
                usesMethod: attempt.authentication.usesMethod
            )
            if attempt.authentication.usesMethod { step.tasks = [methodTask(for: challenge)] }
        case .challenge(let challenge):
            step = offer(.completeAuthentication, next: true)
            step.tasks = [challengeTask(for: challenge)]
        case .wallet:
            step = offer(.attemptPayload, next: true)
            step.tasks = [WalletTask.document(for: attempt.method, order: request)]
        case .acquirer:
            return [offer(.getPayment, next: true)]
        case .paid, .failed, .aborted:
            return []
        }
        return [step, offer(.failPaymentAttempt)]
    }
}
