public import SwedbankPay
internal import Workflow

/// Decides what to do with the navigations of a page that shows the payment menu, before anything
/// is loaded.
///
/// A navigation advances a session; only the order proves that it was paid.
///
/// - Note: Source: completion and cancel detection; payment URL matching rule.
public struct MenuNavigation: Hashable, Sendable {
    /// The decision about a navigation.
    public enum Decision: Hashable, Sendable {
        /// Do not load it: report `completed`.
        case completed
        /// Do not load it: report `canceled`.
        case canceled
        /// Do not load it: reload the page with the menu.
        case reloadMenu
        /// Show the terms of service, in the web view or elsewhere.
        case termsOfService
        /// Do not load it: the page reported an event through ``PageReporting/resultURL``.
        case reported(PageEvent)
        /// Load it.
        case allowed
        /// Do not load it: pass it to the system, which opens an app.
        case externalApp
        /// Do not load it: open this page in the payer's browser.
        case browser(ExternalPage)
        /// Do not load it: no page of a payment leads there.
        case refused
    }

    /// The page to open in the payer's browser.
    public enum ExternalPage: Hashable, Sendable {
        /// The page currently shown: opening the target would lose what the page has collected.
        case current
        /// The target of the navigation.
        case target
    }

    /// The order's addresses.
    public let urls: PlaintextOrderURLs
    /// The app's own scheme, which the payment URL may use on return.
    public let callbackScheme: String?
    /// The address to which the page reports its events.
    public let resultURL: String?
    /// Which pages stay in the web view.
    public let policy: RedirectPolicy
    /// The schemes of the apps that the page may open.
    public let appSchemes: Set<String>

    /// Creates the rules for a menu.
    ///
    /// - Parameters:
    ///   - menu: The menu's addresses.
    ///   - callbackScheme: The app's own scheme.
    ///   - resultURL: The address to which the page reports its events.
    ///   - policy: Which pages stay in the web view.
    ///   - appSchemes: The schemes of the apps that the page may open, in lower case; the app's own
    ///     is always included.
    /// - Throws: ``PageError`` when an address is missing, is neither a web address nor one of the
    ///   app, or is the address of the page itself.
    public init(
        _ menu: PaymentMenu,
        callbackScheme: String? = nil,
        resultURL: String? = nil,
        policy: RedirectPolicy = .webView,
        appSchemes: Set<String> = ClientAddresses.pageAppSchemes
    ) throws(PageError) {
        guard let complete = menu.completeURL, !complete.isEmpty else {
            throw .missing(member: "completeURL")
        }
        let addresses = [
            ("completeURL", complete), ("cancelURL", menu.cancelURL),
            ("paymentURL", menu.paymentURL), ("termsOfServiceURL", menu.termsOfServiceURL),
        ]
        for case (let member, let address?) in addresses {
            guard PaymentURL.isEquivalent(address, address), Self.isReadable(address) else {
                throw .malformed(member: member, reason: "it must be an absolute URL")
            }
            guard ClientAddresses.isEnd(address, callbackScheme: callbackScheme) else {
                throw .malformed(
                    member: member,
                    reason: "it must be an address of the web or of the app's own scheme"
                )
            }
            let leadsHere = menu.baseURL.map { PaymentURL.isEquivalent($0, address) } ?? false
            guard !leadsHere || member == "paymentURL" else {
                throw .malformed(member: member, reason: "it is the address of the page itself")
            }
        }
        urls = PlaintextOrderURLs(
            complete: complete,
            cancel: menu.cancelURL,
            payment: menu.paymentURL,
            hosts: menu.baseURL.map { [$0] } ?? [],
            termsOfService: menu.termsOfServiceURL
        )
        self.callbackScheme = callbackScheme
        self.resultURL = resultURL
        self.policy = policy
        self.appSchemes = appSchemes.union([callbackScheme?.lowercased()].compactMap { $0 })
    }

    private static func isReadable(_ address: String) -> Bool { AddressParts(address) != nil }

    /// Decides what to do with a navigation.
    ///
    /// - Parameters:
    ///   - url: The target of the navigation.
    ///   - isMainFrame: Whether the navigation replaces the whole page.
    ///   - isFirstLoad: Whether the web view is loading the menu page itself.
    ///   - isAtMenu: Whether the menu page is currently shown; otherwise, the shown page is the one
    ///     that a browser must open.
    /// - Returns: What to do.
    public func decision(
        for url: String,
        isMainFrame: Bool = true,
        isFirstLoad: Bool = false,
        isAtMenu: Bool = true
    ) -> Decision {
        if isFirstLoad { return .allowed }
        if let resultURL, let event = PageEvent(url: url, resultURL: resultURL) {
            return .reported(event)
        }
        switch RedirectTarget.classify(url, urls: urls) {
        case .complete: return .completed
        case .cancel: return .canceled
        case .payment: return .reloadMenu
        case .elsewhere, .unreadable: break
        }
        if let payment = urls.payment,
            ReturnURL.match(url, paymentURL: payment, callbackScheme: callbackScheme) != nil
        {
            return .reloadMenu
        }
        if let terms = urls.termsOfService, PaymentURL.isEquivalent(url, terms) {
            return .termsOfService
        }
        return other(url, isMainFrame: isMainFrame, isAtMenu: isAtMenu)
    }

    private func other(_ url: String, isMainFrame: Bool, isAtMenu: Bool) -> Decision {
        switch AppLink.scheme(of: url) {
        case "http", "https":
            // Browsers accept more addresses than this parser does; web pages are left to the
            // browser.
            if !isMainFrame || policy.keepsInWebView(url) { return .allowed }
            return .browser(isAtMenu ? .target : .current)
        case "about":
            return url == "about:blank" || url == "about:srcdoc" ? .allowed : .refused
        case let scheme?: return appSchemes.contains(scheme) ? .externalApp : .refused
        case nil: return .refused
        }
    }
}

extension MenuNavigation: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the addresses, which may identify a payment.
    public var description: String { "the rules of a payment menu's navigations" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
