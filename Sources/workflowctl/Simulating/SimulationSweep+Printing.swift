internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// Reports the results of a sweep.
extension SimulationSweep {
    /// Prints the numbers, and what was broken.
    func printResult(
        _ total: Total,
        _ broken: (first: SimulationReport, smallest: SimulationReport)?,
        seconds: Double,
        in invocation: Invocation
    ) {
        guard !isJSON else { return invocation.print(json(total, broken)) }
        if tellsSteps, let told = broken?.smallest ?? total.last {
            SimulationTimeline(told).write(to: invocation.output)
        }
        let style = invocation.output.style
        var payments = "payments: \(total.sessions)"
        for (outcome, count) in total.outcomes.sorted(by: { $0.key < $1.key }) {
            payments += ", \(outcome): \(count)"
        }
        let statistics = total.statistics
        let minutes = statistics.sessionTime.inSeconds / 60
        for line in [
            "worlds: \(total.worlds), starting at seed \(plan.seed), nodes: \(plan.nodes), "
                + "faults: \(plan.faults.text)",
            payments,
            statistics.counts.map { "\($0.name): \($0.count)" }.joined(separator: ", "),
            "simulated session-minutes: \(Int(minutes))", "history: \(total.digest)",
        ] { invocation.print(line) }
        // How fast this machine was is no part of what the same options always give.
        invocation.note("simulated session-minutes per second: \(Int(minutes / seconds))")
        if let broken {
            noteViolation(broken.first, broken.smallest, in: invocation)
        } else if total.worlds < runs {
            invocation.note("interrupted after \(total.worlds) of \(runs) worlds")
        } else {
            invocation.print(style.paint("every guarantee held", .good))
        }
    }

    private func noteViolation(
        _ first: SimulationReport,
        _ smallest: SimulationReport,
        in invocation: Invocation
    ) {
        guard let violation = smallest.violation else { return }
        let style = invocation.diagnostics.style
        let guarantee = style.paint("broken: \(violation.guarantee)", .bad)
        invocation.note(guarantee + "  \(Screen.safe(violation.explanation))")
        var found = "found with seed \(first.plan.seed)"
        if smallest.plan != first.plan {
            found += "; a smaller world fails in the same way: seed \(smallest.plan.seed), "
            found += "payments: \(smallest.plan.sessions), nodes: \(smallest.plan.nodes), "
            found += "minutes: \(smallest.plan.minutes), faults: \(smallest.plan.faults.text)"
        }
        invocation.note(found)
        invocation.note(
            "reproduce it with: \(command(for: smallest.plan, invocation.program)) --timeline"
        )
    }

    /// Returns the command that repeats a world.
    private func command(for plan: SimulationPlan, _ program: String) -> String {
        var words = [program, "simulate", "--runs", "1"] + plan.arguments
        if let mutation { words += ["--mutation", mutation.rawValue] }
        return (words + ["--no-shrink"]).joined(separator: " ")
    }

    private func json(
        _ total: Total,
        _ broken: (first: SimulationReport, smallest: SimulationReport)?
    ) -> JSONValue {
        let statistics = total.statistics
        var members: [JSONValue.Member] = [
            .init("plan", plan.json),
            .init("mutation", JSONValue(mutation?.rawValue)),
            .init("runs", .integer(Int64(runs))),
            .init("worlds", .integer(Int64(total.worlds))),
            .init("payments", .integer(Int64(total.sessions))),
            .init(
                "outcomes",
                .object(
                    total.outcomes.sorted { $0.key < $1.key }.map {
                        .init($0.key, .integer(Int64($0.value)))
                    }
                )
            ),
            .init(
                "counts",
                .object(statistics.counts.map { .init($0.name, .integer(Int64($0.count))) })
            ),
            .init("sessionSeconds", .integer(statistics.sessionTime.components.seconds)),
            .init("history", .string("\(total.digest)")),
        ]
        if tellsSteps, let told = broken?.smallest ?? total.last {
            members.append(.init("timeline", SimulationTimeline(told).json))
        }
        guard let broken, let violation = broken.smallest.violation else {
            members.append(.init("violation", .null))
            return .object(members)
        }
        let told: [JSONValue.Member] = [
            .init("guarantee", .string(violation.guarantee)),
            .init("explanation", .string(violation.explanation)),
            .init("foundWith", broken.first.plan.json),
            .init("smallest", broken.smallest.plan.json),
            .init("repeat", .string(command(for: broken.smallest.plan, "workflowctl"))),
        ]
        members.append(.init("violation", .object(told)))
        return .object(members)
    }
}

extension SimulationPlan {
    fileprivate var json: JSONValue {
        .object([
            // As a string: a seed has 64 bits, which not every JSON parser supports.
            .init("seed", .string("\(seed)")),
            .init("nodes", .integer(Int64(nodes))),
            .init("sessions", .integer(Int64(sessions))),
            .init("minutes", .integer(Int64(minutes))),
            .init("faults", .string(faults.text)),
        ])
    }
}

extension SimulationStatistics {
    /// The numbers and their names.
    fileprivate var counts: [(name: String, count: Int)] {
        [
            ("steps", steps), ("events", events), ("requests", requests),
            ("keptBack", keptBack), ("lostAnswers", lostResponses), ("conflicts", conflicts),
            ("crashes", crashes), ("powerLosses", powerLosses), ("tornWrites", tornWrites),
            ("takeovers", takeovers), ("handOvers", handOvers), ("lostLeases", lostLeases),
            ("partitions", partitions), ("clockJumps", clockJumps),
        ]
    }
}
