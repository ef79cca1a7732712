internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// Runs one world after the other until a guarantee is violated or all are done, and reports the
/// result.
struct SimulationSweep {
    /// The plan of the first world; every further one has the next seed.
    var plan: SimulationPlan
    /// The number of worlds.
    var runs: Int
    /// The deliberate bug in the engine.
    var mutation: Mutation?
    /// Whether the steps of the last world, or of the violated one, are printed.
    var tellsSteps: Bool
    /// Whether a smaller world is searched for after a violation.
    var shrinks: Bool
    /// Whether the result is printed as JSON.
    var isJSON: Bool

    /// The sums over all worlds.
    struct Total {
        var worlds = 0
        var sessions = 0
        var outcomes: [String: Int] = [:]
        var statistics = SimulationStatistics()
        var digest = Digest256.zero
        var last: SimulationReport?

        mutating func add(_ report: SimulationReport) {
            worlds += 1
            sessions += report.plan.sessions
            outcomes.merge(report.outcomes) { $0 + $1 }
            statistics.add(report.statistics)
            digest = HashChain.hash(digest, report.digest.bytes)
            last = report
        }
    }

    /// Runs the worlds.
    func run(in invocation: Invocation) -> ExitStatus {
        var simulation = Simulation()
        if let mutation { simulation.driver = MutatedDriver(mutation) }
        simulation.recordsSteps = tellsSteps
        simulation.isInterrupted = { Task.isCancelled }
        let start = invocation.now()
        var total = Total()
        var broken: SimulationReport?
        var progress = ProgressLine(on: invocation.diagnostics)
        while total.worlds < runs, broken == nil, !Task.isCancelled {
            var next = plan
            next.seed = plan.seed &+ UInt64(total.worlds)
            let report = simulation.run(next)
            // A world that was interrupted proves nothing.
            if Task.isCancelled, report.violation == nil { break }
            total.add(report)
            if report.violation != nil { broken = report }
            progress.reached(
                Int64(total.worlds),
                of: Int64(runs),
                "\(total.worlds) of \(runs) worlds",
                at: invocation.now()
            )
        }
        progress.clear()
        let seconds = max(0.001, (invocation.now() - start).inSeconds)
        guard let broken else {
            printResult(total, nil, seconds: seconds, in: invocation)
            return total.worlds < runs ? .interrupted : .done
        }
        let smallest = shrinks ? PlanShrinker().shrink(broken) { simulation.run($0) } : broken
        printResult(total, (broken, smallest), seconds: seconds, in: invocation)
        return .refused
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
