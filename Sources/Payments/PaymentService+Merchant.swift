internal import Adapters
internal import SwedbankPay

extension PaymentService {
    /// The source of payment orders for a service.
    public struct Merchant: Sendable {
        let gateway: OrderGateway
        /// The base URL of the PSP's API, or the backend's root; `nil` for the API of the
        /// environment.
        let root: String?
        let access: OrderAccess

        /// Returns a merchant that creates orders at the PSP itself, with its own access token.
        ///
        /// Only such a service can capture, cancel and reverse.
        ///
        /// - Parameters:
        ///   - root: The base URL of the API; required only for a sandbox.
        ///   - accessToken: Returns the access token; called for each request, never
        ///     logged.
        /// - Returns: A merchant that uses the PSP's API directly.
        public static func psp(
            at root: String? = nil,
            accessToken: @escaping @Sendable () async throws -> String
        ) -> Merchant {
            Merchant(
                gateway: .psp,
                root: root,
                access: OrderAccess(accessToken: { _ in try await accessToken() })
            )
        }

        /// Returns a merchant backend, for a service without the access token.
        ///
        /// - Parameters:
        ///   - root: The backend's root URL; every other address is found through its links.
        ///   - headers: Returns the headers that authenticate a request; called for each
        ///     request, never logged.
        /// - Returns: A merchant that uses the backend.
        public static func backend(
            at root: String,
            headers: @escaping @Sendable () async throws -> [(name: String, value: String)]
        ) -> Merchant {
            Merchant(
                gateway: .merchantBackend,
                root: root,
                access: OrderAccess(headers: { _ in try await headers() })
            )
        }
    }
}
