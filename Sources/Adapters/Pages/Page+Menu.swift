public import EventLog
public import Inspection
internal import SwedbankPay

/// What a page with the PSP's payment menu is made of.
///
/// Holds the address of a script that acts on the payment; its description shows nothing of it.
public struct PaymentMenu: Hashable, Sendable {
    /// The address of the PSP's script.
    public var script: String?
    /// The page's own address: the first of the order's host URLs.
    public var baseURL: String?
    /// Where the PSP sends a payer who has paid.
    public var completeURL: String?
    /// Where the PSP sends a payer who gave up.
    public var cancelURL: String?
    /// Where a payer comes back to who was somewhere else.
    public var paymentURL: String?
    /// Where the terms of service are.
    public var termsOfServiceURL: String?
    /// The payer's language and region, if the script is to be told.
    public var culture: String?
    /// The look of the menu, handed to the script as it is; styling needs an agreement with the PSP.
    public var style: JSONValue?
    /// What kind of client shows the menu, as the PSP was told when the session was prepared.
    public var integration = "App"

    /// Which of the script's functions shows the order.
    public var function = Function.checkout
    /// Whether the host shows the terms of service itself, when the payer asks for them.
    public var overridesTermsOfService = false

    /// The functions of the PSP's scripts that show an order.
    ///
    /// - Note: Source: hosted view scripts and events.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        /// Of payment sessions, and of orders of the third generation.
        case checkout
        /// Of orders of the second generation.
        case paymentMenu
    }

    /// The longest style, in bytes of JSON.
    public static let maximumStyleBytes = 32 * 1024

    /// A menu with these addresses.
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

    /// The menu of an action, with the values that were disclosed for the client.
    ///
    /// - Throws: ``PageError`` when it is another kind of action, or hides what is needed.
    public init(_ action: ActionView) throws(PageError) {
        guard action.kind == "showMenu" else {
            throw .malformed(member: "kind", reason: "the action has to be 'showMenu'")
        }
        let members = DisclosedMembers(action)
        self.init(
            script: try members.text("url"),
            baseURL: try members.text("baseURL"),
            completeURL: try members.text("completeURL"),
            cancelURL: try members.text("cancelURL"),
            paymentURL: try members.text("paymentURL"),
            termsOfServiceURL: try members.text("termsOfServiceURL")
        )
        function = try members.text("function").flatMap { Function(rawValue: $0) } ?? .checkout
        overridesTermsOfService = members.flag("overridesTermsOfService")
    }
}

extension PaymentMenu: CustomStringConvertible, CustomReflectable {
    /// Never the addresses.
    public var description: String { "a payment menu" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Page {
    /// The hosted payment menu: loads the PSP's script and starts its menu in a container.
    ///
    /// Events: `shown`; `paid`, after which the page goes to the complete URL; `failed` with `script-load`,
    /// `timeout`, `script-unusable`, `script-error` or `blocked`, where the payer may try again; `blocked` when a
    /// shown menu wanted to frame what is not trusted; `left` when the payer is sent to a bank or an app; `terms` when
    /// the payer asks for terms that the host shows itself. What the page's navigations mean is a ``MenuNavigation``.
    ///
    /// - Parameters:
    ///   - menu: What the page is made of.
    ///   - limit: How long the script may take to load.
    ///   - trustedOrigins: Origins that the PSP's script may use, beside its own.
    ///   - allowsInlineStyles: Whether the PSP's script may add style elements to the page.
    ///   - reporting: How the host is told.
    ///   - words: What stands in the page.
    ///   - callbackScheme: The app's own scheme, which the order's addresses may have.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken.
    /// - Throws: ``PageError`` naming what is at fault.
    ///
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
                looks: allowed,
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
                reason: "it has to be a JSON object of at most \(limit) bytes"
            )
        }
    }
}
