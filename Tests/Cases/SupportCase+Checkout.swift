import EventLog
import SwedbankPay
import WorkflowTesting

extension SupportCase {
    /// A checkout on the PSP's page: the payer pays, gets tired of waiting for the page to
    /// continue, and leaves by its cancel link.
    ///
    /// The shop sees a canceled payment and the payer a charge; the order shows who is right.
    func canceledCheckoutIsPaid(_ payment: inout CasePayment) {
        payment.openCheckout("order-4723")
        payment.respond(order: .sample, status: 201)
        payment.wait(0.7)
        payment.report(.shown)
        payment.wait(96.4)
        payment.report(.canceled)
        payment.respond(order: .paid(amount: CasePayment.amount))
        payment.wait(540)
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "CAP4723",
            amount: CasePayment.amount,
            vatAmount: Amount(CasePayment.amount.minorUnits / 5),
            description: "Lamp"
        )
        payment.command(.checkout(.transact(capture)), "transact")
        payment.respond(order: .paid(amount: CasePayment.amount))
        var captured = OrderSnapshot.paid(amount: CasePayment.amount)
        captured.amount = CasePayment.amount
        captured = captured.with("Capture", "CAP4723")
        (captured.remainingCapture, captured.remainingReversal) = (0, CasePayment.amount)
        payment.respond(order: captured, in: 640)
    }
}

extension CasePayment {
    /// Opens a checkout, whose order the engine creates at the PSP.
    mutating func openCheckout(_ reference: String) {
        var opened = CheckoutOpened.sample()
        opened.host = "api.payex.com"
        opened.reference = .plain(reference)
        opened.payeeReference = "REF4723"
        opened.terms.amount = Self.amount
        opened.userAgent = "nordlampan-checkout/4.2"
        command(.checkout(.open(opened)), "checkout")
    }

    /// Sends the pending request when it is due; the response is the order.
    mutating func respond(
        order: OrderSnapshot,
        status: Int = 200,
        in milliseconds: Int64 = Self.response
    ) {
        var order = order
        order.amount = Self.amount
        order.paid?.payeeReference = "REF4723"
        outcome(.order(order, status: status), in: milliseconds)
    }
}
