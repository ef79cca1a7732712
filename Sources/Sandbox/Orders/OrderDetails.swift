/// The content of an order apart from its amount and its addresses; the merchant can read it again.
struct OrderDetails: Sendable, Equatable {
    /// The kinds of tokens that a payment can create.
    enum TokenKind: String, Sendable, CaseIterable {
        case payment
        case recurrence
        case unscheduled

        /// The member of an order that pays with such a token.
        var member: String { rawValue + "Token" }

        /// The member of an order that requests such a token.
        var requestingMember: String {
            switch self {
            case .payment: "generatePaymentToken"
            case .recurrence: "generateRecurrenceToken"
            case .unscheduled: "generateUnscheduledToken"
            }
        }
    }

    /// The payee of the order.
    var payeeID = "sandbox"
    var payeeInfo: JSON = [:]
    var payer: JSON?
    var orderItems: JSON?
    var metadata: JSON?
    /// The tokens to create when the order is paid.
    var tokens: [TokenKind] = []
    /// The result of a check-in.
    var consumerProfileRef: String?
    /// The stored card, account or agreement to pay with.
    var paymentToken: String?
    /// The recurrence or unscheduled token for a merchant-initiated order.
    var agreementToken: String?
    /// Whether stored cards, and the question whether to store one, are hidden.
    var hidesStoredOptions = false
    /// Whether the payer is asked for consent although stored cards are hidden.
    var asksForConsent: Bool?

    /// Reads the details of an order.
    static func read(from reader: inout BodyReader, at root: String) -> OrderDetails {
        var details = OrderDetails()
        details.payeeID = reader.string("\(root).payeeInfo.payeeId")
        details.payeeInfo = reader.value("\(root).payeeInfo") ?? [:]
        details.payer = object("\(root).payer", from: &reader)
        details.metadata = object("\(root).metadata", from: &reader)
        if reader.has("\(root).orderItems") {
            details.orderItems = OrderItems.read(from: &reader, at: "\(root).orderItems")
        }
        for kind in TokenKind.allCases
        where reader.optionalBool("\(root).\(kind.requestingMember)") == true {
            details.tokens.append(kind)
        }
        details.consumerProfileRef = reader.optionalString("\(root).payer.consumerProfileRef")
        details.paymentToken = reader.optionalString("\(root).paymentToken")
        details.hidesStoredOptions =
            reader.optionalBool("\(root).disableStoredPaymentDetails") ?? false
        details.asksForConsent =
            reader.optionalBool("\(root).enablePaymentDetailsConsentCheckbox")
        limit("\(root).payeeInfo.orderReference", 50, from: &reader)
        limit("\(root).payeeInfo.productCategory", 50, from: &reader)
        limit("\(root).payeeInfo.subsite", 40, from: &reader)
        if details.paymentToken != nil, !reader.has("\(root).payer.payerReference") {
            reader.refuse("\(root).payer.payerReference", "is required with paymentToken")
        }
        return details
    }

    private static func object(_ path: String, from reader: inout BodyReader) -> JSON? {
        guard let value = reader.value(path) else { return nil }
        guard case .object = value else {
            reader.refuse(path, "must be a JSON object")
            return nil
        }
        return value
    }

    private static func limit(_ path: String, _ length: Int, from reader: inout BodyReader) {
        if let text = reader.optionalString(path), text.count > length {
            reader.refuse(path, "must be at most \(length) characters")
        }
    }

    /// The merchant's own order number.
    var orderReference: String? { payeeInfo["orderReference"]?.text }
}

/// The items of an order, a capture or a reversal.
///
/// - Note: Source: payment order API, order items; their sums must be the amount and the VAT.
enum OrderItems {
    /// The maximum number of items in an order.
    static let limit = 1_000

    private static let types: Set<String> = [
        "PRODUCT", "SERVICE", "SHIPPING_FEE", "PAYMENT_FEE", "DISCOUNT", "VALUE_CODE", "OTHER",
    ]

    /// Reads and validates the items.
    static func read(from reader: inout BodyReader, at path: String) -> JSON? {
        let count = reader.count(path)
        if count > limit { reader.refuse(path, "must be at most \(limit) lines") }
        for index in 0..<min(count, limit) {
            let item = "\(path).\(index)"
            _ = reader.string(item + ".reference")
            _ = reader.string(item + ".name")
            let type = reader.string(item + ".type")
            if !type.isEmpty, !types.contains(type) {
                reader.refuse(item + ".type", "is not a type of order items")
            }
            let group = reader.string(item + ".class")
            if !group.utf8.allSatisfy(isClassCharacter) {
                reader.refuse(item + ".class", "must be letters, digits, hyphens or underscores")
            }
            switch reader.value(item + ".quantity") {
            case .integer?, .number?: break
            case nil: reader.refuse(item + ".quantity", "is required")
            default: reader.refuse(item + ".quantity", "must be a number")
            }
            _ = reader.string(item + ".quantityUnit")
            for field in ["unitPrice", "vatPercent", "amount", "vatAmount"] {
                _ = reader.integer("\(item).\(field)")
            }
        }
        return reader.value(path)
    }

    /// What is wrong with the sums of the items; `nil` when they are correct.
    static func mismatch(_ items: JSON?, amount: Int, vatAmount: Int) -> (String, String)? {
        guard case .array(let lines)? = items, !lines.isEmpty else { return nil }
        if sum("amount", of: lines) != amount {
            return ("amount", "must be the sum of the order items' amounts")
        }
        if sum("vatAmount", of: lines) != vatAmount {
            return ("vatAmount", "must be the sum of the order items' VAT amounts")
        }
        return nil
    }

    private static func sum(_ name: String, of lines: [JSON]) -> Int? {
        var total = 0
        for line in lines {
            guard case .integer(let number)? = line[name] else { continue }
            let (next, overflows) = total.addingReportingOverflow(number)
            if overflows { return nil }
            total = next
        }
        return total
    }

    private static func isClassCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
