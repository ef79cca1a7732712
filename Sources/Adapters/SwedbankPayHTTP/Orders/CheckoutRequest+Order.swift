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

    /// Creates a request for the order in a document, which may have no mistake that the PSP or a
    /// merchant backend would refuse.
    ///
    /// - Parameters:
    ///   - document: The order in the form of the PSP's API.
    ///   - purpose: The order's operation, instead of the one in the document.
    ///   - token: The stored token that the order charges, instead of the one in the document.
    ///   - gateway: The gateway that creates the order.
    ///   - root: The root of the backend, or the base URL of the PSP's API.
    ///   - checksIn: Whether the payer checks in before the order is created.
    ///   - allowsInsecureLoopback: Whether the order may have addresses of this machine.
    /// - Throws: ``PaymentOrderError``, which names every invalid field.
    package init(
        reading document: [UInt8],
        for purpose: PaymentOrderPurpose? = nil,
        charging token: String? = nil,
        by gateway: OrderGateway,
        at root: String,
        checksIn: Bool,
        allowsInsecureLoopback: Bool
    ) throws(PaymentOrderError) {
        var order = try PaymentOrderDocument.read(document, for: purpose)
        if let token {
            if order.purpose == .unscheduledPurchase {
                order.unscheduledToken = token
            } else {
                order.recurrenceToken = token
            }
        }
        var checked = checksIn ? order.identified(by: "check-in") : order
        if checked.payeeInfo?.payeeReference?.isEmpty ?? true {
            // The engine generates one.
            checked.payeeInfo?.payeeReference = "1"
        }
        try checked.validate(
            under: OrderRules(
                supplied: gateway == .merchantBackend ? [.payee, .userAgent] : [.userAgent],
                allowsInsecureLoopback: allowsInsecureLoopback
            )
        )
        self.init(of: order, by: gateway, at: root)
    }
}
