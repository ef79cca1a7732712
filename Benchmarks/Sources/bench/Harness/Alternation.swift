internal import Measuring

/// Alternating measurements of a thing and of its baseline.
///
/// Machines drift, so only measurements taken side by side are compared, round by round; the median
/// of the rounds' ratios is the result.
struct Alternation: Sendable {
    /// Our measurements, one number per round.
    private(set) var ours: [Double] = []
    /// The baseline's measurements, one number per round.
    private(set) var baseline: [Double] = []

    /// Measures in the order A B, B A, A B …; the first pair is a warm-up and does not count.
    init(
        rounds: Int,
        ours measureOurs: () async throws -> Double,
        baseline measureBaseline: () async throws -> Double
    ) async throws {
        _ = try await measureOurs()
        _ = try await measureBaseline()
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                ours.append(try await Profiler.sampling(measureOurs))
                baseline.append(try await measureBaseline())
            } else {
                baseline.append(try await measureBaseline())
                ours.append(try await Profiler.sampling(measureOurs))
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
