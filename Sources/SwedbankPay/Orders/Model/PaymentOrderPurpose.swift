/// The purpose of an order: an open set, compared exactly.
///
/// - Note: Source: payment order model; the mobile SDKs know the first two.
public struct PaymentOrderPurpose: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// Creates the purpose with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The payer pays.
    public static let purchase = PaymentOrderPurpose(rawValue: "Purchase")
    /// There is no charge; the payer's details are verified and tokens are created.
    public static let verify = PaymentOrderPurpose(rawValue: "Verify")
    /// A recurring payment with a token, without the payer.
    public static let recur = PaymentOrderPurpose(rawValue: "Recur")
    /// An unscheduled payment with a token, started by the merchant without the payer.
    public static let unscheduledPurchase = PaymentOrderPurpose(rawValue: "UnscheduledPurchase")
    /// Money is paid to the payer.
    public static let payout = PaymentOrderPurpose(rawValue: "Payout")

    /// Whether the merchant charges a stored token: creating the order is the charge, in one
    /// attempt without a payer or page.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled: started by the server, a
    ///   single attempt.
    public var chargesToken: Bool { self == .recur || self == .unscheduledPurchase }

    /// Whether an order with this purpose takes no money before a payer acts, so that a second
    /// order in place of one that was never shown does no harm.
    var awaitsPayer: Bool { self == .purchase || self == .verify }
}
