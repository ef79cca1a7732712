public import SwedbankPay

/// The host application's decision on an order before it is sent to the PSP.
///
/// An app can request anything at any price; only the host application knows prices.
public protocol OrderReview: Sendable {
    /// The problems of an order, which the caller receives; empty when it may be created as it is.
    func review(_ order: PaymentOrder, of caller: Caller) async throws -> [FieldProblem]
}

/// Accepts every order at the caller's price: for sandboxes only.
public struct AcceptAllOrders: OrderReview {
    /// Creates the review.
    public init() {}

    /// Returns no problems.
    public func review(_ order: PaymentOrder, of caller: Caller) async throws -> [FieldProblem] {
        []
    }
}
