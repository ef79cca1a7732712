internal import Adapters
internal import EventLog
internal import SwedbankPay

/// `POST /v1/checkouts`; the members are named after the options of `checkout start`.
struct CheckoutContent: RequestContent {
    static let members: Set = [
        "backend", "psp", "order", "generation", "presents", "reference", "metadata",
        "callbackScheme", "checkIn", "redirects", "redirectHosts", "overrideTerms",
        "recordNavigation", "recordAddresses", "ordersNotReadable",
    ]

    var backend: String?
    var psp: String?
    var generation: String?
    var presents: Bool?
    var reference: String?
    var metadata: [String: String]?
    var callbackScheme: String?
    var checkIn: [String]?
    var redirects: String?
    var redirectHosts: [String]?
    var overrideTerms: Bool?
    var recordNavigation: Bool?
    var recordAddresses: Bool?
    var ordersNotReadable: Bool?

    /// The maximum number of countries of a check-in.
    private static let countryLimit = 50

    /// Refuses texts that are too long or contain control characters, and unknown countries.
    func check() throws(ServiceProblem) {
        try HostMembers.check(reference, metadata, callbackScheme)
        guard let checkIn else { return }
        let areCountries = checkIn.allSatisfy { code in
            code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        }
        guard (1...Self.countryLimit).contains(checkIn.count), areCountries else {
            throw ServiceProblem(
                422,
                "usage.check-in",
                "the member 'checkIn' must be a list of 1 to \(Self.countryLimit) countries, each "
                    + "two capital letters"
            )
        }
    }

    /// The generation of names and shapes.
    func generation(of gateway: OrderGateway) throws(ServiceProblem) -> CheckoutGeneration {
        guard let text = generation else { return .v3 }
        guard let generation = CheckoutGeneration(rawValue: text) else {
            throw ServiceProblem(422, "request.content", "the generation is none of the known ones")
        }
        guard gateway == .merchantBackend || generation == .v3 else {
            throw ServiceProblem(
                422,
                "usage.gateway",
                "only merchant backends can create orders of generation v2"
            )
        }
        return generation
    }

    /// How the client shows pages.
    func options(adding known: [String]) throws(ServiceProblem) -> CheckoutOptions {
        guard let redirects = CheckoutOptions.Redirects(rawValue: redirects ?? "policy") else {
            throw ServiceProblem(
                422,
                "request.content",
                "the member 'redirects' must be policy, webView or browser"
            )
        }
        let added = redirectHosts ?? []
        let hosts = redirects == .policy ? known + added : []
        guard added.isEmpty || redirects == .policy,
            hosts.count <= CheckoutOptions.redirectHostLimit,
            added.allSatisfy({ HostPattern($0) != nil })
        else {
            throw ServiceProblem(
                422,
                "usage.redirect-host",
                "the member 'redirectHosts' must have patterns of hosts, at most "
                    + "\(CheckoutOptions.redirectHostLimit) with those of the configuration, and "
                    + "requires 'redirects' to be policy",
                hint: "such as bank.example, *.bank.example or **.bank.example"
            )
        }
        return CheckoutOptions(
            redirects: redirects,
            overridesTermsOfService: overrideTerms ?? false,
            recordsNavigation: recordNavigation ?? false,
            readsOrders: !(ordersNotReadable ?? false),
            redirectHosts: hosts,
            recordsAddresses: recordAddresses ?? false
        )
    }
}

/// `POST /v1/payment-tokens`.
struct StoredTokensContent: RequestContent {
    static let members: Set = ["backend", "psp", "payer"]

    var backend: String?
    var psp: String?
    var payer: String
}

/// `POST /v1/payment-tokens/deletion`.
struct TokenDeletionContent: RequestContent {
    static let members: Set = ["backend", "psp", "payer", "number", "name", "comment"]

    var backend: String?
    var psp: String?
    var payer: String
    var number: Int
    /// The name that the token must have: a repeated request would mean the next one.
    var name: String?
    var comment: String?

    /// Refuses numbers and reasons that no token and no record has.
    func check() throws(ServiceProblem) {
        guard number >= 1 else {
            throw ServiceProblem(422, "request.content", "the numbers of tokens start at 1")
        }
        guard comment.map(HostText.isText) ?? true else {
            throw ServiceProblem(
                422,
                "request.content",
                "the member 'comment' must have 1 to \(HostText.bytes) bytes and no control characters"
            )
        }
    }
}

/// `POST /v1/sessions/{session}/instrument`.
struct InstrumentContent: RequestContent {
    static let members: Set = ["instrument"]

    let name: PaymentMethodName

    private enum Name: String, CodingKey { case instrument }

    /// The maximum length of the name of a method, in bytes.
    private static let nameLimit = 100

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        let text = try members.decode(String.self, forKey: .instrument)
        guard (1...Self.nameLimit).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .instrument,
                in: members,
                debugDescription: ""
            )
        }
        name = PaymentMethodName(rawValue: text)
    }
}

/// `POST /v1/sessions/{session}/order`.
struct AdoptionContent: RequestContent {
    static let members: Set = ["order", "reason"]

    var order: String
    var reason: String?
}

/// `POST /v1/sessions/{session}/transactions`; the members are named after the options of
/// `order capture`.
struct TransactionContent: RequestContent {
    static let members: Set = [
        "kind", "amount", "vatAmount", "currency", "items", "description", "payeeReference",
        "receiptReference", "again", "reason",
    ]

    var kind: String
    var amount: Int64?
    var vatAmount: Int64?
    var currency: String?
    var description: String
    var payeeReference: String?
    var receiptReference: String?
    var again: Bool?
    var reason: String?

    /// Returns the kind of transaction.
    ///
    /// - Throws: A problem for an unknown kind, and for amounts that no transaction of the kind
    ///   has.
    func check(hasItems: Bool) throws(ServiceProblem) -> TransactionKind {
        let kinds: [String: TransactionKind] = [
            "capture": .capture, "reverse": .reversal, "cancel": .cancel,
        ]
        guard let kind = kinds[kind] else {
            throw ServiceProblem(422, "request.content", "the kind is none of the known ones")
        }
        let isOfPart = amount != nil || vatAmount != nil || receiptReference != nil || hasItems
        guard kind != .cancel || !isOfPart else {
            throw ServiceProblem(
                422,
                "usage.amount",
                "a cancellation is of everything that was not captured: it has no amount, items or receipt"
            )
        }
        let largest = Money.greatest
        guard amount.map({ (1...largest).contains($0) }) ?? true else {
            throw ServiceProblem(422, "usage.amount", "the amount has to be above zero")
        }
        guard vatAmount.map({ (0...(amount ?? largest)).contains($0) }) ?? true else {
            throw ServiceProblem(422, "usage.vat", "the tax can't be more than the amount")
        }
        return kind
    }

    /// Returns the transaction of an order.
    func transaction(
        _ kind: TransactionKind,
        _ items: [OrderItem]?,
        of order: OrderSnapshot?
    ) throws(ServiceProblem) -> NewTransaction {
        guard kind != .cancel else { return NewTransaction(kind: kind, description: description) }
        do throws(NewTransactionError) {
            return try NewTransaction(
                kind,
                amount: amount.map { Amount($0) },
                vatAmount: vatAmount.map { Amount($0) },
                items: items,
                description: description,
                of: order
            )
        } catch {
            throw ServiceProblem(error)
        }
    }
}

extension ServiceProblem {
    /// Creates the problem for a transaction that was not requested.
    fileprivate init(_ error: NewTransactionError) {
        switch error {
        case .nothingLeft(let kind):
            self.init(
                409,
                "order.nothing-left",
                "nothing is left to \(kind == .capture ? "capture" : "reverse") on the order"
            )
        case .items(let error): self.init(422, error.code, error.description)
        case .otherAmount:
            self.init(422, "usage.amount", "the items add up to another amount")
        case .otherTax: self.init(422, "usage.vat", "the items add up to another VAT")
        }
    }
}
