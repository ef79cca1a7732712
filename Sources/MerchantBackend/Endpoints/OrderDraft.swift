internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import SwedbankPay

/// An order as the caller requested it, completed with our own values.
struct OrderDraft {
    /// The order for the PSP.
    let order: PaymentOrder
    /// The reference that we assigned to it.
    let payeeReference: String
    /// The reference that the caller gave it; used only for charges of stored tokens.
    let givenReference: String?
    /// Members that callers may not set, or not in this way.
    let strayMembers: [FieldProblem]

    /// The maximum size of the client's name taken from the request, in bytes.
    private static let maximumUserAgentBytes = 500

    /// Reads the order of a request.
    ///
    /// - Throws: 400 that names every field that is missing or has a wrong type.
    init(_ request: BackendRequest, in configuration: BackendConfiguration) throws(BackendProblem) {
        let body = try request.object(maximumDepth: configuration.maximumDepth)
        // The SDKs write the name in two ways; a caller who writes it in both, or in a third one
        // beside, wants two readers to see two orders.
        let names = body.keys.filter { $0.lowercased() == "paymentorder" }
        guard names.count == 1, ["paymentorder", "paymentOrder"].contains(names[0]),
            let given = body[names[0]]?.object
        else {
            throw .badField("paymentorder", "must be an object")
        }
        var order: PaymentOrder
        do {
            order = try PaymentOrderDocument.read(request.body)
        } catch {
            throw error.problems.isEmpty
                ? .badRequest("The payment order cannot be read.") : .badRequest(error.problems)
        }
        payeeReference = RandomName.payeeReference()
        givenReference = order.payeeInfo?.payeeReference
        // The payee is ours alone; only those of the caller's values are kept that do not name a
        // payee.
        var payee = PayeeInfo()
        payee.productCategory = order.payeeInfo?.productCategory
        payee.orderReference = order.payeeInfo?.orderReference
        payee.payeeID = configuration.payeeID
        payee.payeeReference = payeeReference
        order.payeeInfo = payee
        if let address = configuration.callbackURL { order.urls.callback = address }
        if order.userAgent?.isEmpty ?? true {
            order.userAgent = Self.userAgent(of: request) ?? configuration.defaultUserAgent
        }
        self.order = order
        let tokens = Self.strayTokens(in: given)
        let unknown = OrderMembers.problems(
            in: given,
            additional: configuration.additionalOrderMembers
        )
        let named = Set(tokens.map(\.path))
        let others = unknown.filter { !named.contains($0.path) }
        strayMembers = tokens + others + Self.switchedOff(order, configuration.features)
    }

    /// Tokens that pay without the payer are created only if callers may charge them.
    private static func switchedOff(
        _ order: PaymentOrder,
        _ features: BackendFeatures
    ) -> [FieldProblem] {
        guard !features.allowChargeStoredTokens else { return [] }
        var names: [String] = []
        if order.generatesRecurrenceToken == true { names.append("generateRecurrenceToken") }
        if order.generatesUnscheduledToken == true { names.append("generateUnscheduledToken") }
        return names.map { FieldProblem($0, "must not be true") }
    }

    /// The problems of the order.
    func problems(in configuration: BackendConfiguration) -> [FieldProblem] {
        var problems = strayMembers
        if !configuration.allowedPurposes.contains(order.purpose.rawValue) {
            problems.append(
                FieldProblem(
                    "operation",
                    "must be " + configuration.allowedPurposes.sorted().joined(separator: " or ")
                )
            )
        }
        let rules = OrderRules(allowsInsecureLoopback: configuration.allowsInsecureLoopback)
        return problems + order.problems(under: rules)
    }

    /// The version of the API that creates an order of this generation.
    var version: OrderAPIVersion {
        order.productName == PaymentOrder.checkout3 ? .v3_1 : .v2_0
    }

    /// Whether the order is locked to one method at a time.
    var isInstrumentMode: Bool { order.instrument != nil }

    /// The payer whose stored details the menu may show.
    var payerReference: String? { order.payer?.payerReference.flatMap { $0.isEmpty ? nil : $0 } }

    /// The stored card to pay with.
    var paymentToken: String? { order.paymentToken.flatMap { $0.isEmpty ? nil : $0 } }

    /// The name of the client that sent this request.
    private static func userAgent(of request: BackendRequest) -> String? {
        guard let name = request.head.headerFields[.userAgent], !name.isEmpty,
            name.utf8.count <= maximumUserAgentBytes,
            name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return name
    }

    /// Finds tokens of stored cards anywhere other than in `paymentToken`, where their owner is
    /// checked.
    ///
    /// The merchant's own data may have any names.
    private static func strayTokens(in order: [String: ForeignJSON]) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func visit(_ json: ForeignJSON, at path: String) {
            if let members = json.object {
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    let place = path.isEmpty ? name : path + "." + name
                    if place == "metadata" || place == "paymentToken" { continue }
                    if name.lowercased().hasSuffix("token"), case .string = value {
                        problems.append(
                            FieldProblem(OrderMembers.shown(place), "must not be given")
                        )
                    }
                    visit(value, at: place)
                }
            }
            for (index, element) in (json.array ?? []).enumerated() {
                visit(element, at: path + "[\(index)]")
            }
        }
        visit(.object(order), at: "")
        return Array(problems.prefix(BackendProblem.maximumFields))
    }
}
