import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import Sandbox
@testable import workflowctl

@Suite(.feature("S-28")) struct TrainingTests {
    private static let end = "2026-11-25T00:00:00Z"

    /// The directory of the scenarios.
    private static let folder = URL(fileURLWithPath: SchemaCheck.folder)
        .deletingLastPathComponent().appendingPathComponent("Scenarios").path

    @Test
    func `no two transactions of a sample payment have the same reference`() {
        // Every number is drawn three times.
        var draws = (100...999).flatMap { [$0, $0, $0] }[...]
        var references = TrainingReferences(number: 7)
        let given = (0..<900).map { count in
            references.next(count.isMultiple(of: 2) ? .capture : .cancel) { _ in
                draws.removeFirst()
            }
        }
        #expect(Set(given).count == 900)
        #expect(given.first == "T7c100")
    }

    @Test func `a course that takes days begins early enough to end`() throws {
        let end = try #require(Instant("2026-11-30T00:33:00.000000Z"))
        for seed in UInt64(1)...50 {
            let plans = TrainingPlan.plans(60, seed: seed, until: end)
            let late = plans.filter { $0.story.scenario == "vanished" }
            #expect(late.count == 4)
            #expect(late.allSatisfy { end - $0.start > .seconds(2 * 86_400) }, "seed \(seed)")
        }
    }

    @Test
    func `a training store has every case and outcome, and passes verify and replay --check`()
        async throws
    {
        try await World.with { world in
            let made = try await fill("training.db", of: world)
            #expect(made.status == 0, "\(made.output)\(made.diagnostics)")
            try await SchemaCheck.expect(made.output, fits: "cli/demo-training", in: world)
            let summary = try made.json
            #expect(summary["sessions"].number == 70)
            #expect(summary["doubles"].number == 0)
            // Every case is played at least once, and thereby every scenario.
            let cases = summary["cases"].list
            #expect(
                Set(cases.compactMap { $0["case"].text }) == Set(TrainingCase.all.map(\.name))
            )
            #expect(
                Set(cases.compactMap { $0["scenario"].text })
                    == Set(EmbeddedScenarios.documents.keys)
            )
            let store = world.folder + "/training.db"
            let listed = try await world.run("list", "--json", store: store).json.list
            #expect(listed.count == 70)
            let outcomes = Set(listed.map { $0["outcome"].text ?? "under way" })
            #expect(
                outcomes == ["completed", "canceled", "failed", "expired", "under way"]
            )
            let instruments = Set(listed.compactMap { $0["instrument"].text })
            #expect(
                instruments.isSuperset(of: [
                    "swish", "card", "new-card", "apple-pay", "google-pay", "click-to-pay",
                ])
            )
            // Cards can be told apart by their last digits.
            let cards = try await world.tool.shell(
                "sqlite3 training.db 'SELECT 1' >/dev/null 2>&1; workflowctl --store sqlite:training.db export "
                    + "| grep -o '\"maskedPan\":\"[^\"]*' | sort -u | wc -l"
            )
            let numbers = Int(cards.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(numbers > 40, "\(cards)")
            let money = Set(listed.compactMap { $0["money"].text })
            #expect(money == ["none", "intended", "underWay", "unknown", "confirmed"])
            let opened = listed.compactMap { $0["openedAt"].text }
            #expect(opened.count == 70)
            #expect(opened.allSatisfy { $0 > "2026-10-26" && $0 < "2026-11-25" })
            #expect(listed.contains { $0["reference"].text?.hasPrefix("order-") == true })
            #expect(try await world.run("verify", store: store).status == 0)
            #expect(try await world.run("replay", "--check", "--all", store: store).status == 0)
            let notes = try await world.run("find", "damaged", store: store)
            #expect(notes.status == 0, "\(notes.output)\(notes.diagnostics)")
        }
    }

    @Test func `the same seed gives the same payments, and another seed different ones`()
        async throws
    {
        try await World.with { world in
            var lists: [String] = []
            for (name, seed) in [("a.db", "3"), ("b.db", "3"), ("c.db", "4")] {
                let made = try await fill(name, of: world, sessions: "12", seed: seed)
                #expect(made.status == 0, "\(made.diagnostics)")
                let store = world.folder + "/" + name
                lists.append(try await world.run("list", "--json", store: store).output)
            }
            #expect(lists[0] == lists[1])
            #expect(lists[0] != lists[2])
        }
    }

    @Test func `demo --sessions refuses a store that already has sessions`() async throws {
        try await World.with { world in
            _ = try await world.open()
            let refused = try await world.run("demo", "--sessions", "3")
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("demo.store-not-empty"))
            let listed = try await world.run("list", "--json").json.list
            #expect(listed.count == 1)
            for bad in [["--sessions", "0"], ["--seed", "4"], ["--sessions", "3", "--checkout"]] {
                #expect(try await world.tool.run(["demo"] + bad).status == 64, "\(bad)")
            }
        }
    }

    @Test func `the program embeds the repository's scenarios, each with a training case`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            .filter { $0.hasSuffix(".json") }
        var names: Set<String> = []
        for file in files {
            let name = String(file.dropLast(".json".count))
            names.insert(name)
            let kept = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + file))
            let embedded = try #require(EmbeddedScenarios.documents[name], "\(name)")
            let scenario = try ScenarioFile.read(Array(kept))
            #expect(try ScenarioFile.read(Array(embedded.utf8)) == scenario)
            #expect(scenario.name == name)
            #expect(scenario.payeeReference == name.replacing("-", with: "") + "*")
        }
        #expect(Set(EmbeddedScenarios.documents.keys) == names)
        #expect(Set(TrainingCase.all.map(\.scenario)) == names)
    }

    private func fill(
        _ name: String,
        of world: World,
        sessions: String = "70",
        seed: String = "1"
    ) async throws -> Tool.Result {
        try await world.run(
            "demo",
            "--sessions",
            sessions,
            "--seed",
            seed,
            "--until",
            Self.end,
            "--json",
            store: world.folder + "/" + name
        )
    }
}
