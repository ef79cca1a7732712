extension SandboxOrder.Purpose {
    /// The kind of token with which the merchant pays without the payer; nil when the payer takes part.
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
    /// The token that an order without a payer is paid with; nil for all other orders.
    ///
    /// - Throws: 404 for a token that there is not, 422 for one that was deleted.
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
        // Nobody knows the number of a card that was paid with elsewhere.
        let card = agreement.card?.number ?? agreement.token
        let record = tokens.refusals(of: card)
        let problem =
            record.isBlocked
            ? CardDecline.doNotRetry
            : CardDecline.problem(for: order.request.amount, tries: record.count + 1)
        order.charge(agreement, unless: problem, at: moment)
        guard let problem else { return }
        tokens.noteRefusal(of: card, blocks: problem.slug == CardDecline.doNotRetry.slug)
    }
}

extension PaymentOrder {
    /// Makes the only attempt of an order without a payer.
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
