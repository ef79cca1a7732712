public import SwedbankPay

/// An app that a payer returns to.
public enum ReturningApp: Hashable, Sendable {
    /// An Android app.
    case android(AndroidPackage)
    /// An iOS app: its own scheme, the language of the page with the button, and the app's name on
    /// it.
    case iOS(CallbackScheme, language: Language, name: String? = nil)
}

/// The pages of a merchant backend that return a payer to an app, with their paths below its root.
///
/// - Note: Source: payment URL helpers.
public enum ReturnPage: String, Hashable, Sendable, CaseIterable {
    /// Opens an Android app.
    case androidIntent = "sdk-callback/android-intent"
    /// Opens an iOS app.
    case universalLink = "sdk-callback/ios-universal-link"
}

/// The address below which a merchant backend's pages are, with a trailing slash.
public struct BackendRoot: Hashable, Sendable {
    /// The address.
    public let address: String
    /// The host in lower case.
    public let host: String
    /// Whether the address is plain http to this machine.
    let isInsecure: Bool

    /// The maximum length of an address in bytes.
    public static let maximumLength = 512

    /// Parses an address; a missing trailing slash is added.
    ///
    /// - Parameters:
    ///   - text: An https URL without query, fragment and user name.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Throws: ``ReturnURLError`` when the address is missing or invalid.
    public init(
        _ text: String,
        allowsInsecureLoopback: Bool = false
    ) throws(ReturnURLError) {
        let name = "the backend's root"
        guard !text.isEmpty else { throw .missing(name) }
        guard text.utf8.count < Self.maximumLength, let parts = AddressParts(text) else {
            throw .malformed(name, reason: "it must be an absolute URL")
        }
        guard let host = parts.host, APIAddress.isPlainHost(host), parts.userinfo == nil else {
            throw .malformed(name, reason: "it must have a plain host, and no user name")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw .malformed(name, reason: "it must have neither query nor fragment")
        }
        isInsecure = parts.scheme == "http"
        guard
            parts.scheme == "https"
                || isInsecure && allowsInsecureLoopback && APIAddress.isLoopback(host)
        else { throw .malformed(name, reason: "it must be an https URL") }
        self.host = host
        address = text.hasSuffix("/") ? text : text + "/"
    }

    /// The address of a page.
    public func address(of page: ReturnPage) -> String { address + page.rawValue }
}
