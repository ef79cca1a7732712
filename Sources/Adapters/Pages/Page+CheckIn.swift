public import Inspection
internal import SwedbankPay

/// What a page with the PSP's check-in is made of.
///
/// Holds the address of a script that acts for the payer; its description shows nothing of it.
public struct CheckIn: Hashable, Sendable {
    /// The address of the PSP's script.
    public var script: String?
    /// The page's own address: the first of the order's host URLs.
    public var baseURL: String?

    /// A check-in with these addresses.
    public init(script: String?, baseURL: String?) {
        self.script = script
        self.baseURL = baseURL
    }

    /// The check-in of an action, with the values that were disclosed for the client.
    ///
    /// - Throws: ``PageError`` when it is another kind of action, or hides what is needed.
    public init(_ action: ActionView) throws(PageError) {
        guard action.kind == "checkIn" else {
            throw .malformed(member: "kind", reason: "the action has to be 'checkIn'")
        }
        let members = DisclosedMembers(action)
        self.init(script: try members.text("url"), baseURL: try members.text("baseURL"))
    }
}

extension CheckIn {
    /// The reference that the page posted to ``PageReporting/resultURL``: what ``ClientAnswer/checkedIn(consumerProfileRef:)``
    /// takes.
    ///
    /// - Returns: Nothing when the body is no such form.
    public static func profile(in body: [UInt8]) -> String? {
        (try? FormFields(body))?.values(named: Page.profileField).last
    }
}

extension CheckIn: CustomStringConvertible, CustomReflectable {
    /// Never the addresses.
    public var description: String { "a check-in" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Page {
    /// The name of the form's field that brings the reference to ``PageReporting/resultURL``.
    static let profileField = "consumerProfileRef"

    /// The hosted check-in: loads the PSP's script and starts it in a container.
    ///
    /// Events: `shown`; `identified`, with `consumerProfileRef` beside it, after which the reference is posted as a
    /// form to ``PageReporting/resultURL``, if there is one; `failed` as of a menu, where the payer may try again.
    ///
    /// - Parameters:
    ///   - checkIn: What the page is made of.
    ///   - limit: How long the script may take to load.
    ///   - trustedOrigins: Origins that the PSP's script may use, beside its own.
    ///   - allowsInlineStyles: Whether the PSP's script may add style elements to the page.
    ///   - reporting: How the host is told.
    ///   - words: What stands in the page.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken.
    /// - Throws: ``PageError`` naming what is at fault.
    ///
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
                looks: allowed,
                allowsInlineStyles: allowsInlineStyles,
                ancestors: reporting.ancestors
            ),
            baseURL: base.text
        )
    }
}
