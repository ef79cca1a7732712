/// A part of an order that is a resource of its own: a link, or expanded within the order.
///
/// - Note: Source: payment order API, sub-resources and `$expand`.
enum OrderPart: String, Sendable, Hashable, CaseIterable {
    case orderItems
    case urls
    case payeeInfo
    case payer
    case history
    case failed
    case aborted
    case paid
    case cancelled
    case reversed
    case financialTransactions
    case failedAttempts
    case postPurchaseFailedAttempts
    case metadata

    /// The last segment of the part's address.
    var segment: String {
        self == .payer ? "payers" : rawValue.lowercased()
    }

    /// The part named by an address; two spellings refer to the failed transactions.
    static func named(by segment: String) -> OrderPart? {
        let segment = segment.lowercased()
        if segment == "failedpostpurchaseattempts" { return .postPurchaseFailedAttempts }
        return allCases.first { $0.segment == segment }
    }

    /// The parts named by the value of `$expand`.
    ///
    /// - Throws: A problem that lists the unknown names.
    static func expanded(by text: String?) throws(ProblemDetail) -> Set<OrderPart> {
        var parts: Set<OrderPart> = []
        for name in (text ?? "").pieces(between: ",").prefix(2 * allCases.count) {
            let name = name.rewriting(" ", as: "")
            guard
                let part = allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
            else {
                throw .inputError([
                    FieldProblem(name: "$expand", description: "names a part that orders have not")
                ])
            }
            parts.insert(part)
        }
        return parts
    }
}
