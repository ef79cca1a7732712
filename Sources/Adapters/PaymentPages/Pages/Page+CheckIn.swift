public import Inspection
internal import SwedbankPay

/// The addresses for a page with the PSP's check-in.
///
/// The script's address gives access to the payer's check-in; no description shows it.
public struct CheckIn: Hashable, Sendable {
    /// The address of the PSP's script.
    public var script: String?
    /// The page's own address: the first of the order's host URLs.
    public var baseURL: String?

    /// Creates a check-in with these addresses.
    public init(script: String?, baseURL: String?) {
        self.script = script
        self.baseURL = baseURL
    }

    /// Creates a check-in from an action whose values were disclosed for the client.
    ///
    /// - Throws: ``PageError`` when the action is of another kind, or a required value is masked.
    public init(_ action: ActionView) throws(PageError) {
        guard case .checkIn(let script, let baseURL) = action.content else {
            throw .malformed(member: "kind", reason: "the action has to be 'checkIn'")
        }
        self.init(script: try script.clear("url"), baseURL: try baseURL.clear("baseURL"))
    }
}

extension CheckIn {
    /// Reads the reference that the page posted to ``PageReporting/resultURL``, the argument of
    /// ``ClientReport/checkedIn(consumerProfileRef:)``.
    ///
    /// - Returns: `nil` when the body is not such a form.
    public static func profile(in body: [UInt8]) -> String? {
        (try? FormFields(body))?.values(named: Page.profileField).last
    }
}

extension CheckIn: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the addresses.
    public var description: String { "a check-in" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Page {
    /// The name of the form field that contains the reference.
    static let profileField = "consumerProfileRef"

    /// The page with the hosted check-in: it loads the PSP's script and starts it in a container.
    ///
    /// Events: `shown`; `identified`, together with `consumerProfileRef`, after which the reference
    /// is posted as a form to ``PageReporting/resultURL``, if that is set; `failed` as for a menu,
    /// after which the payer may try again.
    ///
    /// - Parameters:
    ///   - checkIn: The check-in's addresses.
    ///   - limit: The time limit for loading the script.
    ///   - trustedOrigins: Origins that the PSP's script may use, in addition to its own.
    ///   - allowsInlineStyles: Whether the PSP's script may add style elements to the page.
    ///   - reporting: How the host is notified.
    ///   - words: The texts of the page.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Returns: The page.
    /// - Throws: ``PageError``, which names the invalid member.
    /// - Note: Source: hosted view scripts and events.
    public static func checkIn(
        _ checkIn: CheckIn,
        limit: Duration = .seconds(30),
        trustedOrigins: [String] = [],
        allowsInlineStyles: Bool = false,
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords(),
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) -> Page {
        let words = try words.checked()
        let reporting = try reporting.checked(allowsInsecureLoopback: allowsInsecureLoopback)
        let script = try PageAddress(
            checkIn.script,
            member: "url",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        let base = try PageAddress(
            checkIn.baseURL,
            member: "baseURL",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        var result: PageAddress?
        if let url = reporting.resultURL {
            result = try PageAddress(
                url,
                member: "resultURL",
                allowsInsecureLoopback: allowsInsecureLoopback
            )
        }
        let allowed =
            try [script.origin]
            + trusted(trustedOrigins, allowsInsecureLoopback: allowsInsecureLoopback)
        var data = PageData(page: "checkIn", reporting: reporting)
        data.set("script", script.text)
        data.set("limit", limit)
        let form = result.map {
            """
            <form id="page-task" method="post" action="\(Markup.escaped($0.text))">\
            <input type="hidden" name="\(profileField)" id="page-profile"></form>
            """
        }
        return Page(
            language: words.language,
            title: words.title,
            body: """
                <main>
                \(trouble(words))
                <div id="check-in"></div>
                \(form ?? "")
                <noscript><p>\(Markup.escaped(words.trouble))</p></noscript>
                </main>
                """,
            script: .checkIn,
            data: data,
            policy: ContentSecurityPolicy(
                script: .checkIn,
                scriptSources: allowed,
                frames: allowed,
                forms: allowed + (result.map { [$0.origin] } ?? []),
                connections: allowed,
                styles: allowed,
                allowsInlineStyles: allowsInlineStyles,
                ancestors: reporting.ancestors
            ),
            baseURL: base.text
        )
    }
}
