import FoundationEssentials

extension PaymentOrder {
    /// Starts an attempt with one of the native methods.
    mutating func start(_ method: String, _ body: JSON, at moment: Moment) throws(ProblemDetail) {
        var reader = RequestBodies.startPaymentAttempt(body)
        switch method {
        case MethodName.swish:
            let msisdn = reader.optionalString("msisdn")
            if !reader.has("msisdn") { reader.refuse("msisdn", "is required, null included") }
            if let msisdn, !SwishNumber.isValid(msisdn) {
                reader.refuse("msisdn", "must be + and 7 to 15 digits")
            }
            try reader.finish()
            begin(method, .none, by: .client, at: moment)
            askSwish(thisDevice: msisdn == nil, at: moment)
        case MethodName.creditCard:
            let token = reader.string("paymentToken")
            let saved = cards.first { $0.paymentToken == token }
            if !token.isEmpty, saved == nil { reader.refuse("paymentToken", "is not known") }
            try reader.finish()
            begin(method, saved?.card.authentication ?? .none, by: .client, at: moment)
            attempts[attempts.count - 1].card = saved?.card
            authenticateOrAuthorize(attempts.count - 1, at: moment)
        default:
            try reader.finish()
            let authenticates = request.scenario.authenticatesWallets
            begin(
                method,
                CardAuthentication(usesMethod: authenticates, challenges: authenticates),
                by: .client,
                at: moment
            )
        }
    }

    /// Accepts the wallet's payload.
    ///
    /// - Note: Source: payment session API, `attempt-payload`.
    mutating func takePayload(_ body: JSON, at moment: Moment) throws(ProblemDetail) {
        guard let index = runningIndex else { return }
        var reader = BodyReader(body)
        let method = reader.string("paymentMethod")
        if !method.isEmpty, method != attempts[index].method {
            reader.refuse("paymentMethod", "must be \(attempts[index].method)")
        }
        let payload = reader.string("paymentPayload")
        if !payload.isEmpty, Data(base64Encoded: payload) == nil {
            reader.refuse("paymentPayload", "must be base64")
        }
        try reader.finish()
        authenticateOrAuthorize(index, at: moment)
    }

    /// Starts an authentication if the issuer requires one; otherwise requests the money.
    private mutating func authenticateOrAuthorize(_ index: Int, at moment: Moment) {
        guard attempts[index].authentication != .none else {
            return authorize(index, at: moment)
        }
        authenticate(index, at: moment)
    }

    /// Starts the authentication of a card.
    mutating func authenticate(_ index: Int, at moment: Moment) {
        let challenge = Challenge(deadline: moment.now + timing.challenge)
        issue(challenge.id, .challenge(order: id))
        issue(challenge.notification, .notification(order: id))
        attempts[index].stage = .authentication(challenge)
    }

    /// Adds an attempt that starts now to the order and its history.
    mutating func addAttempt(
        _ method: String,
        _ authentication: CardAuthentication,
        as stage: Attempt.Stage,
        by starter: LedgerAttempt.Starter,
        at moment: Moment
    ) {
        attempts.append(
            Attempt(
                number: attempts.count + 1,
                startedBy: starter,
                amount: request.amount,
                vatAmount: request.vatAmount,
                method: method,
                transaction: number * 100 + attempts.count + 1,
                started: moment.date,
                authentication: authentication,
                stage: stage
            )
        )
        note("PaymentAttemptStarted", by: .payer, instrument: method, at: moment)
    }

    /// Records a new attempt, in the initial stage of wallets.
    mutating func begin(
        _ method: String,
        _ authentication: CardAuthentication,
        by starter: LedgerAttempt.Starter,
        at moment: Moment
    ) {
        shownProblem = nil
        expanded = nil
        addAttempt(method, authentication, as: .wallet, by: starter, at: moment)
        mostAttemptsAtOnce = max(mostAttemptsAtOnce, attempts.count { $0.isRunning })
    }

    /// Passes the newest attempt to the simulated Swish.
    private mutating func askSwish(thisDevice: Bool, at moment: Moment) {
        let index = attempts.count - 1
        let token = thisDevice ? OpaqueToken.make() : nil
        if let token { issue(token, .swish(order: id, attempt: attempts[index].number)) }
        let delay: Duration? =
            switch request.scenario.swishApproval {
            case .standard: thisDevice ? timing.swishThisDevice : timing.swishOtherDevice
            case .after(let delay): delay
            case .byPayer: nil
            }
        let outcome = SwishOutcome.asked(by: request.description)
        attempts[index].stage = .swish(
            SwishPayment(token: token, endsAt: delay.map { moment.now + $0 }, outcome: outcome)
        )
    }
}
