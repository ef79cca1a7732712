internal import Adapters
internal import SwedbankPay

extension PaymentService {
    /// Who creates and reads payment orders for a service.
    public struct Merchant: Sendable {
        let gateway: OrderGateway
        /// The base of the PSP's API, or the backend's root; nil for the API of the environment.
        let root: String?
        let access: OrderAccess

        /// The PSP itself, for a service that holds the merchant's access token: it may capture, cancel and reverse.
        ///
        /// - Parameters:
        ///   - root: The base of the API; needed for a sandbox only.
        ///   - accessToken: Gives the access token; called anew for each request, never logged.
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

        /// A merchant backend, for a service without the access token.
        ///
        /// - Parameters:
        ///   - root: The backend's root; everything else is found by its links.
        ///   - headers: Gives the headers that prove who asks; called anew for each request, never logged.
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
