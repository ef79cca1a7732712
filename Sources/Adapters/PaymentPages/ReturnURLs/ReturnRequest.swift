public import SwedbankPay

/// A request for a page that returns a payer to an app.
///
/// Its address consists of the backend's configured root and the received query; the host named in
/// the HTTP request is never used.
public struct ReturnRequest: Hashable, Sendable {
    /// The requested page.
    public let page: ReturnPage
    /// The full address, as the payer's browser knows it.
    public let address: String
    private let isInsecure: Bool
    private let host: String
    private let items: ReturnItems

    /// The maximum length of a query in bytes.
    public static let maximumQueryLength = 1_536
    /// The maximum number of items in a query.
    public static let maximumItems = 50

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - root: The root of the backend's pages.
    ///   - page: The requested page.
    ///   - query: The query as received, without the question mark.
    /// - Throws: ``ReturnURLError`` when the query is too long or not a valid RFC 3986 query.
    public init(
        root: BackendRoot,
        page: ReturnPage,
        query: String
    ) throws(ReturnURLError) {
        guard !query.isEmpty else { throw .missing("the query") }
        guard query.utf8.count <= Self.maximumQueryLength else {
            throw .malformed(
                "the query",
                reason: "it has more than \(Self.maximumQueryLength) bytes"
            )
        }
        let address = root.address(of: page) + "?" + query
        items = try ReturnItems(of: address)
        self.page = page
        self.address = address
        host = root.host
        isInsecure = root.isInsecure
    }

    /// Returns the intent URL that opens the Android app: its data is this request's own address.
    ///
    /// - Parameter packages: The apps that payers may return to; `nil` permits every valid name.
    /// - Returns: The URL.
    /// - Throws: ``ReturnURLError`` when the package is missing, repeated, invalid or not allowed.
    /// - Note: Source: Android helper page.
    public func intentURL(
        allowing packages: Set<AndroidPackage>? = nil
    ) throws(ReturnURLError) -> String {
        guard let package = AndroidPackage(try items.value(of: "package")) else {
            throw .malformed(
                "package",
                reason: "it must be a package name such as com.example.shop"
            )
        }
        guard packages?.contains(package) ?? true else { throw .notAllowed("package") }
        return "intent://\(addressWithoutScheme)#Intent;scheme=\(isInsecure ? "http" : "https");"
            + "action=com.swedbankpay.mobilesdk.VIEW_PAYMENTORDER;package=\(package.name);end;"
    }

    /// Returns the target of the iOS app's page: the page with a button or, when that did not work,
    /// the app's own scheme.
    ///
    /// - Parameters:
    ///   - schemes: The apps that payers may return to.
    ///   - trampoline: The page with the button.
    /// - Returns: The target.
    /// - Throws: ``ReturnURLError`` when the scheme or the language is missing, repeated, invalid
    ///   or not allowed, or when the trampoline has the same host as the payment URL.
    /// - Note: Source: iOS helper page.
    public func universalLink(
        allowing schemes: Set<CallbackScheme>,
        trampoline: Trampoline
    ) throws(ReturnURLError) -> UniversalLink {
        guard let scheme = CallbackScheme(try items.value(of: "scheme")) else {
            throw .malformed("scheme", reason: "it must be an app's own scheme")
        }
        guard schemes.contains(scheme) else { throw .notAllowed("scheme") }
        let language = try items.language()
        let app = try items.appName()
        if items.areFallback {
            return .app("\(scheme.name)://\(addressWithoutScheme)")
        }
        guard trampoline.host != host || isInsecure else {
            throw .malformed(
                "the trampoline",
                reason: "it must be on another host than the payment URL"
            )
        }
        var query = [("target", address + "&fallback=true"), ("language", language.rawValue)]
        if let app { query.append(("app", app)) }
        return .trampoline(trampoline.address + QueryText(query).text)
    }

    private var addressWithoutScheme: Substring {
        address.dropFirst((isInsecure ? "http://" : "https://").count)
    }
}

extension ReturnRequest: CustomStringConvertible, CustomReflectable {
    /// The page's name, never the address, which identifies a payment.
    public var description: String { "a request for \(page.rawValue)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The target of a universal link's page.
public enum UniversalLink: Hashable, Sendable {
    /// The page with the button that opens the app.
    case trampoline(String)
    /// The app's own scheme, the last resort.
    case app(String)

    /// The address.
    public var address: String {
        switch self {
        case .trampoline(let address), .app(let address): address
        }
    }
}

/// A page with one button that leads back to an app: systems open an app only for a tap on another
/// host's page.
public struct Trampoline: Hashable, Sendable {
    /// The page's address, without query.
    public let address: String
    let host: String

    /// The page that the PSP's example backend uses.
    public static let example = "https://ecom.payex.com/externalresourcehost/trampoline"

    /// Creates a trampoline.
    ///
    /// - Parameters:
    ///   - address: An https URL without query, fragment and user name.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Throws: ``ReturnURLError`` when the address is invalid.
    /// - Note: Source: iOS helper page; the PSP's documents disagree about where its own page is.
    public init(
        _ address: String = Trampoline.example,
        allowsInsecureLoopback: Bool = false
    ) throws(ReturnURLError) {
        do throws(ReturnURLError) {
            host =
                try BackendRoot(address, allowsInsecureLoopback: allowsInsecureLoopback).host
        } catch {
            switch error {
            case .malformed(_, let reason): throw .malformed("the trampoline", reason: reason)
            case .missing, .notAllowed: throw .missing("the trampoline")
            }
        }
        self.address = address
    }
}
