package import EventLog

/// How the client shows the PSP's pages.
public struct CheckoutOptions: Hashable, Sendable {
    /// Where pages open that the PSP's page leads to.
    public var redirects: Redirects
    /// Whether the merchant shows its own terms instead of the page behind the order's address.
    public var overridesTermsOfService: Bool
    /// Whether each page that the payer is led to is recorded, by its host.
    public var recordsNavigation: Bool
    /// Whether whoever creates the orders lets them be read; where nobody does, the client's account is all there is, and
    /// nothing is confirmed.
    public var readsOrders: Bool
    /// Patterns of further hosts whose pages stay where the PSP's page is, beside the known ones.
    ///
    /// They count where ``redirects`` is ``Redirects/policy``; without any, every page stays there.
    public var redirectHosts: [String]
    /// Whether the addresses of the pages that the payer is led to are recorded: sealed, since they may let somebody act.
    public var recordsAddresses: Bool

    /// How many patterns a checkout takes.
    public static let redirectHostLimit = 100

    /// Where pages open that the PSP's page leads to.
    ///
    /// - Note: Source: redirect policy of the mobile SDKs.
    public enum Redirects: String, CaseIterable, Sendable, NameForm {
        /// As the host's policy says for each.
        case policy
        /// Always where the PSP's page is.
        case webView
        /// Always in the payer's browser.
        case browser
    }

    /// Options with these members.
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
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
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
