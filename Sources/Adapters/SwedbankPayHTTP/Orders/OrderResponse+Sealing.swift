internal import EventLog
internal import SwedbankPay

/// Converts a response to the form for rules and logs, with every address and every text sealed or
/// screened.
struct OrderSealer {
    let keys: SessionKeys
    /// Secrets of the request that texts of the response must not quote in the clear.
    let known: [String]
    /// The order's addresses as already recorded.
    let knownURLs: OrderURLs
    /// The plaintexts of those that are sealed.
    let plaintexts: SecretTable
    /// The plaintexts of the values sealed here.
    var secrets = SecretTable()

    init(
        keys: SessionKeys,
        known: [String],
        knownURLs: OrderURLs = OrderURLs(),
        of plaintexts: SecretTable = SecretTable()
    ) {
        (self.keys, self.known) = (keys, known)
        (self.knownURLs, self.plaintexts) = (knownURLs, plaintexts)
    }

    /// Creates a sealer for the response to a request.
    init(_ request: ProviderRequest, known: [String]) {
        self.init(
            keys: request.keys,
            known: known,
            knownURLs: request.knownURLs ?? OrderURLs(),
            of: request.secrets
        )
    }

    /// The order in the form for rules; names and references that could contain more are left out.
    mutating func snapshot(_ order: OrderResponse) -> OrderSnapshot {
        var snapshot = OrderSnapshot()
        snapshot.id = order.id.flatMap { OrderValues.isID($0) ? $0 : nil }
        snapshot.number = order.number
        snapshot.status = order.status.flatMap { Self.isName($0.rawValue) ? $0 : nil }
        snapshot.purpose = Self.name(order.purpose)
        snapshot.currency = Self.name(order.currency)
        snapshot.amount = order.amount
        snapshot.vatAmount = order.vatAmount
        snapshot.remainingCapture = order.remainingCapture
        snapshot.remainingCancellation = order.remainingCancellation
        snapshot.remainingReversal = order.remainingReversal
        snapshot.instrument = Self.method(order.instrument)
        snapshot.availableInstruments = order.availableInstruments.compactMap(Self.method)
        snapshot.isInstrumentMode = order.isInstrumentMode
        snapshot.urls = order.urls.recorded(
            knowing: knownURLs,
            of: plaintexts,
            with: keys,
            in: &secrets
        )
        snapshot.operations = order.operations.compactMap { operation($0) }
        snapshot.paid = order.paid.map { paid($0.details) }
        snapshot.failedAttempts = order.failedAttempts?.count
        snapshot.transactions = order.transactions?.compactMap(Self.transaction)
        snapshot.failedTransactions = order.failedTransactions?.compactMap { failed($0) }
        snapshot.abortReason = order.abortReason.map { screened($0) }
        snapshot.failure = order.failure.map { failure($0) }
        return snapshot
    }

    /// An operation with its address sealed.
    mutating func operation(_ operation: OrderOperation) -> Operation? {
        guard Self.isName(operation.rel.rawValue) else { return nil }
        return Operation(
            rel: operation.rel,
            method: Self.name(operation.method),
            href: seal(operation.href),
            contentType: Self.name(operation.contentType)
        )
    }

    /// A backend's endpoints, sealed.
    mutating func endpoints(_ endpoints: MerchantBackendEndpoints) -> BackendEndpoints {
        BackendEndpoints(
            consumers: endpoints.consumers.map { seal($0) },
            orders: seal(endpoints.orders)
        )
    }

    private mutating func seal(_ text: String) -> Sealed { secrets.seal(text, with: keys) }

    /// Why an order failed; the type and the texts are reduced to what may be logged.
    private mutating func failure(_ problem: ProblemDetails) -> ProblemDocument {
        let isType = OutsideTextScreen.isProblemType(problem.type, known: known)
        return ProblemDocument(
            type: isType ? problem.type : "about:blank",
            title: problem.title.map { screened($0) },
            status: problem.status > 0 ? problem.status : nil,
            detail: problem.detail.map { screened($0) }
        )
    }

    private mutating func screened(_ text: String) -> OutsideText {
        OutsideTextScreen.text(text, keys: keys, secrets: &secrets, known: known)
    }

    private func paid(_ details: PaidDetails) -> PaidDetails {
        var details = details
        details.instrument = Self.method(details.instrument)
        details.payeeReference = Self.reference(details.payeeReference)
        details.orderReference = Self.reference(details.orderReference)
        details.transactionType = Self.name(details.transactionType)
        return details
    }

    private static func transaction(_ done: FinancialTransaction) -> FinancialTransaction? {
        guard isName(done.type) else { return nil }
        var done = done
        done.payeeReference = reference(done.payeeReference)
        return done
    }

    /// A failed transaction.
    private mutating func failed(_ failed: PostPurchaseFailure) -> FailedTransaction? {
        guard Self.isName(failed.type) else { return nil }
        return FailedTransaction(
            type: failed.type,
            number: failed.number,
            problem: failed.problem.map { failure($0) }
        )
    }

    private static func isName(_ text: String) -> Bool { OutsideTextScreen.isName(text) }

    private static func name(_ text: String?) -> String? {
        text.flatMap { isName($0) ? $0 : nil }
    }

    private static func method(_ method: PaymentMethodName?) -> PaymentMethodName? {
        method.flatMap { isName($0.rawValue) ? $0 : nil }
    }

    /// A reference provided by the merchant: letters, digits and a few marks, as the engine may
    /// have sent it; one that could be an e-mail or web address is left out.
    ///
    /// - Note: Source: payment order API, payeeReference: up to 30 characters, 50 in places.
    /// A reference that is recorded in the clear; `nil` for one with other characters.
    static func reference(_ text: String?) -> String? {
        guard let text, (1...50).contains(text.utf8.count),
            text.utf8.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || "-_./+#".utf8.contains($0)
            })
        else { return nil }
        return text
    }
}
