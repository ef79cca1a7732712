public import SwedbankPay

/// What a service adds to its calls: who it is, and where calls may go.
public struct OrderAccess: Sendable {
    /// A call that is about to leave, for those who add headers to it.
    public struct Call: Sendable {
        /// The method in capitals.
        public let method: String
        /// The whole address.
        public let address: String
        /// The backend's root, or the base of the PSP's API.
        public let root: String
    }

    /// Header fields, in order.
    public typealias Headers = [(name: String, value: String)]

    /// Gives the headers that prove who asks a merchant backend; called anew for each request, never logged.
    ///
    /// A field of a name that is sent anyway takes its place. Who throws keeps the request from leaving.
    public var headers: @Sendable (Call) async throws -> Headers
    /// Gives the PSP's access token for a base of its API; called anew for each request, never logged.
    ///
    /// It goes to that base's own host alone, whatever an answer links to. Nothing means that there is none, and that no
    /// request leaves.
    public var accessToken: @Sendable (_ root: String) async throws -> String?
    /// The domains that a merchant backend's links may lead to; nothing means its own host and what is below.
    public var allowList: LinkAllowList?
    /// The version of the PSP's API that orders are created and read with.
    public var version: OrderAPIVersion
    /// What orders that clients create name as their `userAgent`, unless the order itself names one.
    public var userAgent: String

    /// What a service adds; by default nothing.
    public init(
        headers: @escaping @Sendable (Call) async throws -> Headers = { _ in [] },
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

/// The version of the payment order API: it decides the shapes of answers and of later callbacks.
///
/// - Note: Source: payment order API, conventions.
public enum OrderAPIVersion: String, Hashable, Sendable, CaseIterable {
    /// Answers of captures and the like are the order itself.
    case v3_1 = "3.1"
    /// Answers of captures and the like are a transaction.
    case v3_0 = "3.0"
    /// The generation of `view-paymentorder`.
    case v2_0 = "2.0"

    /// The content type that selects it.
    var contentType: String { "application/json;version=\(rawValue)" }
}
