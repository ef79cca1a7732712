import Foundation
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

/// The simulator detects engines that are broken on purpose.
@Suite struct MutationTests {
    @Test(arguments: Mutation.allCases)
    func `an engine that breaks a guarantee is caught within the stated number of worlds`(
        mutation: Mutation
    ) throws {
        let simulation = Simulation(driver: MutatedDriver(mutation))
        let aimedAt = try #require(mutation.guarantees.first).rawValue
        var caughtBy: [String] = []
        for seed in 1...UInt64(Mutation.worlds) where !caughtBy.contains(aimedAt) {
            let plan = SimulationPlan(
                seed: seed,
                minutes: mutation.minutes,
                faults: mutation.faults
            )
            let report = simulation.run(plan)
            guard let violation = report.violation else { continue }
            let names = mutation.guarantees.map(\.rawValue)
            #expect(names.contains(violation.guarantee), "\(violation)")
            caughtBy.append(violation.guarantee)
        }
        #expect(caughtBy.contains(aimedAt), "\(mutation) is caught by \(caughtBy)")
    }

    @Test func `default worlds catch an engine that treats a lost response as an unsent request`() {
        let simulation = Simulation(driver: MutatedDriver(.takeLostForUnsent))
        let caught = (UInt64(1)...40).first { seed in
            let report = simulation.run(SimulationPlan(seed: seed))
            return report.violation?.guarantee == Guarantee.noDoublePay.rawValue
        }
        #expect(caught != nil)
    }

    @Test(.tags(.repeatedThoroughly))
    func `the unmodified engine violates no guarantee under the faults of the mutations`() {
        for faults in Set(Mutation.allCases.map(\.faults)) {
            for seed in UInt64(1)...(Tier.isThorough ? 30 : 1) {
                let report = Simulation().run(SimulationPlan(seed: seed, faults: faults))
                #expect(report.violation == nil, "seed \(seed)")
            }
        }
    }

    @Test func `the table on the reliability page lists exactly the tested mutations`() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
                .appending(path: "../../../Documentation/reliability.md").standardized,
            encoding: .utf8
        )
        let rows = Mutation.allCases.map { mutation in
            let names = mutation.guarantees.map(\.rawValue)
            let others = names.dropLast().joined(separator: ", ")
            let caughtBy = (others.isEmpty ? "" : others + " or ") + (names.last ?? "")
            return "| `\(mutation)` | \(mutation.explanation) | \(caughtBy) |"
        }
        let listed = page.split(separator: "\n").map(String.init).filter { row in
            row.hasPrefix("| `")
                && Guarantee.allCases.contains { row.hasSuffix("\($0.rawValue) |") }
        }
        #expect(listed.sorted() == rows.sorted())
        #expect(page.contains("made of \(SimulatedFaults.all.count) kinds"))
        #expect(page.contains("caught within five worlds") && Mutation.worlds == 5)
    }

    @Test func `each guarantee has a mutation that is aimed at it`() {
        let aimed = Set(Mutation.allCases.compactMap(\.guarantees.first))
        #expect(aimed == Set(Guarantee.allCases))
    }
}
