extension Provider {
    /// Creates an order from the body of `POST /psp/paymentorders`.
    func createOrder(from body: JSON) throws(ProblemDetail) -> Reply {
        let order = try create(SandboxOrder.read(from: body))
        return Reply(status: 201, body: .json(order.document()))
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

    /// Aborts an order for the merchant.
    ///
    /// - Note: Source: payment order API, operation `abort`: not possible once the order is over.
    func abortOrder(_ id: String, _ body: JSON) throws(ProblemDetail) -> Reply {
        var order = try order(id)
        var reader = BodyReader(body)
        let operation = reader.string("paymentorder.operation")
        if !operation.isEmpty, operation != "Abort" {
            reader.refuse("paymentorder.operation", "must be Abort")
        }
        let reason = reader.string("paymentorder.abortReason")
        try reader.finish()
        guard order.outcome == nil else {
            throw .forbidden("The order is over and cannot be aborted.")
        }
        order.close(as: .aborted(reason: reason), at: moment)
        keep(order)
        return .ok(order.document())
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
    /// The payer paid in the payment menu or on another device.
    mutating func payElsewhere(_ method: String, at moment: Moment) {
        for index in attempts.indices where attempts[index].isRunning {
            attempts[index].stage = .aborted
        }
        append(method, as: .wallet, at: moment)
        pay(attempts.count - 1, at: moment)
    }

    /// Records an attempt that was not made through the session.
    mutating func append(_ method: String, as stage: Attempt.Stage, at moment: Moment) {
        attempts.append(
            Attempt(
                number: attempts.count + 1,
                method: method,
                transaction: number * 100 + attempts.count + 1,
                started: moment.date,
                authentication: .none,
                stage: stage
            )
        )
        updated = moment.date
    }
}
