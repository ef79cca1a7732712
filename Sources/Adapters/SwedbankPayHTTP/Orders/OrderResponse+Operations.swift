public import SwedbankPay

extension OrderResponse {
    /// Returns the operation with the first of these names that the order offers.
    public func operation(_ rels: Rel...) -> OrderOperation? { operation(anyOf: rels) }

    /// Returns the operation that a next step requires; the spellings of both generations count.
    ///
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` with the requested name.
    public func required(_ rel: Rel) throws(OrderAPIError) -> OrderOperation {
        guard let operation = operation(anyOf: rel.spellings) else {
            throw .missingOperation(rel)
        }
        return operation
    }

    /// The script that shows the order to the payer, of either generation, the newer first.
    public var view: OrderOperation? { operation(.viewCheckout, .viewPaymentOrder) }

    /// The generation of the checkout; `nil` when the order offers no page.
    public var generation: CheckoutGeneration? {
        view.map { $0.rel == .viewCheckout ? .v3 : .v2 }
    }

    /// Whether the payer paid the order and it was not reversed or canceled as a whole: the PSP's
    /// own status, which is the only confirmation.
    public var isPaid: Bool { status == .paid }

    private func operation(anyOf rels: [Rel]) -> OrderOperation? {
        for rel in rels {
            if let operation = operations.first(where: { $0.rel == rel }) { return operation }
        }
        return nil
    }

    /// The link that changes the instrument.
    ///
    /// - Throws: ``OrderAPIError/notInInstrumentMode`` when the order cannot have one.
    func instrumentLink() throws(OrderAPIError) -> OrderOperation {
        if let operation = operation(.backendInstrument, .setInstrument, .updateInstrument) {
            return operation
        }
        guard isInstrumentMode == true else { throw .notInInstrumentMode }
        throw .missingOperation(.setInstrument)
    }
}

extension Rel {
    /// Changes amounts and items before the payer has finished.
    public static let updateOrder = Rel(rawValue: "update-order")
    /// The earlier generation's name for it.
    public static let updatePaymentOrder = Rel(rawValue: "update-paymentorder-updateorder")
    /// How the order was paid, in the earlier generation: offered once it is paid.
    public static let paidPaymentOrder = Rel(rawValue: "paid-paymentorder")
    /// Invalidates a payer's saved payment token.
    public static let deletePaymentTokens = Rel(rawValue: "delete-paymenttokens")

    /// The names of the same operation in both generations, this one first.
    var spellings: [Rel] {
        let groups: [[Rel]] = [
            [.setInstrument, .updateInstrument], [.abortOrder, .updateAbort],
            [.updateOrder, .updatePaymentOrder], [.capture, .createCapture],
            [.cancelOrder, .createCancel], [.reversal, .createReversal],
        ]
        let group = groups.first { $0.contains(self) } ?? []
        return [self] + group.filter { $0 != self }
    }
}
