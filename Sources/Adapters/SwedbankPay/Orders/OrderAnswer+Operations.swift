public import SwedbankPay

extension OrderAnswer {
    /// The operation of the first of these names that the order offers.
    public func operation(_ rels: Rel...) -> OrderOperation? { operation(anyOf: rels) }

    /// The operation of a name that a next step can't do without; both generations' spellings count.
    ///
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` with the name that was asked for.
    public func required(_ rel: Rel) throws(OrderAPIError) -> OrderOperation {
        guard let operation = operation(anyOf: rel.spellings) else {
            throw .missingOperation(rel)
        }
        return operation
    }

    /// The script that shows the order to the payer, of either generation, the later one first.
    public var view: OrderOperation? { operation(.viewCheckout, .viewPaymentOrder) }

    /// Which generation of the checkout the order is for; nothing when it offers no page.
    public var generation: CheckoutGeneration? {
        view.map { $0.rel == .viewCheckout ? .v3 : .v2 }
    }

    /// Whether the payer paid it and nothing was undone as a whole: the PSP's word, the only confirmation there is.
    public var isPaid: Bool { status == .paid }

    private func operation(anyOf rels: [Rel]) -> OrderOperation? {
        for rel in rels {
            if let operation = operations.first(where: { $0.rel == rel }) { return operation }
        }
        return nil
    }

    /// The link that changes the instrument.
    ///
    /// - Throws: ``OrderAPIError/notInInstrumentMode`` when the order can't have one.
    func instrumentLink() throws(OrderAPIError) -> OrderOperation {
        if let operation = operation(.backendInstrument, .setInstrument, .updateInstrument) {
            return operation
        }
        guard isInstrumentMode == true else { throw .notInInstrumentMode }
        throw .missingOperation(.setInstrument)
    }
}

extension Rel {
    /// Changes amounts and items before the payer is done.
    public static let updateOrder = Rel(rawValue: "update-order")
    /// The earlier generation's name of it.
    public static let updatePaymentOrder = Rel(rawValue: "update-paymentorder-updateorder")
    /// How the order was paid, of the earlier generation: offered once it is.
    public static let paidPaymentOrder = Rel(rawValue: "paid-paymentorder")
    /// Makes a payer's saved payment token useless.
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
