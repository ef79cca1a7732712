import FoundationEssentials

/// A kind of transaction on a paid order.
enum TransactionKind: String, Sendable, Hashable, CaseIterable {
    case capture
    case cancellation
    case reversal

    /// The last segment of the operation's address.
    var segment: String { rawValue + "s" }

    /// The operation that offers it.
    var rel: MerchantRel {
        switch self {
        case .capture: .capture
        case .cancellation: .cancel
        case .reversal: .reversal
        }
    }

    /// The resulting movement of money.
    var movement: FinancialTransaction.Kind {
        switch self {
        case .capture: .capture
        case .cancellation: .cancellation
        case .reversal: .reversal
        }
    }
}

/// One movement of money.
///
/// - Note: Source: payment order API, `financialTransactions`.
struct FinancialTransaction: Sendable {
    /// How money moves.
    enum Kind: String, Sendable {
        case authorization = "Authorization"
        case sale = "Sale"
        case capture = "Capture"
        case cancellation = "Cancellation"
        case reversal = "Reversal"
        /// A card was verified; no money moved.
        case verification = "Verification"
    }

    let kind: Kind
    /// The PSP's number of the transaction.
    let number: Int
    let amount: Int
    let vatAmount: Int
    let description: String
    let payeeReference: String
    var receiptReference: String?
    var orderItems: JSON?
    let created: Date

    /// The entry in the order's list.
    func document(in order: PaymentOrder) -> JSON {
        var members: [String: JSON] = [
            "id": .string("\(order.address(of: .financialTransactions))/\(number)"),
            "created": .string(Timestamp.text(created)),
            "updated": .string(Timestamp.text(created)), "type": .string(kind.rawValue),
            "number": .integer(number), "amount": .integer(amount),
            "vatAmount": .integer(vatAmount), "description": .string(description),
            "payeeReference": .string(payeeReference),
        ]
        if let receiptReference { members["receiptReference"] = .string(receiptReference) }
        if let orderItems { members["orderItems"] = ["orderItemList": orderItems] }
        return .object(members)
    }
}

/// A capture, cancellation or reversal that failed.
struct FailedTransaction: Sendable {
    let kind: TransactionKind
    let number: Int
    let payeeReference: String
    let created: Date
    let problem: ProblemDetail

    var document: JSON {
        [
            "created": .string(Timestamp.text(created)),
            "type": .string(kind.movement.rawValue), "number": .integer(number),
            "status": "Failed", "payeeReference": .string(payeeReference),
            "problem": problem.document,
        ]
    }
}

/// A reversal that a bank has not performed yet.
struct PendingReversal: Sendable {
    let transaction: FinancialTransaction
    let endsAt: ContinuousClock.Instant
}

/// The balance of an order's money.
struct OrderBalance: Sendable, Equatable {
    var authorized = 0
    /// Taken at once, without a preceding authorization.
    var sold = 0
    var captured = 0
    var cancelled = 0
    var reversed = 0

    init(_ transactions: [FinancialTransaction]) {
        for transaction in transactions {
            switch transaction.kind {
            case .authorization: authorized += transaction.amount
            case .sale: sold += transaction.amount
            case .capture: captured += transaction.amount
            case .cancellation: cancelled += transaction.amount
            case .reversal: reversed += transaction.amount
            case .verification: break
            }
        }
    }

    /// The amount that may still be captured; a cancellation releases all of it.
    var capturable: Int { authorized - captured - cancelled }

    /// The amount that may still be reversed.
    var reversible: Int { captured + sold - reversed }
}
