public import EventLog
public import Inspection
internal import SwedbankPay

/// The addresses and options for a page with the PSP's payment menu.
///
/// The script's address gives access to the payment; no description shows it.
public struct PaymentMenu: Hashable, Sendable {
    /// The address of the PSP's script.
    public var script: String?
    /// The page's own address: the first of the order's host URLs.
    public var baseURL: String?
    /// The URL to which the PSP redirects a payer who has paid.
    public var completeURL: String?
    /// The URL to which the PSP redirects a payer who has canceled.
    public var cancelURL: String?
    /// The URL to which a payer returns after leaving the page.
    public var paymentURL: String?
    /// The address of the terms of service.
    public var termsOfServiceURL: String?
    /// The payer's language and region, passed to the script if set.
    public var culture: String?
    /// The menu's style, passed to the script unchanged; styling requires an agreement with the
    /// PSP.
    public var style: JSONValue?
    /// The kind of client that shows the menu, as reported to the PSP when the session was
    /// prepared.
    public var integration = "App"

    /// The script function that shows the order.
    public var function = Function.checkout
    /// Whether the host shows the terms of service itself when the payer opens them.
    public var overridesTermsOfService = false

    /// The functions of the PSP's scripts that show an order.
    ///
    /// - Note: Source: hosted view scripts and events.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        /// For payment sessions and for orders of the third generation.
        case checkout
        /// For orders of the second generation.
        case paymentMenu
    }

    /// The maximum size of a style in bytes of JSON.
    public static let maximumStyleBytes = 32 * 1024

    /// Creates a menu with these addresses.
    public init(
        script: String?,
        baseURL: String?,
        completeURL: String?,
        cancelURL: String? = nil,
        paymentURL: String? = nil,
        termsOfServiceURL: String? = nil
    ) {
        self.script = script
        self.baseURL = baseURL
        self.completeURL = completeURL
        self.cancelURL = cancelURL
        self.paymentURL = paymentURL
        self.termsOfServiceURL = termsOfServiceURL
    }

    /// Creates a menu from an action whose values were disclosed for the client.
    ///
    /// - Throws: ``PageError`` when the action is of another kind, or a required value is masked.
    public init(_ action: ActionView) throws(PageError) {
        guard case .showMenu(let menu) = action.content else {
            throw .malformed(member: "kind", reason: "the action has to be 'showMenu'")
        }
        self.init(
            script: try menu.script.clear("url"),
            baseURL: try menu.baseURL.clear("baseURL"),
            completeURL: try menu.completeURL.clear("completeURL"),
            cancelURL: try menu.cancelURL.clear("cancelURL"),
            paymentURL: try menu.paymentURL.clear("paymentURL"),
            termsOfServiceURL: try menu.checkout?.termsOfServiceURL.clear("termsOfServiceURL")
        )
        guard let checkout = menu.checkout else { return }
        function = Function(rawValue: checkout.function) ?? .checkout
        overridesTermsOfService = checkout.options.overridesTermsOfService
    }
}

extension PaymentMenu: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the addresses.
    public var description: String { "a payment menu" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Page {
    /// The page with the hosted payment menu: it loads the PSP's script and starts its menu in a
    /// container.
    ///
    /// Events: `shown`; `paid`, after which the page continues to the complete URL; `failed` with
    /// `script-load`, `timeout`, `script-unusable`, `script-error` or `blocked`, after which the
    /// payer may try again; `blocked` when a shown menu tried to frame an origin that is not
    /// trusted; `left` when the payer is sent to a bank or an app; `terms` when the payer opens
    /// terms that the host shows itself. A ``MenuNavigation`` decides what to do with the page's
    /// navigations.
    ///
    /// - Parameters:
    ///   - menu: The menu's addresses and options.
    ///   - limit: The time limit for loading the script.
    ///   - trustedOrigins: Origins that the PSP's script may use, in addition to its own.
    ///   - allowsInlineStyles: Whether the PSP's script may add style elements to the page.
    ///   - reporting: How the host is notified.
    ///   - words: The texts of the page.
    ///   - callbackScheme: The app's own scheme, which the order's addresses may have.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Returns: The page.
    /// - Throws: ``PageError``, which names the invalid member.
    /// - Note: Source: hosted view scripts and events.
    public static func menu(
        _ menu: PaymentMenu,
        limit: Duration = .seconds(30),
        trustedOrigins: [String] = [],
        allowsInlineStyles: Bool = false,
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords(),
        callbackScheme: String? = nil,
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) -> Page {
        let words = try words.checked()
        let reporting = try reporting.checked(allowsInsecureLoopback: allowsInsecureLoopback)
        let script = try PageAddress(
            menu.script,
            member: "url",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        let base = try PageAddress(
            menu.baseURL,
            member: "baseURL",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        _ = try MenuNavigation(
            menu,
            callbackScheme: callbackScheme,
            resultURL: reporting.resultURL
        )
        if let style = menu.style { try check(style) }
        let allowed =
            try [script.origin]
            + trusted(trustedOrigins, allowsInsecureLoopback: allowsInsecureLoopback)
        var data = PageData(page: "menu", reporting: reporting)
        data.set("script", script.text)
        data.set("completeURL", menu.completeURL)
        data.set("cancelURL", menu.cancelURL)
        data.set("culture", menu.culture)
        data.set("integration", menu.integration)
        data.set("style", menu.style)
        data.set("function", menu.function.rawValue)
        data.set("overridesTerms", menu.overridesTermsOfService ? .bool(true) : nil)
        data.set("limit", limit)
        return Page(
            language: words.language,
            title: words.title,
            body: """
                <main>
                \(trouble(words))
                <div id="payment-menu"></div>
                <noscript><p>\(Markup.escaped(words.trouble))</p></noscript>
                </main>
                """,
            script: .menu,
            data: data,
            policy: ContentSecurityPolicy(
                script: .menu,
                scriptSources: allowed,
                frames: allowed,
                forms: allowed,
                connections: allowed,
                styles: allowed,
                allowsInlineStyles: allowsInlineStyles,
                ancestors: reporting.ancestors
            ),
            baseURL: base.text
        )
    }

    private static func check(_ style: JSONValue) throws(PageError) {
        let limit = PaymentMenu.maximumStyleBytes
        guard case .object = style, let bytes = try? style.canonical(), bytes.count <= limit else {
            throw .malformed(
                member: "style",
                reason: "it must be a JSON object of at most \(limit) bytes"
            )
        }
    }
}
