public import HTTPTypes
public import SwedbankPay

/// The credentials and other headers of requests about orders, and where the requests may go.
public struct OrderAccess: Sendable {
    /// A request about to be sent, for closures that add headers to it.
    public struct Request: Sendable {
        /// The method.
        public let method: HTTPRequest.Method
        /// The full address.
        public let address: String
        /// The backend's root, or the base of the PSP's API.
        public let root: String
    }

    /// Header fields as text, in order.
    ///
    /// A request with text that cannot be sent is refused. `HTTPFields` would replace such text
    /// silently.
    public typealias Headers = [(name: String, value: String)]

    /// Returns the headers that authenticate requests to a merchant backend; called for each
    /// request, never logged.
    ///
    /// A field replaces a default field of the same name. When the closure throws, the request is
    /// not sent.
    public var headers: @Sendable (Request) async throws -> Headers
    /// Returns the PSP's access token for a base of its API; called for each request, never logged.
    ///
    /// The token is sent to that base's own host only, whatever a response links to. `nil` means
    /// that there is none, and no request is sent.
    public var accessToken: @Sendable (_ root: String) async throws -> String?
    /// The domains that a merchant backend's links may lead to; `nil` permits its own host and all
    /// subdomains.
    public var allowList: LinkAllowList?
    /// The version of the PSP's API with which orders are created and read.
    public var version: OrderAPIVersion
    /// The `userAgent` of orders that clients create, unless the order itself has one.
    public var userAgent: String

    /// Creates an access; by default no headers are added.
    public init(
        headers: @escaping @Sendable (Request) async throws -> Headers = { _ in [] },
        accessToken: @escaping @Sendable (_ root: String) async throws -> String? = { _ in nil },
        allowList: LinkAllowList? = nil,
        version: OrderAPIVersion = .v3_1,
        userAgent: String = ClientProfile().userAgent
    ) {
        self.headers = headers
        self.accessToken = accessToken
        self.allowList = allowList
        self.version = version
        self.userAgent = userAgent
    }
}

/// The version of the payment order API, which decides the form of responses and later callbacks.
///
/// - Note: Source: payment order API, conventions.
public enum OrderAPIVersion: String, Hashable, Sendable, CaseIterable {
    /// Responses to captures and similar requests contain the order itself.
    case v3_1 = "3.1"
    /// Responses to captures and similar requests contain a transaction.
    case v3_0 = "3.0"
    /// The generation of `view-paymentorder`.
    case v2_0 = "2.0"

    /// The content type that selects the version.
    var contentType: String { "application/json;version=\(rawValue)" }
}
