/// The payee, and the merchant's references for this order.
///
/// - Note: Source: payment order model, payeeInfo.
public struct PayeeInfo: Hashable, Sendable {
    /// The merchant's identifier at the PSP; empty when a merchant backend supplies it.
    public var payeeID: String?
    /// The merchant's reference for this operation, never used twice; empty when a merchant backend
    /// supplies it.
    public var payeeReference: String?
    /// The name of the payee as the payer sees it.
    public var payeeName: String?
    /// The category of what is sold.
    public var productCategory: String?
    /// The merchant's order number, which need not be unique.
    public var orderReference: String?
    /// The part of the merchant that sells.
    public var subsite: String?
    /// The merchant's site at the PSP.
    public var siteID: String?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates a payee; without arguments, one that a merchant backend completes.
    public init(
        payeeID: String? = "",
        payeeReference: String? = "",
        payeeName: String? = nil,
        productCategory: String? = nil,
        orderReference: String? = nil,
        subsite: String? = nil,
        siteID: String? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.payeeID = payeeID
        self.payeeReference = payeeReference
        self.payeeName = payeeName
        self.productCategory = productCategory
        self.orderReference = orderReference
        self.subsite = subsite
        self.siteID = siteID
        self.others = others
    }
}
