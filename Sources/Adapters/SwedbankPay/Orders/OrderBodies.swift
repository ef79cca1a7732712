internal import SwedbankPay

/// The bodies of requests about payment orders.
///
/// - Note: Source: merchant backend API, endpoints; payment order API, payment order operations and transactions.
enum OrderBodies {
    /// Who checks in.
    static func consumer(language: String, shippingCountries: [String]) -> ProviderJSON {
        [
            "operation": "initiate-consumer-session", "language": .string(language),
            "shippingAddressRestrictedToCountryCodes": .array(
                shippingCountries.map { .string($0) }
            ),
        ]
    }

    /// What replaces members of an order that is about to be created.
    struct Overrides {
        /// The method that it is locked to.
        var instrument: PaymentMethodName?
        /// Who checked in.
        var consumerProfileRef: String?
        /// The merchant's unique reference of this try.
        var payeeReference: String?
        /// How the engine presents itself, for documents that don't say it.
        var userAgent: String?
    }

    /// An order to create.
    ///
    /// What replaces something goes into the document member by member: the payer who checked in keeps the
    /// reference and address that the document gives.
    ///
    /// - Parameter document: The order as JSON text, bare or within `paymentorder`.
    /// - Note: Source: merchant backend API, flaws: merged, never replaced.
    static func order(
        _ document: String,
        _ overrides: Overrides = Overrides(),
        limits: AnswerLimits
    ) throws(OrderAPIError) -> ProviderJSON {
        guard
            let json = try? ProviderJSON(
                parsing: Array(document.utf8),
                maximumDepth: limits.depth
            ),
            var members = json.object
        else { throw .malformedValue("the order's document") }
        if let inner = members["paymentorder"]?.object ?? members["paymentOrder"]?.object {
            members = inner
        }
        // Answers hold it; a document that was made of one must not send it back.
        members["initiatingSystemUserAgent"] = nil
        if let instrument = overrides.instrument {
            members["instrument"] = .string(instrument.rawValue)
        }
        if let reference = overrides.consumerProfileRef {
            members.merge("consumerProfileRef", reference, into: "payer")
        }
        if let reference = overrides.payeeReference {
            members.merge("payeeReference", reference, into: "payeeInfo")
        }
        if let agent = overrides.userAgent, members["userAgent"]?.string == nil {
            members["userAgent"] = .string(agent)
        }
        return ["paymentorder": .object(members)]
    }

    /// Locks the order to a method.
    static func setInstrument(_ instrument: PaymentMethodName) -> ProviderJSON {
        ["operation": "SetInstrument", "instrument": .string(instrument.rawValue)]
    }

    /// Gives the order up.
    static func abort(reason: String) -> ProviderJSON {
        ["operation": "Abort", "abortReason": .string(reason)]
    }

    /// Changes amounts and items.
    static func update(
        amount: Int64,
        vatAmount: Int64,
        orderItems: String?,
        limits: AnswerLimits
    ) throws(OrderAPIError) -> ProviderJSON {
        var members: [String: ProviderJSON] = [
            "operation": "UpdateOrder", "amount": .integer(amount),
            "vatAmount": .integer(vatAmount),
        ]
        if let orderItems { members["orderItems"] = try items(orderItems, limits) }
        return .object(members)
    }

    /// What to do with the money of a paid order; members without a value are left out, and a cancellation has no amount.
    static func transaction(
        _ request: TransactionRequest,
        description: String,
        orderItems: String?,
        limits: AnswerLimits
    ) throws(OrderAPIError) -> ProviderJSON {
        var members: [String: ProviderJSON] = [
            "description": .string(description),
            "payeeReference": .string(request.payeeReference),
        ]
        if request.kind != .cancel {
            guard let amount = request.amount, let vatAmount = request.vatAmount else {
                throw .malformedValue("the amount")
            }
            members["amount"] = .integer(amount)
            members["vatAmount"] = .integer(vatAmount)
            if let receipt = request.receiptReference {
                members["receiptReference"] = .string(receipt)
            }
            if let orderItems { members["orderItems"] = try items(orderItems, limits) }
        }
        return .object(members)
    }

    private static func items(
        _ text: String,
        _ limits: AnswerLimits
    ) throws(OrderAPIError) -> ProviderJSON {
        guard
            let json = try? ProviderJSON(parsing: Array(text.utf8), maximumDepth: limits.depth),
            json.array != nil
        else { throw .malformedValue("the order items") }
        return json
    }
}

extension [String: ProviderJSON] {
    /// Sets a member of an object in here, whose other members stay.
    fileprivate mutating func merge(_ name: String, _ value: String, into object: String) {
        var members = self[object]?.object ?? [:]
        members[name] = .string(value)
        self[object] = .object(members)
    }
}
