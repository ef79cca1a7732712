/// What is wrong with one field of a document, and what would be right.
///
/// It never quotes a text of the document, which may be personal or a secret.
public struct FieldProblem: Hashable, Sendable {
    /// Which field: names from the outside in, for example `orderItems[1].vatAmount`; list elements from 0.
    public let path: String
    /// What the field has to be, for example `must not be more than amount`.
    public let advice: String

    /// A problem with a field.
    public init(_ path: String, _ advice: String) {
        self.path = path
        self.advice = advice
    }
}

extension FieldProblem: CustomStringConvertible {
    /// The field and what it has to be.
    public var description: String { "\(path) \(advice)" }
}

/// Why a document is no payment order that could be created.
public enum PaymentOrderError: Error, Hashable, Sendable {
    /// It is no JSON text; where an object should be, there may be something else.
    case unreadable(reason: String)
    /// It is an order, but with these fields the PSP would refuse it; at least one.
    case invalid([FieldProblem])

    /// A code that stays what it is.
    public var code: String {
        switch self {
        case .unreadable: "order.unreadable"
        case .invalid: "order.invalid"
        }
    }

    /// The fields that are wrong; none when no field could be read.
    public var problems: [FieldProblem] {
        switch self {
        case .unreadable: []
        case .invalid(let problems): problems
        }
    }
}

extension PaymentOrderError: CustomStringConvertible {
    /// What is wrong, field by field, without quoting it.
    public var description: String {
        switch self {
        case .unreadable(let reason): "the payment order cannot be read: \(reason)"
        case .invalid(let problems):
            "the payment order is not valid: "
                + problems.map(\.description).joined(separator: "; ")
        }
    }
}
