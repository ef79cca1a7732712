public import Adapters
public import HTTPTypes

extension PaymentAPI {
    /// What the merchant's configuration says about operators and orders.
    public struct Policies: Sendable {
        /// Whether each intervention of an operator is recorded; one with a reason always is.
        public var recordsInterventions = false
        /// Whether a recorded intervention requires a reason.
        public var requiresReason = false
        /// The credentials with which the engine requests orders.
        ///
        /// Without the PSP's access token no order is sent to the PSP. `nil` when they are not
        /// known here; then the engine finds out.
        public var orders: OrderAccess?
        /// Sends the requests about stored payment tokens, with these credentials; without it there
        /// are none.
        public var transport: (any Transport)?
        /// How people are known whom a reverse proxy has signed in; `nil` when only tokens count.
        public var identity: ProxyIdentity?
        /// Patterns of further hosts whose pages stay in the PSP's page.
        public var redirectHosts: [String] = []
        /// The scheme of an app that the payer may return to, unless a request names another.
        public var callbackScheme: String?

        /// What a listener for payers offers beside the API; `nil` for nothing.
        public var mounted: Mounted?
        /// Whether a driver sees and drives only the sessions that it opened.
        public var limitsDrivers = false
        /// Whether what a person found out about unknown money counts only once another confirms
        /// it.
        public var requiresSecondPerson = false

        /// Responds to a request with its body, from an address as known to the server; `nil` for
        /// an address at which there is nothing.
        public typealias Mounted =
            @Sendable (_ head: HTTPRequest, _ body: [UInt8], _ source: String?) async ->
            ServiceResponse?

        /// Creates policies that require nothing.
        public init() {}
    }
}
