extension PaymentOrder {
    /// The operations that the merchant may perform now.
    ///
    /// A change is performed if and only if it is offered.
    ///
    /// - Note: Source: payment order API, operations: no abort after the payment and while the
    ///   payer is in another app; changes of amount and method only before an attempt runs.
    func merchantOffers() -> [MerchantRel] {
        guard outcome == nil else { return transactionOffers() }
        var offers: [MerchantRel] = []
        let isRunning = runningIndex != nil || menu.visit != nil
        if !isRunning { offers.append(.updateOrder) }
        if !isPayerElsewhere { offers.append(.abort) }
        if request.version != .v2, isRunning { offers.append(.abortPaymentAttempt) }
        if !isRunning, instrumentMode != nil { offers.append(.setInstrument) }
        if !isRunning, instrumentMode == nil, request.version == .v2 {
            offers.append(.expandInstrument)
        }
        return offers
    }

    /// Whether the payer is in an app or on a page that is not the PSP's.
    private var isPayerElsewhere: Bool {
        if case .away? = menu.visit { return true }
        guard let runningIndex else { return false }
        return attempts[runningIndex].swish != nil
    }

    /// Performs the change requested by the body of a `PATCH`.
    mutating func change(_ rel: MerchantRel?, _ body: JSON, at moment: Moment) throws(ProblemDetail)
    {
        var reader = BodyReader(body)
        let named = reader.string("paymentorder.operation")
        if rel == nil, !named.isEmpty {
            reader.refuse("paymentorder.operation", "is not a change of an order")
        }
        switch rel {
        case .abort, .abortPaymentAttempt: _ = reader.string("paymentorder.abortReason")
        case .setInstrument, .expandInstrument:
            let instrument = reader.string("paymentorder.instrument")
            if !instrument.isEmpty, !methods.contains(instrument) {
                reader.refuse("paymentorder.instrument", "is not available for the order")
            }
        case .updateOrder: readUpdate(from: &reader)
        case .create, .read, .capture, .cancel, .reversal, nil: break
        }
        try reader.finish()
        guard let rel else { return }
        guard merchantOffers().contains(rel) else { throw refusal(of: rel) }
        carryOut(rel, reader, at: moment)
        updated = moment.date
    }

    private func refusal(of rel: MerchantRel) -> ProblemDetail {
        if rel == .setInstrument, outcome == nil, instrumentMode == nil {
            return .forbidden("The order is not in instrument mode.")
        }
        let reason = outcome == nil ? "is not possible now" : "is not possible: the order is over"
        return .forbidden("\(rel.wireOperation ?? rel.rawValue) \(reason).")
    }

    private func readUpdate(from reader: inout BodyReader) {
        let amount = reader.integer("paymentorder.amount")
        let vatAmount = reader.integer("paymentorder.vatAmount")
        if reader.has("paymentorder.amount"), amount <= 0 || request.purpose == .verify {
            reader.refuse("paymentorder.amount", "must be positive, and no Verify order's")
        }
        if !(0...max(amount, 0)).contains(vatAmount) {
            reader.refuse("paymentorder.vatAmount", "must be 0 to amount")
        }
        let items = OrderItems.read(from: &reader, at: "paymentorder.orderItems")
        if let (field, rule) = OrderItems.mismatch(items, amount: amount, vatAmount: vatAmount) {
            reader.refuse("paymentorder.\(field)", rule)
        }
    }

    private mutating func carryOut(_ rel: MerchantRel, _ reader: BodyReader, at moment: Moment) {
        var reader = reader
        switch rel {
        case .updateOrder:
            request.amount = reader.integer("paymentorder.amount")
            request.vatAmount = reader.integer("paymentorder.vatAmount")
            request.details.orderItems =
                reader.value("paymentorder.orderItems") ?? request.details.orderItems
        case .abort:
            close(as: .aborted(reason: reader.string("paymentorder.abortReason")), at: moment)
        case .abortPaymentAttempt: abortAttempt(at: moment)
        case .setInstrument:
            let method = reader.string("paymentorder.instrument")
            instrumentMode = method
            expanded = nil
            menu.notice = nil
            renewScript()
            note("PaymentInstrumentSet", by: .payee, instrument: method, at: moment)
        case .expandInstrument:
            expanded = nil
            menu.expanded = reader.string("paymentorder.instrument")
            renewScript()
        case .create, .read, .capture, .cancel, .reversal: break
        }
    }

    /// Aborts what the payer is doing; the order continues.
    private mutating func abortAttempt(at moment: Moment) {
        switch menu.visit {
        case .authentication?: append(MethodName.creditCard, as: .aborted, at: moment)
        case .away(let method, _)?: append(method, as: .aborted, at: moment)
        case nil: break
        }
        menu.visit = nil
        for index in attempts.indices where attempts[index].isRunning {
            attempts[index].stage = .aborted
            note(
                "PaymentAttemptAborted",
                by: .payee,
                instrument: attempts[index].method,
                at: moment
            )
        }
        expanded = nil
    }
}
