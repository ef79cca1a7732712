internal import Measuring

/// Alternating measurements of our code and of its baseline.
///
/// The speed of machines drifts, so only measurements that were taken side by side are compared;
/// the result is the median of the rounds' ratios.
struct Alternation: Sendable {
    /// Our results, one for each round.
    private(set) var ours: [Double] = []
    /// The baseline's results, one for each round.
    private(set) var baseline: [Double] = []

    /// Measures in the order A B, B A, A B …; the first pair is for warming up and does not count.
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

    /// The median of our results.
    var oursMedian: Double { ours.median }
    /// The median of the baseline's results.
    var baselineMedian: Double { baseline.median }
    /// The median of the rounds' ratios of our result to the baseline's.
    var ratio: Double { zip(ours, baseline).map { $0 / $1 }.median }
}
