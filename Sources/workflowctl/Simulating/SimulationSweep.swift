internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// Runs one world after the other until a guarantee breaks or all are done, and tells how it went.
struct SimulationSweep {
    /// The first world's plan; each further one has the next seed.
    var plan: SimulationPlan
    /// How many worlds.
    var runs: Int
    /// How the engine is broken on purpose.
    var mutation: Mutation?
    /// Whether the last world, or the broken one, is told step by step.
    var tellsSteps: Bool
    /// Whether a smaller world is looked for when one is broken.
    var shrinks: Bool
    /// Whether the result is a JSON document.
    var isJSON: Bool

    /// What all worlds together came to.
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
        var progress = SimulationProgress(of: runs, on: invocation.diagnostics)
        while total.worlds < runs, broken == nil, !Task.isCancelled {
            var next = plan
            next.seed = plan.seed &+ UInt64(total.worlds)
            let report = simulation.run(next)
            // A world that was broken off proves nothing.
            if Task.isCancelled, report.violation == nil { break }
            total.add(report)
            if report.violation != nil { broken = report }
            progress.reached(total.worlds, at: invocation.now())
        }
        progress.clear()
        let seconds = max(0.001, (invocation.now() - start).inSeconds)
        guard let broken else {
            tell(total, nil, seconds: seconds, in: invocation)
            return total.worlds < runs ? .interrupted : .done
        }
        let smallest = shrinks ? PlanShrinker().shrink(broken) { simulation.run($0) } : broken
        tell(total, (broken, smallest), seconds: seconds, in: invocation)
        return .refused
    }
}

/// A line on a terminal that says how far a sweep is; nothing elsewhere.
struct SimulationProgress {
    private let runs: Int
    private let sink: Sink
    private var last: Instant?
    private var isShown = false

    init(of runs: Int, on sink: Sink) {
        self.runs = runs
        self.sink = sink
    }

    mutating func reached(_ worlds: Int, at now: Instant) {
        guard sink.isTerminal else { return }
        guard let last else {
            last = now
            return
        }
        guard now - last >= .milliseconds(500) else { return }
        self.last = now
        isShown = true
        let words = "\(worlds) of \(runs) worlds, \(worlds * 100 / runs) %"
        sink.draw([.lineStart, .text(StyledText(words)), .clearRestOfLine])
    }

    func clear() {
        if isShown { sink.draw([.lineStart, .clearRestOfLine]) }
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
