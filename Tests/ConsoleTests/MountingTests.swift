import Console
import HTTPTypes
import Service
import ServiceFixtures
import Testing

/// The console in a server of one's own, as its page shows it.
@Suite struct MountingTests {
    /// Responds to a request as such a server does; `nil` for what is its own.
    private func response(
        to head: HTTPRequest,
        _ body: [UInt8],
        from address: String,
        of api: PaymentAPI
    ) async -> ServiceResponse? {
        let console = Console(of: api)
        if let response = await console.respond(to: head, body: body, from: address) {
            // The path is below /console.
            return response
        }
        return nil
    }

    @Test func `only paths below its own are the console's`() async throws {
        try await ServiceWorld.with { world in
            for (path, status) in [("/console/", 401), ("/console/nothing", 401), ("/shop", nil)] {
                let head = HTTPRequest(
                    method: .get,
                    scheme: "https",
                    authority: "shop.example",
                    path: path
                )
                let response = await response(to: head, [], from: "192.0.2.1", of: world.node.api)
                #expect(response?.head.status.code == status, "\(path)")
            }
        }
    }
}
