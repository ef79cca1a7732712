internal import Adapters
internal import HTTPTypes
internal import MerchantBackend
internal import Sandbox
internal import Synchronization

/// A merchant backend in front of a sandbox, with all features, one caller, and any price.
struct SandboxBackend: Sendable {
    /// The address of its root, with a slash at the end.
    let root: String
    private let server: LocalServer
    private let transport: CurlTransport

    /// The token that callers send as `Authorization: Bearer …`.
    static let callerToken = "sandbox"
    /// The payers whose stored cards the caller may use.
    static let payers: Set<String> = ["payer-1", "payer-2", "payer-42"]

    /// The Android app to which payers return.
    static let androidPackage = "example.shop"
    /// The custom scheme of the iOS app to which payers return.
    static let appleScheme = "exampleshop"
    /// The iOS app that may open payment URLs as universal links.
    static let appleAppID = "SANDBOX123.example.shop"

    static func start(
        port: Int,
        before sandbox: SandboxServer,
        _ invocation: Invocation
    ) async throws(Failure) -> SandboxBackend {
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        let transport = CurlTransport(on: invocation.loop, configuration: options)
        // The backend needs its own address, which is known only once it listens.
        let backend = Place()
        let server: LocalServer
        do throws(Failure) {
            server = try await LocalServer.start(port: port) { request in
                await backend.respond(request)
            }
        } catch {
            await transport.shutdown()
            throw error
        }
        let root = server.address + "/payments/"
        do {
            var configuration = try BackendConfiguration(
                publicURL: root,
                pspURL: sandbox.baseURL,
                accessToken: AccessToken("sandbox"),
                payeeID: "sandbox",
                allowsInsecureLoopback: true
            )
            configuration.features = try BackendFeatures(reading: [
                "allowUsePaymentToken": "true", "allowGetPayerOwnedPaymentTokens": "true",
                "allowDeletePayerOwnedPaymentToken": "true", "allowExpandFullResource": "true",
                "allowPatchResource": "true", "allowChargeStoredTokens": "true",
            ])
            // The scenario for the sandbox, as part of the order.
            configuration.additionalOrderMembers = ["sandbox"]
            try configuration.setReturnPages(
                ReturnPages(
                    androidPackages: [androidPackage],
                    appleSchemes: [appleScheme],
                    appleAppIDs: [appleAppID],
                    trampolineURL: server.address + "/trampoline",
                    servesTrampoline: true,
                    allowsInsecureLoopback: true
                )
            )
            backend.fill(
                PaymentBackend(
                    configuration: configuration,
                    authentication: FixedCallers([callerToken: "shopper"]),
                    register: InMemoryOrderRegister(),
                    review: AcceptAllOrders(),
                    ownership: FixedPayers(["shopper": payers]),
                    transport: transport
                )
            )
        } catch {
            await server.shutdown()
            await transport.shutdown()
            throw Failure(.defect, "sandbox.backend", "the merchant backend could not be started")
        }
        return SandboxBackend(root: root, server: server, transport: transport)
    }

    func shutdown() async {
        await server.shutdown()
        await transport.shutdown()
    }

    /// Holds the backend's address once it is known.
    private final class Place: Sendable {
        private let backend = Mutex<PaymentBackend?>(nil)

        func fill(_ backend: PaymentBackend) { self.backend.withLock { $0 = backend } }

        func respond(_ request: LocalServer.Request) async -> LocalServer.Reply {
            guard let backend = backend.withLock({ $0 }) else {
                return LocalServer.Reply(status: .serviceUnavailable)
            }
            let response = await backend.respond(
                to: request.head,
                body: request.body,
                from: "127.0.0.1"
            )
            return LocalServer.Reply(
                status: response.head.status,
                fields: response.head.headerFields,
                body: response.body
            )
        }
    }
}
