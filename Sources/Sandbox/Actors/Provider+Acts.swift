extension Provider {
    /// Performs another party's act on an order.
    ///
    /// - Throws: The PSP's refusal, if it would not permit the act.
    func carryOut(_ act: Act, on id: String) throws(ProblemDetail) -> Reply {
        var order = try order(id)
        switch act {
        case .deviceStarts(let method, let card):
            try order.startOnDevice(method, card: card, at: moment)
        case .devicePays(let method, let card):
            try order.payOnDevice(method, card: card, at: moment)
        case .deviceFails(let problem): try order.failOnDevice(problem, at: moment)
        case .portalCaptures(let amount): try transact(.capture, amount, of: &order)
        case .portalCancels: try transact(.cancellation, nil, of: &order)
        case .portalReverses(let amount): try transact(.reversal, amount, of: &order)
        case .portalAborts: try order.abortInPortal(at: moment)
        case .portalChangesAmount(let amount):
            try order.changeAmountInPortal(to: amount, at: moment)
        case .payerPrefersCard(let card): try order.prefer(card)
        case .methodReverses(let amount): try order.reverseByMethod(amount, at: moment)
        case .bankRefuses: try order.refuseByBank(at: moment)
        case .paymentFails: try order.failPayment(at: moment)
        }
        keep(order)
        return .ok(["order": .string(id), "status": .string(order.status)])
    }

    /// Performs a transaction from the portal, under a reference of the portal's own.
    private func transact(
        _ kind: TransactionKind,
        _ amount: Int?,
        of order: inout PaymentOrder
    )
        throws(ProblemDetail)
    {
        if let obstacle = order.obstacle(to: kind) { throw obstacle }
        let balance = order.balance
        let limit = kind == .reversal ? balance.reversible : balance.capturable
        let reference = "portal-\(order.nextTransaction)"
        use(reference, by: order.request)
        _ = try order.transact(
            TransactionRequest(
                kind,
                amount: kind == .cancellation ? nil : amount ?? limit,
                payeeReference: reference,
                description: "In the portal"
            ),
            bankTakes: configuration.bankReversalDelay,
            at: moment
        )
    }
}
