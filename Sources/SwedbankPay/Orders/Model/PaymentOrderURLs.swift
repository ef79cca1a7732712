/// Where the PSP and the payer's browser go during the payment of an order.
///
/// The complete and cancel URLs are watched for and never loaded, so each must be unlike the others.
///
/// - Note: Source: payment order model, urls.
public struct PaymentOrderURLs: Hashable, Sendable {
    /// The pages that show the PSP's menu; the address of the page that a web view shows has to be among them.
    ///
    /// Empty where no payer takes part.
    public var hosts: [String]
    /// Where the payer is sent when they are done; reaching it proves no payment.
    ///
    /// Empty where no payer takes part.
    public var complete: String
    /// Where the payer is sent when they give up.
    public var cancel: String?
    /// Where the payer comes back to from an app or another page; without it fewer methods are offered.
    public var payment: String?
    /// Where the PSP tells that something happened; only with a working endpoint behind it.
    public var callback: String?
    /// The merchant's logo.
    public var logo: String?
    /// The merchant's terms of service.
    public var termsOfService: String?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A set of addresses.
    public init(
        hosts: [String] = [],
        complete: String = "",
        cancel: String? = nil,
        payment: String? = nil,
        callback: String? = nil,
        logo: String? = nil,
        termsOfService: String? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.hosts = hosts
        self.complete = complete
        self.cancel = cancel
        self.payment = payment
        self.callback = callback
        self.logo = logo
        self.termsOfService = termsOfService
        self.others = others
    }
}

extension PaymentOrderURLs: CustomStringConvertible, CustomReflectable {
    /// Never the addresses, which may name a payment.
    public var description: String { "the addresses of a payment order" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
