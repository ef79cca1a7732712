import Adapters
import EventLog
import HTTPTypes
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@testable import SwedbankPayHTTP

/// A host with its own code for creating orders.
@Suite(.feature("D-01")) struct CheckoutServiceTests {
    private struct Shop: CheckoutService {
        struct Closed: Error {}
        var isOpen = true

        func createOrder(
            _ document: String,
            consumerProfileRef: String?
        ) async throws -> OrderResponse {
            guard isOpen else { throw Closed() }
            var order = OrderResponse()
            order.id = "/psp/paymentorders/5adebc0c-b7aa-960c-b6dc-9e28016ca524"
            order.operations = [
                OrderOperation(rel: .viewCheckout, href: "https://psp.example/\(document)")
            ]
            return order
        }
    }

    private func respond(
        _ shop: Shop,
        to body: OperationBody,
        _ rel: Rel,
        _ secrets: SecretTable,
        _ keys: SessionKeys
    ) async -> ProviderResponse {
        let provider = SwedbankPayProvider(transport: NoTransport(), service: shop)
        return await provider.perform(
            ProviderRequest(
                rel: rel,
                method: "POST",
                address: "https://shop.example/",
                body: body,
                culture: nil,
                client: ClientProfile(),
                secrets: secrets,
                keys: keys,
                gateway: GatewayAccess(gateway: .custom, root: "https://shop.example/")
            )
        )
    }

    /// A transport over which nothing may be sent.
    private struct NoTransport: Transport {
        func perform(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            Issue.record("the network was used")
            return TransportResponse(
                status: 500,
                headers: [:],
                body: [],
                protocolVersion: "",
                duration: .zero
            )
        }
    }

    @Test func `the host's own service creates the order, and its links are sealed`() async throws {
        let keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 5, count: 32)))
        var secrets = SecretTable()
        let document = secrets.seal("basket-7", with: keys)
        let response = await respond(
            Shop(),
            to: .order(OrderSubmission(document: document)),
            .paymentOrders,
            secrets,
            keys
        )
        guard case .order(let order, 200) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        let href = try #require(order.page?.href)
        #expect(response.secrets[href] == "https://psp.example/basket-7")
    }

    @Test func `an unsupported operation is not retryable, and a failure of the host's service is`()
        async throws
    {
        let keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 5, count: 32)))
        let query = OperationBody.orderQuery(id: "/psp/paymentorders/1", expanding: [])
        let unsupported = await respond(Shop(), to: query, .order, SecretTable(), keys)
        #expect(
            unsupported.outcome
                == .failed(reach: .notSent, code: "order.not-supported", isTransient: false)
        )
        var secrets = SecretTable()
        let document = secrets.seal("basket-7", with: keys)
        let failed = await respond(
            Shop(isOpen: false),
            to: .order(OrderSubmission(document: document)),
            .paymentOrders,
            secrets,
            keys
        )
        #expect(
            failed.outcome
                == .failed(reach: .maybeSent, code: "order.service-failed", isTransient: true)
        )
    }
}
