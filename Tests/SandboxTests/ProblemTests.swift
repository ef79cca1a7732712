import Foundation
import Testing

@testable import Sandbox

@Suite struct ProblemTests {
    /// A row of the client's catalogue, read from its file: the sandbox's own copy must agree with
    /// it.
    private struct Row: Decodable, Hashable {
        let slug: String
        let status: Int?
    }

    private static func rows() throws -> [Row] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent(
            "Sources/Adapters/SwedbankPayHTTP/Catalogue/problems.json"
        )
        return try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
    }

    @Test func `the sandbox has every row of the client's catalogue`() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 110)
        let known = Set(ProblemRow.catalogue.map { Row(slug: $0.slug, status: $0.status) })
        #expect(Set(rows).subtracting(known).isEmpty)
    }

    @Test func `every problem of the catalogue can end an attempt`() async throws {
        try await withSandbox { sandbox in
            for row in ProblemRow.catalogue {
                var order = SandboxOrder(scenario: Scenario(methods: ["Swish"]))
                order.scenario.script = Script([
                    "start-payment-attempt": [
                        Step(.problem(ScriptedProblem(row.slug, status: row.status)))
                    ]
                ])
                let driver = try await SessionDriver(sandbox, order)
                let failed = try await driver.start("Swish", Bodies.swish("+46739000001"))
                #expect(failed.problemType == ProblemDetail.typePrefix + row.slug)
                #expect(
                    failed.json.value(at: "problem.status")
                        == .integer(row.status ?? ProblemRow.usualStatus)
                )
                try await driver.acknowledge(failed)
                #expect(try await driver.get().problemType == nil)
            }
        }
    }

    @Test func `every problem of the catalogue can refuse an operation`() async throws {
        try await withSandbox { sandbox in
            let steps = ProblemRow.catalogue.map {
                Step(.refusal(ScriptedProblem($0.slug, status: $0.status)))
            }
            var order = SandboxOrder()
            order.scenario.script = Script(["prepare-payment": steps])
            let driver = try await SessionDriver(sandbox, order)
            let href = try await driver.get().href("prepare-payment")
            for row in ProblemRow.catalogue {
                let refused = try await HTTPClient.send("POST", href, json: Bodies.prepare)
                #expect(refused.status == row.status ?? ProblemRow.usualStatus)
                #expect(refused.json?["type"]?.text == ProblemDetail.typePrefix + row.slug)
                #expect(refused.headers["content-type"] == "application/problem+json")
            }
            #expect(try await driver.prepare().methods.count == 3)
        }
    }

    @Test func `a problem type outside the catalogue can end an attempt, too`() async throws {
        try await withSandbox { sandbox in
            let type = "https://shop.example/problems/out-of-stock"
            var order = SandboxOrder()
            order.scenario.script = Script([
                "start-payment-attempt": [Step(.problem(ScriptedProblem(type, status: 451)))]
            ])
            let driver = try await SessionDriver(sandbox, order)
            let failed = try await driver.start("Swish", Bodies.swish("+46739000001"))
            #expect(failed.problemType == type)
            #expect(failed.json.value(at: "problem.status") == 451)
        }
    }
}
