/// Who is paid, and what the merchant calls this order.
///
/// - Note: Source: payment order model, payeeInfo.
public struct PayeeInfo: Hashable, Sendable {
    /// The merchant at the PSP; empty when a merchant backend fills it in.
    public var payeeID: String?
    /// The merchant's name for this operation, never used twice; empty when a merchant backend fills it in.
    public var payeeReference: String?
    /// The merchant's name for the payer.
    public var payeeName: String?
    /// The category of what is sold.
    public var productCategory: String?
    /// The merchant's order number, which need not be unique.
    public var orderReference: String?
    /// The part of the merchant that sells.
    public var subsite: String?
    /// The merchant's site at the PSP.
    public var siteID: String?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A payee; without arguments the one that a merchant backend fills in.
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
