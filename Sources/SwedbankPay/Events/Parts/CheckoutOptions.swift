package import EventLog

/// How the client shows the PSP's pages.
public struct CheckoutOptions: Hashable, Sendable {
    /// The targets in which pages open that the PSP's page links to.
    public var redirects: Redirects
    /// Whether the merchant shows its own terms instead of the page behind the order's address.
    public var overridesTermsOfService: Bool
    /// Whether each page that the payer is led to is recorded, by its host.
    public var recordsNavigation: Bool
    /// Whether the creator of the orders lets them be read; if not, the client's report is the only
    /// source, and payments are never confirmed.
    public var readsOrders: Bool
    /// Patterns of further hosts, beside the known ones, whose pages stay in the PSP's page.
    ///
    /// They are used when ``redirects`` is ``Redirects/policy``; without any, every page stays
    /// there.
    public var redirectHosts: [String]
    /// Whether the addresses of the pages that the payer is led to are recorded, sealed because
    /// their holder may be able to act.
    public var recordsAddresses: Bool

    /// The maximum number of patterns in a checkout.
    public static let redirectHostLimit = 100

    /// The targets in which pages open that the PSP's page links to.
    ///
    /// - Note: Source: redirect policy of the mobile SDKs.
    public enum Redirects: String, CaseIterable, Sendable, NameForm {
        /// As the host's policy decides for each page.
        case policy
        /// Always in the web view of the PSP's page.
        case webView
        /// Always in the payer's browser.
        case browser
    }

    /// Creates options with these members.
    public init(
        redirects: Redirects = .policy,
        overridesTermsOfService: Bool = false,
        recordsNavigation: Bool = false,
        readsOrders: Bool = true,
        redirectHosts: [String] = [],
        recordsAddresses: Bool = false
    ) {
        self.redirects = redirects
        self.overridesTermsOfService = overridesTermsOfService
        self.recordsNavigation = recordsNavigation
        self.readsOrders = readsOrders
        self.redirectHosts = redirectHosts
        self.recordsAddresses = recordsAddresses
    }
}

extension CheckoutOptions: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        overridesTermsOfService = try members.require(
            "overridesTermsOfService",
            value?.overridesTermsOfService
        )
        readsOrders = try members.find("readsOrders", value?.readsOrders, else: true)
        recordsAddresses = try members.find(
            "recordsAddresses",
            value?.recordsAddresses,
            else: false
        )
        recordsNavigation = try members.require("recordsNavigation", value?.recordsNavigation)
        redirectHosts = try members.find("redirectHosts", value?.redirectHosts, else: [])
        redirects = try members.require("redirects", value?.redirects)
    }
}
