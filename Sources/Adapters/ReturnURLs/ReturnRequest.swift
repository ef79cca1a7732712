public import SwedbankPay

/// A request for a page that brings a payer back into an app.
///
/// Its address is made of the backend's configured root and the query that came in; the host that a request names
/// is never asked.
public struct ReturnRequest: Hashable, Sendable {
    /// The page that is asked for.
    public let page: ReturnPage
    /// The whole address, as the payer's browser knows it.
    public let address: String
    private let isInsecure: Bool
    private let host: String
    private let items: ReturnItems

    /// The greatest length of a query, in bytes.
    public static let maximumQueryLength = 1_536
    /// The greatest number of items that a query may have.
    public static let maximumItems = 50

    /// A request.
    ///
    /// - Parameters:
    ///   - root: Where the backend's pages are.
    ///   - page: The page that is asked for.
    ///   - query: What stands behind the question mark, as it came in.
    /// - Throws: When the query is no query to the letter of RFC 3986, or is too long.
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

    /// The intent URL that opens the Android app: its data is this request's own address.
    ///
    /// - Parameter packages: The apps that payers may come back to; without it every well-formed name is taken.
    /// - Throws: When the package is missing, given twice, malformed or not allowed.
    ///
    /// - Note: Source: Android helper page.
    public func intentURL(
        allowing packages: Set<AndroidPackage>? = nil
    ) throws(ReturnURLError) -> String {
        guard let package = AndroidPackage(try items.value(of: "package")) else {
            throw .malformed(
                "package",
                reason: "it has to be a package's name like com.example.shop"
            )
        }
        guard packages?.contains(package) ?? true else { throw .notAllowed("package") }
        return "intent://\(addressWithoutScheme)#Intent;scheme=\(isInsecure ? "http" : "https");"
            + "action=com.swedbankpay.mobilesdk.VIEW_PAYMENTORDER;package=\(package.name);end;"
    }

    /// Where the iOS app's page leads: to the page with a button, or, from there and in vain, to the app's own
    /// scheme.
    ///
    /// - Parameters:
    ///   - schemes: The apps that payers may come back to.
    ///   - trampoline: The page with the button.
    /// - Throws: When scheme or language are missing, given twice, malformed or not allowed.
    ///
    /// - Note: Source: iOS helper page.
    public func universalLink(
        allowing schemes: Set<CallbackScheme>,
        trampoline: Trampoline
    ) throws(ReturnURLError) -> UniversalLink {
        guard let scheme = CallbackScheme(try items.value(of: "scheme")) else {
            throw .malformed("scheme", reason: "it has to be an app's own scheme")
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
                reason: "it has to be on another host than the payment URL"
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
    /// Never the address, which names a payment.
    public var description: String { "a request for \(page.rawValue)" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where the page of a universal link leads.
public enum UniversalLink: Hashable, Sendable {
    /// To the page with the button that opens the app.
    case trampoline(String)
    /// To the app's own scheme, the last resort.
    case app(String)

    /// The address.
    public var address: String {
        switch self {
        case .trampoline(let address), .app(let address): address
        }
    }
}

/// A page with one button that leads back into an app; systems open apps for a tap on another host's page.
public struct Trampoline: Hashable, Sendable {
    /// The page's address, without query.
    public let address: String
    let host: String

    /// The page that the PSP's example backend names.
    public static let example = "https://ecom.payex.com/externalresourcehost/trampoline"

    /// A page.
    ///
    /// - Parameters:
    ///   - address: An https URL without query, fragment and user.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken.
    ///
    /// - Note: Source: iOS helper page; where the PSP's own page is, its documents disagree.
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
