import Testing
import Workflow

@testable import Adapters

/// Answers that went wrong on the way, from a seed: none may trap, hang or leave a secret in the clear.
@Suite struct MutatedAnswerTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a damaged answer is understood in part, refused or kept, but never trapped on`(
        seed: UInt64
    ) async throws {
        var mutations = AnswerMutations(seed: seed)
        let bench = try RequestBench()
        var kinds: Set<String> = []
        for round in 0..<300 {
            let body = mutations.next()
            for status in [200, 400] {
                let transport = ScriptedTransport(
                    .success(
                        HTTPResponse(
                            status: status,
                            headers: [("Retry-After", "\(round)")],
                            body: body,
                            protocolVersion: "HTTP/1.1",
                            duration: .zero
                        )
                    )
                )
                let answer = await SwedbankPayProvider(transport: transport)
                    .perform(bench.request(.session))
                let shown = "\(answer.outcome)"
                #expect(!shown.contains("https://host/"), "seed \(seed), round \(round)")
                #expect(!shown.contains("+46739000001"), "seed \(seed), round \(round)")
                switch answer.outcome {
                case .snapshot: kinds.insert("snapshot")
                case .undecodable: kinds.insert("undecodable")
                case .refused: kinds.insert("refused")
                case .empty, .failed: kinds.insert("other")
                }
            }
        }
        #expect(kinds.isSuperset(of: ["snapshot", "undecodable", "refused"]))
    }
}
