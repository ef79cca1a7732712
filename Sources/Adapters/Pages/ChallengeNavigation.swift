internal import Inspection
public import SwedbankPay
internal import Workflow

/// What the navigations of a web view mean that shows a challenge.
///
/// - Note: Source: payment session API, 3DS challenge result.
public struct ChallengeNavigation: Hashable, Sendable {
    /// What to do with a navigation.
    public enum Decision: Hashable, Sendable {
        /// Do not load it: the issuer handed over the result.
        case answered(ChallengeAnswer)
        /// Load it: it leads to the notification address, whose server sees what was posted and goes on to an
        /// address with the response.
        case notifying
        /// Load it.
        case allowed
        /// Do not load it: hand it to the system, which opens the payer's bank app.
        case externalApp
        /// Do not load it.
        case refused
    }

    private let notificationURL: String
    private let appSchemes: Set<String>

    /// The rules for a challenge.
    ///
    /// - Parameters:
    ///   - notificationURL: Where the issuer's page posts the result.
    ///   - appSchemes: The schemes of the apps that the issuer's page may open, in lower case.
    /// - Throws: ``PageError`` when it is no address.
    public init(
        notificationURL: String?,
        appSchemes: Set<String> = ClientAddresses.pageAppSchemes
    ) throws(PageError) {
        guard let notificationURL, !notificationURL.isEmpty else {
            throw .missing(member: "notificationURL")
        }
        guard AddressParts(notificationURL)?.host != nil else {
            throw .malformed(member: "notificationURL", reason: "it has to be an absolute URL")
        }
        self.notificationURL = notificationURL
        self.appSchemes = appSchemes
    }

    /// What a navigation means.
    ///
    /// The address is compared as a whole: one that merely begins like the notification address is another one.
    ///
    /// - Parameters:
    ///   - url: Where it leads.
    ///   - body: What is posted, where the web view can tell.
    public func decision(for url: String, body: [UInt8] = []) -> Decision {
        if PaymentURL.isEquivalent(url, notificationURL) {
            let extra = AddressParts(url)?.query ?? ""
            if let answer = try? ChallengeAnswer(url: "?" + extra, body: body) {
                return .answered(answer)
            }
            return .notifying
        }
        switch AppLink.scheme(of: url) {
        case "http", "https": return .allowed
        case "about": return url == "about:blank" || url == "about:srcdoc" ? .allowed : .refused
        case let scheme?: return appSchemes.contains(scheme) ? .externalApp : .refused
        case nil: return .refused
        }
    }
}

extension ChallengeNavigation: CustomStringConvertible, CustomReflectable {
    /// Never the address.
    public var description: String { "the rules of a challenge's navigations" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Page {
    /// What the payer's browser gets at the notification address once the response was taken: it tells the page
    /// that framed or opened it, or goes on to ``PageReporting/resultURL``.
    ///
    /// It holds nothing of the response. Events: `completed`, or `failed` with the issuer's code.
    ///
    /// - Parameters:
    ///   - answer: What came; nothing when it was unusable.
    ///   - reporting: How the host is told.
    ///   - words: What stands in the page.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken.
    /// - Throws: ``PageError`` naming what is at fault.
    public static func notification(
        _ answer: ChallengeAnswer?,
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords(),
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) -> Page {
        let words = try words.checked()
        let reporting = try reporting.checked(allowsInsecureLoopback: allowsInsecureLoopback)
        var data = PageData(page: "notification", reporting: reporting)
        switch answer {
        case .completed: data.set("event", "completed")
        case .failed(let code):
            data.set("event", "failed")
            data.set("reason", code ?? "issuer")
        case nil:
            data.set("event", "failed")
            data.set("reason", "no-response")
        }
        return Page(
            language: words.language,
            title: words.title,
            body: "<main><p>\(Markup.escaped(words.progress))</p></main>",
            script: .notification,
            data: data,
            policy: ContentSecurityPolicy(
                script: .notification,
                ancestors: reporting.ancestors
            )
        )
    }
}
