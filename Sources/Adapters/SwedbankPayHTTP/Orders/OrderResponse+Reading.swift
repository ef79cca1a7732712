internal import EventLog
internal import SwedbankPay

/// Reads an order from a response; members that do not have the expected form are left out.
///
/// - Note: Source: payment order API, payment order model and sub-resources; merchant backend API,
///   endpoints.
struct OrderResponseReader {
    /// The parsing limits.
    let limits: ResponseLimits
    /// The requested address, against which links are resolved.
    let address: String
    /// Which party responded: only the PSP's own links may be relative to its address.
    let gateway: OrderGateway

    /// Reads a response.
    ///
    /// - Returns: `nil` when it contains no order.
    func order(_ response: ResponseObject) throws(SnapshotRefusal) -> OrderResponse? {
        guard let body = response.object("paymentOrder") ?? response.object("paymentorder") else {
            return try operationsAlone(response)
        }
        var order = OrderResponse()
        order.id = body.text("id")
        order.number = body.number("number")
        order.status = body.text("status").map(OrderStatus.init(rawValue:))
        order.purpose = body.text("operation")
        order.currency = body.text("currency")
        order.amount = try body.amount("amount")
        order.vatAmount = try body.amount("vatAmount")
        order.remainingCapture = try body.amount("remainingCaptureAmount")
        order.remainingCancellation = try body.amount("remainingCancellationAmount")
        order.remainingReversal = try body.amount("remainingReversalAmount")
        order.instrument = body.method("instrument")
        order.availableInstruments = try body.texts("availableInstruments").map(
            PaymentMethodName.init(rawValue:)
        )
        order.isInstrumentMode = body.truth("instrumentMode")
        if let urls = body.object("urls") { order.urls = try self.urls(urls) }
        order.operations = try operations(of: response)
        if let mobile = response.object("mobileSDK") { try read(mobile, into: &order) }
        order.paid = try body.object("paid").flatMap { paid throws(SnapshotRefusal) in
            try payment(paid)
        }
        if let failed = body.object("failedAttempts"), failed.members["failedAttemptList"] != nil {
            order.failedAttempts = try failed.objects(
                "failedAttemptList",
                limit: limits.transactions,
                called: "failedAttempts"
            ).map(attempt)
        }
        if let done = body.object("financialTransactions"),
            done.members["financialTransactionsList"] != nil
        {
            order.transactions = try done.objects(
                "financialTransactionsList",
                limit: limits.transactions,
                called: "transactions"
            ).map { done throws(SnapshotRefusal) in try transaction(done) }.compactMap(\.self)
        }
        order.failedTransactions = try failedTransactions(of: body)
        if order.status == nil { order.status = state(body.text("state"), of: order) }
        order.abortReason = body.object("aborted")?.text("abortReason")
        order.failure = body.object("failed").flatMap { problem($0.members["problem"]) }
        return order
    }

    /// Reads a merchant backend's response that consists of operations only: an order that can be
    /// shown, but has no identifier.
    ///
    /// - Note: Source: merchant backend API, endpoints: both SDKs treat the order's identifier as
    ///   optional.
    private func operationsAlone(
        _ response: ResponseObject
    ) throws(SnapshotRefusal) -> OrderResponse? {
        guard gateway != .psp else { return nil }
        var order = OrderResponse()
        order.operations = try operations(of: response)
        let views: [Rel] = [.viewCheckout, .viewPaymentOrder, .viewPaymentSession]
        guard order.operations.contains(where: { views.contains($0.rel) }) else { return nil }
        if let mobile = response.object("mobileSDK") { try read(mobile, into: &order) }
        return order
    }

    /// Reads the member `operations`; an element without a name or address is skipped.
    func operations(of response: ResponseObject) throws(SnapshotRefusal) -> [OrderOperation] {
        try response.objects("operations", limit: limits.operations, called: "operations")
            .compactMap { operation in
                guard let rel = operation.text("rel"), let href = operation.text("href") else {
                    return nil
                }
                return OrderOperation(
                    rel: Rel(rawValue: rel),
                    method: operation.text("method"),
                    href: gateway == .psp
                        ? LinkResolution.resolve(href, against: address) ?? href : href,
                    contentType: operation.text("contentType")
                )
            }
    }

    /// Derives the status of an order of the earlier generation, whose `state` stays `Ready` when
    /// it is paid.
    ///
    /// Payment is visible in what the order offers: the result, or operations that require paid
    /// money. A merchant backend does not forward those; there, the paid details show it.
    ///
    /// - Note: Source: payment order API, status model, payment order operations.
    private func state(_ state: String?, of order: OrderResponse) -> OrderStatus? {
        let state = state.map(OrderStatus.init(rawValue:))
        if state == .failed || state == .aborted { return state }
        let proof: [Rel] = [.paidPaymentOrder, .createCapture, .createCancel, .createReversal]
        let isPaid =
            order.paid?.details.amount != nil
            || order.operations.contains { proof.contains($0.rel) }
        return isPaid ? .paid : state
    }

    /// Reads what a merchant backend adds for clients of the earlier generation.
    private func read(
        _ mobile: ResponseObject,
        into order: inout OrderResponse
    )
        throws(SnapshotRefusal)
    {
        guard let link = mobile.text("setInstrument"),
            let href = LinkResolution.resolve(link, against: address)
        else { return }
        order.operations.append(
            OrderOperation(rel: .backendInstrument, method: "PATCH", href: href)
        )
        let valid = try mobile.texts("validInstruments")
        if order.availableInstruments.isEmpty {
            order.availableInstruments = valid.map(PaymentMethodName.init(rawValue:))
        }
        // A backend offers the link only for orders in instrument mode.
        order.isInstrumentMode = order.isInstrumentMode ?? true
    }

    private func urls(_ urls: ResponseObject) throws(SnapshotRefusal) -> PlaintextOrderURLs {
        PlaintextOrderURLs(
            complete: urls.address("completeUrl"),
            cancel: urls.address("cancelUrl"),
            payment: urls.address("paymentUrl"),
            hosts: try urls.texts("hostUrls").filter(ResponseObject.isAddress),
            termsOfService: urls.address("termsOfServiceUrl")
        )
    }

    /// How the order was paid; a mere link to the sub-resource has no details.
    private func payment(_ paid: ResponseObject) throws(SnapshotRefusal) -> OrderPayment? {
        var payment = OrderPayment()
        payment.details = PaidDetails(
            instrument: paid.method("instrument"),
            number: paid.number("number"),
            payeeReference: paid.text("payeeReference"),
            orderReference: paid.text("orderReference"),
            transactionType: paid.text("transactionType"),
            amount: try paid.amount("amount"),
            submittedAmount: try paid.amount("submittedAmount"),
            feeAmount: try paid.amount("feeAmount"),
            discountAmount: try paid.amount("discountAmount")
        )
        payment.tokens = try paid.objects("tokens", limit: limits.elements, called: "tokens")
            .compactMap { token in
                guard let text = token.text("token") else { return nil }
                return OrderPayment.Token(
                    type: token.text("type") ?? "",
                    token: text,
                    name: token.text("name"),
                    expiryDate: token.text("expiryDate")
                )
            }
        return payment == OrderPayment() ? nil : payment
    }

    private func attempt(_ failed: ResponseObject) -> FailedAttempt {
        var attempt = FailedAttempt()
        attempt.created = failed.text("created")
        attempt.instrument = failed.method("instrument")
        attempt.number = failed.number("number")
        attempt.status = failed.text("status")
        attempt.problem = problem(failed.members["problem"])
        return attempt
    }

    /// The captures, cancellations and reversals that failed; `nil` when they were not requested.
    ///
    /// - Note: Source: payment order API, `postPurchaseFailedAttempts`, whose list is spelt in two
    ///   ways.
    private func failedTransactions(
        of body: ResponseObject
    ) throws(SnapshotRefusal) -> [PostPurchaseFailure]? {
        guard let failed = body.object("postPurchaseFailedAttempts"),
            let name = ["postpurchaseFailedAttemptList", "postPurchaseFailedAttemptList"]
                .first(where: { failed.members[$0] != nil })
        else { return nil }
        return try failed.objects(
            name,
            limit: limits.transactions,
            called: "postPurchaseFailedAttempts"
        ).compactMap { one in
            guard let type = one.text("type") else { return nil }
            var failure = PostPurchaseFailure(type: type)
            failure.created = one.text("created")
            failure.number = one.number("number")
            failure.problem = problem(one.members["problem"])
            return failure
        }
    }

    private func transaction(
        _ done: ResponseObject
    ) throws(SnapshotRefusal) -> FinancialTransaction? {
        guard let type = done.text("type") else { return nil }
        return FinancialTransaction(
            type: type,
            number: done.number("number"),
            payeeReference: done.text("payeeReference"),
            amount: try done.amount("amount"),
            vatAmount: try done.amount("vatAmount")
        )
    }

    private func problem(_ json: ForeignJSON?) -> ProblemDetails? {
        guard let object = ResponseObject(json, limits: limits) else { return nil }
        let status = object.members["status"].flatMap(ProblemStatus.read) ?? 0
        var problem = ProblemDetails(
            type: object.text("type") ?? "about:blank",
            status: status,
            httpStatus: status
        )
        problem.title = object.text("title")
        problem.detail = object.text("detail")
        return problem
    }
}

extension ResponseObject {
    /// The name of a payment method.
    fileprivate func method(_ name: String) -> PaymentMethodName? {
        text(name).map(PaymentMethodName.init(rawValue:))
    }

    /// An address of the order.
    fileprivate func address(_ name: String) -> String? {
        text(name).flatMap { Self.isAddress($0) ? $0 : nil }
    }

    /// Whether a text is a single line of a length that addresses have.
    static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= SessionAddress.maximumLength
            && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
