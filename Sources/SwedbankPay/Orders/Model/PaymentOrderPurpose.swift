/// What an order is for: an open set, compared to the letter.
///
/// - Note: Source: payment order model; the mobile SDKs know the first two.
public struct PaymentOrderPurpose: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// The purpose of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The payer pays.
    public static let purchase = PaymentOrderPurpose(rawValue: "Purchase")
    /// Nothing is charged; the payer's details are checked and give tokens.
    public static let verify = PaymentOrderPurpose(rawValue: "Verify")
    /// A recurring payment by token, without the payer.
    public static let recur = PaymentOrderPurpose(rawValue: "Recur")
    /// A payment by token that the merchant starts, without the payer.
    public static let unscheduledPurchase = PaymentOrderPurpose(rawValue: "UnscheduledPurchase")
    /// Money goes to the payer.
    public static let payout = PaymentOrderPurpose(rawValue: "Payout")

    /// Whether the merchant charges a stored token: creating the order is the charge, one attempt without payer and page.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled: started by the server, a single attempt.
    public var chargesToken: Bool { self == .recur || self == .unscheduledPurchase }

    /// Whether an order of this purpose takes nothing before a payer acts, so that a second one in place of one that
    /// nobody has seen costs nobody anything.
    var awaitsPayer: Bool { self == .purchase || self == .verify }
}
