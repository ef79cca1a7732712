/// Searches for a smaller world that violates the same guarantee.
///
/// It removes one thing after another (engines, payments, faults, time) and keeps what still fails.
/// Removing anything changes all following random numbers, so each smaller plan is tried with
/// several seeds.
public struct PlanShrinker: Sendable {
    /// The number of seeds with which a smaller plan is tried.
    public var seeds: UInt64 = 12
    /// The maximum number of worlds to run.
    public var worlds = 400

    /// Creates a shrinker with the default limits.
    public init() {}

    /// Returns the smallest plan found that fails in the same way, with its failure.
    ///
    /// - Parameters:
    ///   - failing: A run that violated a guarantee.
    ///   - run: Runs a plan.
    /// - Returns: The run of the smallest plan.
    public func shrink(
        _ failing: SimulationReport,
        by run: (SimulationPlan) -> SimulationReport
    ) -> SimulationReport {
        guard let broken = failing.violation?.guarantee else { return failing }
        var best = failing
        var left = worlds
        /// Whether a plan fails in the same way with one of its seeds; the best one is kept.
        func fails(_ plan: SimulationPlan) -> Bool {
            for offset in 0..<seeds where left > 0 {
                left -= 1
                var candidate = plan
                candidate.seed = plan.seed &+ offset
                let report = run(candidate)
                if report.violation?.guarantee == broken {
                    best = report
                    return true
                }
            }
            return false
        }
        var isSmaller = true
        while isSmaller, left > 0 {
            isSmaller = false
            for candidate in Self.smaller(best) where fails(candidate) {
                isSmaller = true
                break
            }
        }
        return best
    }

    /// The plans with one thing removed, the largest reductions first.
    static func smaller(_ report: SimulationReport) -> [SimulationPlan] {
        let plan = report.plan
        var plans: [SimulationPlan] = []
        func add(_ change: (inout SimulationPlan) -> Void) {
            var smaller = plan
            change(&smaller)
            if smaller != plan, !plans.contains(smaller) { plans.append(smaller) }
        }
        if plan.sessions > 1 {
            add { $0.sessions = 1 }
            add { $0.sessions /= 2 }
            add { $0.sessions -= 1 }
        }
        if plan.nodes > 1 {
            add { $0.nodes = 1 }
            add { $0.nodes -= 1 }
        }
        let active = SimulatedFaults.allNames.filter { (plan.faults[$0] ?? 0) > 0 }
        if active.count > 2 {
            for half in [active.prefix(active.count / 2), active.suffix(active.count / 2)] {
                add { for name in half { $0.faults[name] = 0 } }
            }
        }
        for name in active { add { $0.faults[name] = 0 } }
        let needed = report.minutesToViolation
        if needed < plan.minutes { add { $0.minutes = needed } }
        return plans
    }
}
