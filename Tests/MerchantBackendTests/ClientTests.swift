import Adapters
import SwedbankPay
import Testing

/// The client for apps and services, with the mounted backend and a PSP.
@Suite struct ClientTests {
    private func client(
        _ shop: RunningShop,
        as user: String
    ) throws -> (
        MerchantBackendClient, UVLoop, CurlTransport
    ) {
        let loop = try UVLoop(name: "app")
        var configuration = TransportConfiguration()
        configuration.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: configuration)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        options.requestDeadline = .seconds(20)
        let client = try MerchantBackendClient(
            root: shop.baseURL + "/payments/",
            transport: transport,
            access: OrderAccess(headers: { _ in [("Authorization", "Bearer \(user)")] }),
            options: options
        )
        return (client, loop, transport)
    }

    @Test func `the client creates, changes, aborts and reads orders of both generations`()
        async throws
    {
        let shop = try await RunningShop()
        let (client, loop, transport) = try client(shop, as: "alice")
        for (product, generation) in [("Checkout3", CheckoutGeneration.v3), (nil, .v2)] {
            let order = try await client.create(
                Shop.order(productName: product),
                instrument: .creditCard
            )
            #expect(order.generation == generation && order.instrument == .creditCard)
            let changed = try await client.setInstrument(.swish, of: order)
            #expect(changed.instrument == .swish)
            let id = try #require(order.id)
            #expect(try await client.tokens(of: id) == .init(recurrence: false, unscheduled: false))
            try await client.abort(changed, reason: "CancelledByConsumer")
            let read = try await client.order(id, expanding: ["aborted"])
            #expect(read.status == .aborted && read.abortReason == "CancelledByConsumer")
        }
        await transport.shutdown()
        loop.shutdown()
        await shop.shutdown()
    }

    @Test func `each refusal by the backend is a problem of its own kind at the client`()
        async throws
    {
        let shop = try await RunningShop()
        let (client, loop, transport) = try client(shop, as: "alice")
        let order = try await client.create(Shop.order())
        let id = try #require(order.id)
        let stranger = client.adding([("Authorization", "Bearer bob")])
        let nobody = client.adding([("Authorization", "none")])
        do throws(OrderAPIError) {
            _ = try await nobody.create(Shop.order())
            Issue.record("an order without a user")
        } catch {
            guard case .problem(.client(.mobileSDK(.unauthorized))) = error else {
                Issue.record("\(error)")
                return
            }
        }
        do throws(OrderAPIError) {
            _ = try await stranger.order(id)
            Issue.record("another user's order")
        } catch {
            guard case .problem(.client(.swedbankPay(.notFound))) = error else {
                Issue.record("\(error)")
                return
            }
        }
        do throws(OrderAPIError) {
            _ = try await client.create("{}")
            Issue.record("an order without anything")
        } catch {
            guard case .problem(.client(.mobileSDK(.invalidRequest(let details)))) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(details.httpStatus == 400)
        }
        await transport.shutdown()
        loop.shutdown()
        await shop.shutdown()
    }
}
