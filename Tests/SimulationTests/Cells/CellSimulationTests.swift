import Testing

/// A router over several cells, which is not part of the product: it shows that identifiers with a
/// cell, log positions with a store, and addresses that are unique within a store suffice for one.
@Suite struct CellSimulationTests {
    private static let seeds = UInt64(1)...200

    @Test
    func `several cells open an address once, find named sessions and skip no record`()
        async throws
    {
        var counts: [CellReport.Occurrence: Int] = [:]
        for seed in Self.seeds {
            let report = try await CellWorld.run(seed: seed)
            #expect(report.violations == [], "seed \(seed)")
            counts.merge(report.counts, uniquingKeysWith: +)
        }
        for occurrence in CellReport.Occurrence.allCases {
            #expect(counts[occurrence, default: 0] > 0, "\(occurrence)")
        }
    }

    @Test(arguments: CellDuty.allCases)
    func `without one of their duties, some world breaks the guarantee that it serves`(
        duty: CellDuty
    ) async throws {
        var broken: UInt64?
        for seed in Self.seeds where broken == nil {
            let report = try await CellWorld.run(seed: seed, neglecting: duty)
            if report.violations.contains(where: { $0.guarantee == duty.guarantee }) {
                broken = seed
            }
        }
        #expect(broken != nil, "\(duty)")
    }

    @Test func `the same seed gives the same history`() async throws {
        let (one, two) = (try await CellWorld.run(seed: 7), try await CellWorld.run(seed: 7))
        #expect(one == two && one.digest.count == 32)
        #expect(try await CellWorld.run(seed: 8).digest != one.digest)
    }
}
