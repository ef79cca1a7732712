internal import ArgumentParser
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// `simulate`: runs the engine in simulated worlds with injected faults.
struct SimulateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run the engine in worlds where everything goes wrong, and check its guarantees.",
        discussion: """
            The engine's core and journal run against a virtual network, PSP, disk, clock and clients, all from one \
            seed: lost and doubled answers, outages, crashes, engines that fight for a payment. After every step the \
            guarantees are checked. The same options give the same history, byte for byte.

            Exits 1 when a guarantee was broken, and prints the smallest world found and the command that repeats it.

            Faults: all, none, or names with how often they happen in a thousand, for example \
            crash,answerLost=150. --list-faults says what each does, --list-mutations how the engine can be broken on \
            purpose. The faults are \
            \(SimulatedFaults.allNames.joined(separator: ", ")).

            Examples:
              workflowctl simulate --runs 20
              workflowctl simulate --seed 7 --sessions 1 --runs 1 --timeline
              workflowctl simulate --runs 5 --nodes 3 --faults none,crash=30
              workflowctl simulate --list-faults
            """
    )

    @Option(help: ArgumentHelp("The first world's seed.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How many worlds, with one seed after the other.", valueName: "n"))
    var runs = 100

    @Option(help: ArgumentHelp("How many engines share the journal.", valueName: "n"))
    var nodes = 2

    @Option(help: ArgumentHelp("How many payments there are in each world.", valueName: "n"))
    var sessions = 6

    @Option(
        help: ArgumentHelp(
            "What goes wrong, and how often in a thousand (default: all; with --mutation, what shows it).",
            valueName: "list"
        )
    )
    var faults: String?

    @Option(
        help: ArgumentHelp(
            "How many minutes things go wrong in each world; then it calms down and has to settle.",
            valueName: "m"
        )
    )
    var minutes = 60

    @Flag(help: "Tell what happened in the world, step by step: the broken one, or the last.")
    var timeline = false

    @Option(help: ArgumentHelp("Break the engine on purpose in this way.", valueName: "name"))
    var mutation: String?

    @Flag(help: "Keep the world that failed as it is, instead of looking for a smaller one.")
    var noShrink = false

    @Flag(help: "Name the faults, and how often they happen in a storm.")
    var listFaults = false

    @Flag(help: "Name the ways to break the engine on purpose, and the guarantee that each breaks.")
    var listMutations = false

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try plan() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if listFaults { return SimulationLists.tellFaults(global.json, invocation) }
        if listMutations { return SimulationLists.tellMutations(global.json, invocation) }
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
                throw .usage("world", "--\(name) takes a whole number from \(range)")
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
                hint: "'workflowctl simulate --list-faults' names them"
            )
        }
    }

    private func wantedMutation() throws(Failure) -> Mutation? {
        guard let mutation else { return nil }
        guard let known = Mutation(rawValue: mutation) else {
            throw .usage(
                "mutation",
                "there is no such way to break the engine",
                hint: "'workflowctl simulate --list-mutations' names them"
            )
        }
        return known
    }
}
