internal import Adapters
internal import EventLog

/// A payment order as the PSP shows it to the merchant, and the part of it that a caller may see.
///
/// What may be shown is listed, so that anything new from the PSP is withheld until it has been
/// reviewed: no tokens, no capture, no callback address, nothing about the merchant.
struct OrderResponse {
    /// The order's id: a path in the form that ``OrderID`` accepts.
    let id: String
    /// The order's members.
    let members: [String: ForeignJSON]
    /// All operations, as received.
    let operations: [RegisteredOrder.Link]
    private let shown: [ForeignJSON]

    /// Operations that a caller's client needs, with the names of both generations.
    ///
    /// - Note: Source: payment order operations.
    static let shownRels: Set<String> = [
        "view-checkout", "redirect-checkout", "view-paymentsession",
        "view-paymentorder", "redirect-paymentorder",
        "set-instrument", "update-paymentorder-setinstrument",
        "abort", "update-paymentorder-abort",
    ]
    /// The operations without which a payment is impossible.
    static let viewRels: Set<String> = [
        "view-checkout", "view-paymentorder", "view-paymentsession",
    ]

    private static let shownMembers: Set<String> = [
        "id", "number", "created", "updated", "operation", "status", "state", "currency", "amount",
        "vatAmount", "remainingCaptureAmount", "remainingCancellationAmount",
        "remainingReversalAmount", "description", "language", "instrument",
        "availableInstruments", "instrumentMode", "guestMode", "productName",
    ]
    /// Members of the order's parts that may be shown when the part was expanded.
    private static let shownParts: [String: Set<String>] = [
        "urls": [
            "id", "hostUrls", "completeUrl", "cancelUrl", "paymentUrl", "termsOfServiceUrl",
            "logoUrl",
        ],
        "paid": [
            "id", "instrument", "number", "payeeReference", "orderReference", "transactionType",
            "amount", "submittedAmount", "feeAmount", "discountAmount",
        ],
        "failed": ["id", "problem"],
        "aborted": ["id", "abortReason"],
        "cancelled": ["id", "cancelReason", "instrument", "number", "amount", "submittedAmount"],
        "failedAttempts": ["id", "failedAttemptList"],
        "financialTransactions": ["id", "financialTransactionsList"],
    ]
    private static let shownElements: [String: Set<String>] = [
        "failedAttemptList": ["created", "instrument", "number", "status", "problem"],
        "financialTransactionsList": [
            "type", "number", "amount", "vatAmount", "description", "payeeReference",
            "receiptReference", "created",
        ],
    ]
    private static let shownProblem: Set<String> = ["type", "title", "status", "detail"]

    /// Reads a response of the PSP.
    ///
    /// Returns `nil` when it is not a payment order.
    init?(_ response: [String: ForeignJSON]) {
        guard
            let order = (response["paymentOrder"] ?? response["paymentorder"])?.object,
            let id = order["id"]?.string, OrderID.isOne(id)
        else { return nil }
        self.id = id
        members = order
        let sent = response["operations"]?.array ?? []
        operations = sent.compactMap(Self.link)
        shown = sent.filter {
            Self.link($0).map { Self.shownRels.contains($0.rel) } ?? false
        }
    }

    /// Whether the order can be shown to a payer.
    var canBeViewed: Bool { operations.contains { Self.viewRels.contains($0.rel) } }

    /// The payment methods that the order can be switched to.
    var availableInstruments: [ForeignJSON] {
        members["availableInstruments"]?.array?.filter { $0.string != nil } ?? []
    }

    /// The document that a caller receives.
    ///
    /// - Parameter instrumentURL: The address at which the instrument of an order of the second
    ///   generation is changed.
    /// - Returns: The document.
    func disclosed(instrumentURL: String?) -> ForeignJSON {
        var order = members.filter { Self.shownMembers.contains($0.key) }
        for (part, names) in Self.shownParts {
            guard let value = members[part]?.object else { continue }
            order[part] = Self.shown(value, names)
        }
        var document: [String: ForeignJSON] = [
            "paymentOrder": .object(order),
            "operations": .array(shown.map(Self.withoutExtras)),
        ]
        if let instrumentURL {
            document["mobileSDK"] = [
                "setInstrument": .string(instrumentURL),
                "validInstruments": .array(availableInstruments),
            ]
        }
        return .object(document)
    }

    private static func shown(
        _ members: [String: ForeignJSON],
        _ names: Set<String>
    ) -> ForeignJSON {
        var result = members.filter { names.contains($0.key) }
        for (list, names) in shownElements {
            guard let elements = result[list]?.array else { continue }
            result[list] = .array(elements.compactMap(\.object).map { shown($0, names) })
        }
        if let problem = result["problem"]?.object {
            result["problem"] = .object(problem.filter { shownProblem.contains($0.key) })
        }
        return .object(result)
    }

    private static func link(_ json: ForeignJSON) -> RegisteredOrder.Link? {
        guard let object = json.object, let rel = object["rel"]?.string,
            let href = object["href"]?.string
        else { return nil }
        let method = object["method"]?.string?.uppercased() ?? "GET"
        guard ["GET", "POST", "PATCH"].contains(method) else { return nil }
        return RegisteredOrder.Link(rel: rel, method: method, href: href)
    }

    private static func withoutExtras(_ json: ForeignJSON) -> ForeignJSON {
        let names: Set<String> = ["rel", "method", "href", "contentType"]
        return .object((json.object ?? [:]).filter { names.contains($0.key) })
    }
}

/// The ids of payment orders.
enum OrderID {
    /// The prefix before the UUID.
    static let prefix = "/psp/paymentorders/"

    /// Whether a text is the id of a payment order, and nothing else.
    ///
    /// - Note: Source: merchant backend, flaws to avoid: `^/psp/paymentorders/[0-9a-f-]{36}$`.
    static func isOne(_ text: String) -> Bool {
        guard text.hasPrefix(prefix) else { return false }
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        return rest.count == 36
            && rest.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
