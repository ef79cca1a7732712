extension Provider {
    /// Creates an order from the body of `POST /psp/paymentorders`.
    func createOrder(
        _ request: SandboxOrder,
        expanding parts: Set<OrderPart> = []
    )
        throws(ProblemDetail) -> Reply
    {
        let order = try create(request)
        return Reply(status: 201, body: .json(order.document(expanding: parts)))
    }

    /// Creates an order for the program that hosts the sandbox.
    func createInProcess(_ request: SandboxOrder) throws(SandboxError) -> PaymentOrder {
        do throws(ProblemDetail) {
            return try create(request)
        } catch {
            throw SandboxError.refused(
                fields: error.fields.map(\.name),
                detail: error.detail
            )
        }
    }

    /// Ends an order as if it had been finished elsewhere, on another device or in a browser.
    func finishElsewhere(
        _ id: String,
        as outcome: String,
        method: String?
    )
        throws(ProblemDetail) -> Reply
    {
        var order = try order(id)
        guard order.outcome == nil else { throw .forbidden("The order is over.") }
        switch outcome {
        case "paid":
            order.payElsewhere(
                method ?? order.visibleMethods.first ?? MethodName.creditCard,
                by: .otherDevice,
                at: moment
            )
        case "aborted": order.close(as: .aborted(reason: "Aborted elsewhere"), at: moment)
        case "failed": order.close(as: .failed, at: moment)
        default:
            throw .inputError([
                FieldProblem(name: "as", description: "must be paid, aborted or failed")
            ])
        }
        keep(order)
        return .ok(["order": .string(id), "status": .string(order.status)])
    }
}

extension PaymentOrder {
    /// Pays in the payment menu or on another device.
    mutating func payElsewhere(
        _ method: String,
        card: TestCard? = nil,
        by starter: LedgerAttempt.Starter = .page,
        at moment: Moment
    ) {
        for index in attempts.indices where attempts[index].isRunning {
            attempts[index].stage = .aborted
        }
        append(method, as: .wallet, by: starter, at: moment)
        attempts[attempts.count - 1].card = card
        pay(attempts.count - 1, at: moment)
    }

    /// Records an attempt that was not made through the session.
    mutating func append(
        _ method: String,
        as stage: Attempt.Stage,
        by starter: LedgerAttempt.Starter = .page,
        at moment: Moment
    ) {
        addAttempt(method, .none, as: stage, by: starter, at: moment)
        if let failed = attempts.last, failed.problem != nil {
            recordFailure(of: failed, at: moment)
        }
        updated = moment.date
    }
}
