internal import ArgumentParser
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// `simulate`: runs the engine in simulated worlds full of faults.
struct SimulateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Test the engine's guarantees in randomly simulated failure scenarios.",
        discussion: """
            Runs the engine's core and journal against a virtual network, PSP, disk, clock and \
            clients, all derived from one seed: lost and duplicated responses, outages, crashes, \
            and engines that compete for a payment. The guarantees are checked after every step. \
            The same options always produce the same history, byte for byte. If a guarantee is \
            broken, exits 1 and prints the smallest failing world found and the command that \
            reproduces it.

            --faults takes all, none, or names with an optional rate per thousand, such as \
            crash,answerLost=150. --list-faults describes the faults, and --list-mutations the \
            ways to break the engine on purpose. The faults are \
            \(SimulatedFaults.allNames.joined(separator: ", ")).

            Examples:
              workflowctl simulate --runs 20
              workflowctl simulate --seed 7 --sessions 1 --runs 1 --timeline
              workflowctl simulate --runs 5 --nodes 3 --faults none,crash=30
              workflowctl simulate --list-faults
            """
    )

    @Option(help: ArgumentHelp("The seed of the first world.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of worlds, with consecutive seeds.", valueName: "n"))
    var runs = 100

    @Option(help: ArgumentHelp("The number of engines that share the journal.", valueName: "n"))
    var nodes = 2

    @Option(help: ArgumentHelp("The number of payments in each world.", valueName: "n"))
    var sessions = 6

    @Option(
        help: ArgumentHelp(
            "The faults, and how often they occur per thousand. (default: all; with --mutation, "
                + "those that reveal it)",
            valueName: "list"
        )
    )
    var faults: String?

    @Option(
        help: ArgumentHelp(
            "How many simulated minutes faults occur in each world; afterwards, every payment must settle.",
            valueName: "m"
        )
    )
    var minutes = 60

    @Flag(help: "Print the steps of the failed world, or of the last one.")
    var timeline = false

    @Option(
        help: ArgumentHelp("Break the engine on purpose with this mutation.", valueName: "name")
    )
    var mutation: String?

    @Flag(help: "Do not search for a smaller failing world.")
    var noShrink = false

    @Flag(help: "List the faults and how often they occur in a storm.")
    var listFaults = false

    @Flag(help: "List the mutations and the guarantee that each one breaks.")
    var listMutations = false

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try plan() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if listFaults { return SimulationLists.printFaults(global.json, invocation) }
        if listMutations { return SimulationLists.printMutations(global.json, invocation) }
        let plan = try plan()
        let sweep = SimulationSweep(
            plan: plan,
            runs: runs,
            mutation: try wantedMutation(),
            tellsSteps: timeline,
            shrinks: !noShrink,
            isJSON: global.json
        )
        return sweep.run(in: invocation)
    }

    private func plan() throws(Failure) -> SimulationPlan {
        func check(_ value: Int, _ bounds: ClosedRange<Int>, _ name: String) throws(Failure) {
            guard bounds.contains(value) else {
                let range = "\(bounds.lowerBound) to \(bounds.upperBound)"
                throw .usage("world", "--\(name) must be a whole number from \(range)")
            }
        }
        try check(runs, 1...1_000_000_000, "runs")
        try check(nodes, SimulationPlan.Bounds.nodes, "nodes")
        try check(sessions, SimulationPlan.Bounds.sessions, "sessions")
        try check(minutes, SimulationPlan.Bounds.minutes, "minutes")
        let mutation = try wantedMutation()
        do {
            return SimulationPlan(
                seed: seed,
                nodes: nodes,
                sessions: sessions,
                minutes: minutes,
                faults: try faults.map { try SimulatedFaults(text: $0) }
                    ?? mutation?.faults ?? .stormy
            )
        } catch {
            throw .usage(
                "faults",
                Screen.safe("\(error)"),
                hint: "run 'workflowctl simulate --list-faults' for a list"
            )
        }
    }

    private func wantedMutation() throws(Failure) -> Mutation? {
        guard let mutation else { return nil }
        guard let known = Mutation(rawValue: mutation) else {
            throw .usage(
                "mutation",
                "no such mutation",
                hint: "run 'workflowctl simulate --list-mutations' for a list"
            )
        }
        return known
    }
}
