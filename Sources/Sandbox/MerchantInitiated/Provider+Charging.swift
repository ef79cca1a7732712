extension SandboxOrder.Purpose {
    /// The kind of token with which the merchant charges the payer; `nil` when the payer takes
    /// part.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled purchases.
    var tokenKind: OrderDetails.TokenKind? {
        switch self {
        case .purchase, .verify: nil
        case .recur: .recurrence
        case .unscheduledPurchase: .unscheduled
        }
    }
}

extension Provider {
    /// The token for a merchant-initiated order; `nil` for all other orders.
    ///
    /// - Throws: 404 for an unknown token, 422 for a deleted one.
    func agreement(for request: SandboxOrder) throws(ProblemDetail) -> GeneratedToken? {
        guard let kind = request.purpose.tokenKind else { return nil }
        guard let entry = tokens.entry(request.details.agreementToken ?? ""),
            entry.token.kind == kind
        else { throw .unknownToken }
        guard !entry.isDeleted else { throw .inactiveToken }
        return entry.token
    }

    /// Charges a stored token: one attempt, which decides the order at once.
    func charge(_ order: inout PaymentOrder, by agreement: GeneratedToken) {
        guard agreement.method == MethodName.creditCard else {
            return order.charge(agreement, unless: nil, at: moment)
        }
        // The number of a card that was used elsewhere is unknown.
        let card = agreement.card?.number ?? agreement.token
        let record = tokens.refusals(of: card)
        let problem =
            record.isBlocked
            ? CardDecline.doNotRetry
            : CardDecline.problem(for: order.request.amount, tries: record.count + 1)
        order.charge(agreement, unless: problem, at: moment)
        guard let problem else { return }
        tokens.recordRefusal(of: card, blocks: problem.slug == CardDecline.doNotRetry.slug)
    }
}

extension PaymentOrder {
    /// Makes the only attempt of a merchant-initiated order.
    mutating func charge(
        _ agreement: GeneratedToken,
        unless problem: ProblemDetail?,
        at moment: Moment
    ) {
        begin(agreement.method, .none, by: .merchant, at: moment)
        attempts[0].card = agreement.card
        if let problem {
            outcome = .failed
            fail(0, with: problem, at: moment)
        } else {
            pay(0, at: moment)
        }
    }
}
