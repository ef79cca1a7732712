internal import EventLog
public import SwedbankPay

extension CheckoutRequest {
    /// Creates a checkout of an order.
    ///
    /// - Parameters:
    ///   - order: The order; it is not validated here, see
    ///     ``Workflow/PaymentOrder/validate(under:)``.
    ///   - gateway: Which party creates the order.
    ///   - root: The backend's root, or the base of the PSP's API.
    public init(of order: PaymentOrder, by gateway: OrderGateway, at root: String) {
        self.init(
            gateway: gateway,
            root: root,
            document: PaymentOrderDocument.text(of: order),
            terms: OrderTerms(
                purpose: order.purpose.rawValue,
                currency: order.currency,
                amount: order.amount,
                language: order.language.rawValue,
                instrument: order.instrument,
                orderReference: OrderSealer.reference(order.payeeInfo?.orderReference),
                urls: OrderURLs(
                    complete: order.urls.complete.isEmpty ? nil : .plain(order.urls.complete),
                    cancel: order.urls.cancel.map { .plain($0) },
                    payment: order.urls.payment.map { .plain($0) },
                    hosts: order.urls.hosts.map { .plain($0) },
                    termsOfService: order.urls.termsOfService.map { .plain($0) }
                )
            )
        )
        // An empty reference counts as none: the party that creates the order then provides one.
        payeeReference = order.payeeInfo?.payeeReference.flatMap { $0.isEmpty ? nil : $0 }
        reference = order.payeeInfo?.orderReference
        presents = !order.purpose.chargesToken
    }
}
