/// Looks for a smaller world that breaks the same guarantee.
///
/// It takes away one thing after the other (engines, payments, faults, time) and keeps what still fails. Taking something
/// away changes all chance that follows, so each smaller plan gets a few seeds to fail with.
public struct PlanShrinker: Sendable {
    /// How many seeds a smaller plan is tried with.
    public var seeds: UInt64 = 12
    /// How many worlds may be run in all.
    public var worlds = 400

    /// A shrinker with the usual bounds.
    public init() {}

    /// The smallest plan that was found to fail in the same way, and how it fails.
    ///
    /// - Parameters:
    ///   - failing: A run that broke a guarantee.
    ///   - run: Runs a plan.
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

    /// The plans that take one thing away, the largest bites first.
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
