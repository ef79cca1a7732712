internal import Inspection
public import SwedbankPay
internal import Workflow

/// Decides what to do with the navigations of a web view that shows a challenge.
///
/// - Note: Source: payment session API, 3DS challenge result.
public struct ChallengeNavigation: Hashable, Sendable {
    /// The decision about a navigation.
    public enum Decision: Hashable, Sendable {
        /// Do not load it: the issuer has returned the result.
        case ended(ChallengeResult)
        /// Load it: it leads to the notification address, whose server receives the posted result
        /// and redirects to an address that contains the response.
        case notifying
        /// Load it.
        case allowed
        /// Do not load it: pass it to the system, which opens the payer's bank app.
        case externalApp
        /// Do not load it.
        case refused
    }

    private let notificationURL: String
    private let appSchemes: Set<String>

    /// Creates the rules for a challenge.
    ///
    /// - Parameters:
    ///   - notificationURL: Where the issuer's page posts the result.
    ///   - appSchemes: The schemes of the apps that the issuer's page may open, in lower case.
    /// - Throws: ``PageError`` when the notification address is missing or invalid.
    public init(
        notificationURL: String?,
        appSchemes: Set<String> = ClientAddresses.pageAppSchemes
    ) throws(PageError) {
        guard let notificationURL, !notificationURL.isEmpty else {
            throw .missing(member: "notificationURL")
        }
        guard AddressParts(notificationURL)?.host != nil else {
            throw .malformed(member: "notificationURL", reason: "it must be an absolute URL")
        }
        self.notificationURL = notificationURL
        self.appSchemes = appSchemes
    }

    /// Decides what to do with a navigation.
    ///
    /// The address is compared as a whole: an address that merely begins with the notification
    /// address is a different one.
    ///
    /// - Parameters:
    ///   - url: The target of the navigation.
    ///   - body: The posted body, if the web view provides it.
    /// - Returns: What to do.
    public func decision(for url: String, body: [UInt8] = []) -> Decision {
        if PaymentURL.isEquivalent(url, notificationURL) {
            let extra = AddressParts(url)?.query ?? ""
            if let result = try? ChallengeResult(url: "?" + extra, body: body) {
                return .ended(result)
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
    /// A fixed text, never the address.
    public var description: String { "the rules of a challenge's navigations" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Page {
    /// The page for the payer's browser at the notification address once the result was received:
    /// it notifies the page that framed or opened it, or continues to ``PageReporting/resultURL``.
    ///
    /// It contains no part of the response. Events: `completed`, or `failed` with the issuer's
    /// code.
    ///
    /// - Parameters:
    ///   - response: The result; `nil` when it was unusable.
    ///   - reporting: How the host is notified.
    ///   - words: The texts of the page.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Returns: The page.
    /// - Throws: ``PageError``, which names the invalid member.
    public static func notification(
        _ response: ChallengeResult?,
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords(),
        allowsInsecureLoopback: Bool = false
    ) throws(PageError) -> Page {
        let words = try words.checked()
        let reporting = try reporting.checked(allowsInsecureLoopback: allowsInsecureLoopback)
        var data = PageData(page: "notification", reporting: reporting)
        switch response {
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
