public import SwedbankPay

/// The host's last word on an order, before the PSP gets it.
///
/// An app can ask for anything at any price: what things cost is known here alone.
public protocol OrderReview: Sendable {
    /// What is wrong with an order; nothing when it may be created as it is. The caller reads it.
    func review(_ order: PaymentOrder, of caller: Caller) async throws -> [FieldProblem]
}

/// Takes every order at the caller's price: for sandboxes only.
public struct AnyPrice: OrderReview {
    /// The rule.
    public init() {}

    /// Nothing is wrong.
    public func review(_ order: PaymentOrder, of caller: Caller) async throws -> [FieldProblem] {
        []
    }
}
