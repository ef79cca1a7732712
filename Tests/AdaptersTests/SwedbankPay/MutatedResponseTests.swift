import HTTPTypes
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters

/// Responses damaged from a seed: none may trap, hang or leave a secret in the clear.
@Suite struct MutatedResponseTests {
    private static let seeds: [UInt64] = Tier.isThorough ? [1, 2, 3, 4] : [1]

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func `a damaged response is read in part, undecodable or refused, and never traps`(
        seed: UInt64
    ) async throws {
        var mutations = ResponseMutations(seed: seed)
        let bench = try RequestBench()
        var kinds: Set<String> = []
        for round in 0..<300 {
            let body = mutations.next()
            for status in [200, 400] {
                let transport = ScriptedTransport(
                    .success(
                        TransportResponse(
                            status: status,
                            headers: [.retryAfter: "\(round)"],
                            body: body,
                            protocolVersion: "HTTP/1.1",
                            duration: .zero
                        )
                    )
                )
                let response = await SwedbankPayProvider(transport: transport)
                    .perform(bench.request(.session))
                let shown = "\(response.outcome)"
                #expect(!shown.contains("https://host/"), "seed \(seed), round \(round)")
                #expect(!shown.contains("+46739000001"), "seed \(seed), round \(round)")
                switch response.outcome {
                case .snapshot: kinds.insert("snapshot")
                case .undecodable: kinds.insert("undecodable")
                case .refused: kinds.insert("refused")
                case .empty, .failed, .endpoints, .consumer, .order: kinds.insert("other")
                }
            }
        }
        #expect(kinds.isSuperset(of: ["snapshot", "undecodable", "refused"]))
    }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func `a damaged order is read in part, undecodable or refused, and never traps`(
        seed: UInt64
    ) async throws {
        let bench = try RequestBench()
        var kinds: Set<String> = []
        for original in [OrderFixture.paid, OrderFixture.earlier] {
            var mutations = ResponseMutations(seed: seed, of: original)
            for round in 0..<150 {
                let body = String(decoding: mutations.next(), as: UTF8.self)
                var request = bench.request(.order, .orderQuery(id: OrderFixture.id, expanding: []))
                request.gateway = GatewayAccess(gateway: .psp, root: "https://api.payex.com/")
                let response = await SwedbankPayProvider(
                    transport: RespondingTransport { _ in .json(body, round % 4 == 0 ? 400 : 200) },
                    access: OrderAccess(accessToken: { _ in "token-1" })
                ).perform(request)
                let shown = "\(response.outcome)"
                #expect(!shown.contains("12345678-1234"), "seed \(seed), round \(round)")
                #expect(!shown.contains("https://ecom"), "seed \(seed), round \(round)")
                switch response.outcome {
                case .order: kinds.insert("order")
                case .undecodable: kinds.insert("undecodable")
                case .refused: kinds.insert("refused")
                case .snapshot, .empty, .failed, .endpoints, .consumer: kinds.insert("other")
                }
            }
        }
        #expect(kinds.isSuperset(of: ["order", "undecodable", "refused"]))
    }
}
