/// An error in one field of a document, with a description of valid values.
///
/// It never quotes text of the document, which may be personal or secret.
public struct FieldProblem: Hashable, Sendable {
    /// The path of the field from the outside in, for example `orderItems[1].vatAmount`, with list
    /// elements numbered from 0.
    public let path: String
    /// What the field must be, for example `must not be more than amount`.
    public let advice: String

    /// Creates a problem of a field.
    public init(_ path: String, _ advice: String) {
        self.path = path
        self.advice = advice
    }
}

extension FieldProblem: CustomStringConvertible {
    /// The field and what it must be.
    public var description: String { "\(path) \(advice)" }
}

/// Why a document is not a payment order that could be created.
@nonexhaustive
public enum PaymentOrderError: Error, Hashable, Sendable {
    /// It is not JSON, or has something else where an object is required.
    case unreadable(reason: String)
    /// It is an order, but the PSP would refuse it because of these fields; at least one.
    case invalid([FieldProblem])

    /// A stable error code.
    public var code: String {
        switch self {
        case .unreadable: "order.unreadable"
        case .invalid: "order.invalid"
        }
    }

    /// The invalid fields; empty when no field could be read.
    public var problems: [FieldProblem] {
        switch self {
        case .unreadable: []
        case .invalid(let problems): problems
        }
    }
}

extension PaymentOrderError: CustomStringConvertible {
    /// The errors, field by field, without quotations.
    public var description: String {
        switch self {
        case .unreadable(let reason): "the payment order cannot be read: \(reason)"
        case .invalid(let problems):
            "the payment order is not valid: "
                + problems.map(\.description).joined(separator: "; ")
        }
    }
}
