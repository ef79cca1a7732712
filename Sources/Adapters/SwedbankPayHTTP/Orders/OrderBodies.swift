internal import EventLog
internal import SwedbankPay

/// The request bodies of the payment order APIs.
///
/// - Note: Source: merchant backend API, endpoints; payment order API, payment order operations and
///   transactions.
enum OrderBodies {
    /// The body that starts a check-in.
    static func consumer(language: String, shippingCountries: [String]) -> ForeignJSON {
        [
            "operation": "initiate-consumer-session", "language": .string(language),
            "shippingAddressRestrictedToCountryCodes": .array(
                shippingCountries.map { .string($0) }
            ),
        ]
    }

    /// Replacements for members of an order that is about to be created.
    struct Overrides {
        /// The method to lock the order to.
        var instrument: PaymentMethodName?
        /// The consumer who checked in.
        var consumerProfileRef: String?
        /// The merchant's unique reference for this try.
        var payeeReference: String?
        /// The engine's identification, for documents without one.
        var userAgent: String?
    }

    /// The body that creates an order.
    ///
    /// Replacements are merged into the document member by member: a payer who checked in keeps the
    /// reference and address that the document has.
    ///
    /// - Parameters:
    ///   - document: The order as JSON text, bare or within `paymentorder`.
    ///   - overrides: The replacements.
    ///   - limits: The parsing limits.
    /// - Returns: The body.
    /// - Throws: ``OrderAPIError/malformedValue(_:)`` when the document is not a JSON object.
    /// - Note: Source: merchant backend API, flaws: merged, never replaced.
    static func order(
        _ document: String,
        _ overrides: Overrides = Overrides(),
        limits: ResponseLimits
    ) throws(OrderAPIError) -> ForeignJSON {
        guard
            let json = try? ForeignJSON(
                parsing: Array(document.utf8),
                maximumDepth: limits.depth
            ),
            var members = json.object
        else { throw .malformedValue("the order's document") }
        if let inner = members["paymentorder"]?.object ?? members["paymentOrder"]?.object {
            members = inner
        }
        // Only responses contain this member; a document made from one must not send it back.
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

    /// The body that locks the order to a method.
    static func setInstrument(_ instrument: PaymentMethodName) -> ForeignJSON {
        ["operation": "SetInstrument", "instrument": .string(instrument.rawValue)]
    }

    /// The body that aborts the order.
    static func abort(reason: String) -> ForeignJSON {
        ["operation": "Abort", "abortReason": .string(reason)]
    }

    /// The body that changes amounts and items.
    static func update(
        amount: Amount,
        vatAmount: Amount,
        orderItems: String?,
        limits: ResponseLimits
    ) throws(OrderAPIError) -> ForeignJSON {
        var members: [String: ForeignJSON] = [
            "operation": "UpdateOrder", "amount": .integer(amount.minorUnits),
            "vatAmount": .integer(vatAmount.minorUnits),
        ]
        if let orderItems { members["orderItems"] = try items(orderItems, limits) }
        return .object(members)
    }

    /// The body of a capture, cancellation or reversal; members without a value are omitted, and a
    /// cancellation has no amount.
    static func transaction(
        _ request: TransactionRequest,
        description: String,
        orderItems: String?,
        limits: ResponseLimits
    ) throws(OrderAPIError) -> ForeignJSON {
        var members: [String: ForeignJSON] = [
            "description": .string(description),
            "payeeReference": .string(request.payeeReference),
        ]
        if request.kind != .cancel {
            guard let amount = request.amount, let vatAmount = request.vatAmount else {
                throw .malformedValue("the amount")
            }
            members["amount"] = .integer(amount.minorUnits)
            members["vatAmount"] = .integer(vatAmount.minorUnits)
            if let receipt = request.receiptReference {
                members["receiptReference"] = .string(receipt)
            }
            if let orderItems { members["orderItems"] = try items(orderItems, limits) }
        }
        return .object(members)
    }

    private static func items(
        _ text: String,
        _ limits: ResponseLimits
    ) throws(OrderAPIError) -> ForeignJSON {
        guard
            let json = try? ForeignJSON(parsing: Array(text.utf8), maximumDepth: limits.depth),
            json.array != nil
        else { throw .malformedValue("the order items") }
        return json
    }
}

extension [String: ForeignJSON] {
    /// Sets a member of a nested object, whose other members stay.
    fileprivate mutating func merge(_ name: String, _ value: String, into object: String) {
        var members = self[object]?.object ?? [:]
        members[name] = .string(value)
        self[object] = .object(members)
    }
}
