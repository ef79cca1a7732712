/// The addresses for the PSP and the payer's browser during the payment of an order.
///
/// The complete and cancel URLs are watched for and never loaded, so each must differ from the
/// others.
///
/// - Note: Source: payment order model, urls.
public struct PaymentOrderURLs: Hashable, Sendable {
    /// The pages that show the PSP's menu, including the address of the page that a web view shows.
    ///
    /// Empty when no payer takes part.
    public var hosts: [String]
    /// The URL to which the payer is redirected on completion; reaching it does not prove a
    /// payment.
    ///
    /// Empty when no payer takes part.
    public var complete: String
    /// The URL to which the payer is redirected after canceling.
    public var cancel: String?
    /// The URL to which the payer returns from an app or another page; without it fewer methods are
    /// offered.
    public var payment: String?
    /// The URL to which the PSP sends callbacks; set it only when a working endpoint is behind it.
    public var callback: String?
    /// The address of the merchant's logo.
    public var logo: String?
    /// The address of the merchant's terms of service.
    public var termsOfService: String?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates a set of addresses.
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
    /// A constant text without the addresses, which may identify a payment.
    public var description: String { "the addresses of a payment order" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
