internal import Measuring

/// Measurements of a thing and of its baseline, taken in turns.
///
/// Machines drift: only what was measured side by side is compared, round by round, and the median
/// of the rounds' ratios is the result.
struct Alternation: Sendable {
    /// What we did, one number a round.
    private(set) var ours: [Double] = []
    /// What the baseline did, one number a round.
    private(set) var baseline: [Double] = []

    /// Measures in the order A B, B A, A B …; the first pair warms up and doesn't count.
    init(
        rounds: Int,
        ours measureOurs: () async throws -> Double,
        baseline measureBaseline: () async throws -> Double
    ) async throws {
        _ = try await measureOurs()
        _ = try await measureBaseline()
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                ours.append(try await measureOurs())
                baseline.append(try await measureBaseline())
            } else {
                baseline.append(try await measureBaseline())
                ours.append(try await measureOurs())
            }
        }
    }

    /// The median of ours.
    var oursMedian: Double { ours.median }
    /// The median of the baseline.
    var baselineMedian: Double { baseline.median }
    /// The median of the rounds' ratios, ours to baseline.
    var ratio: Double { zip(ours, baseline).map { $0 / $1 }.median }
}
