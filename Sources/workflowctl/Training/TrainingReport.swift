internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The summary of a training store, and what to try with it.
struct TrainingReport {
    let seed: UInt64
    let from: Instant
    let until: Instant
    let location: StoreLocation
    var records: Int64 = 0
    /// Whether all logs verify.
    var isSound = false
    /// The number of orders that were paid twice.
    var doubles = 0
    private(set) var sessions = 0
    /// The number of logs with a decision that this build would make differently.
    private(set) var partings = 0
    private var outcomes: [String: Int] = [:]
    private var cases: [String: (scenario: String, sessions: Int)] = [:]
    private var examples: [String: SessionID] = [:]

    init(seed: UInt64, from: Instant, until: Instant, location: StoreLocation) {
        self.seed = seed
        self.from = from
        self.until = until
        self.location = location
    }

    /// Whether logs, replays and the sandbox's books are all as expected.
    var isAsExpected: Bool { isSound && partings == 0 && doubles == 0 }

    mutating func add(_ log: SessionLog, of plan: TrainingPlan, replaysAlike: Bool) {
        sessions += 1
        if !replaysAlike { partings += 1 }
        let outcome = log.state.outcome?.rawValue ?? "under way"
        outcomes[outcome, default: 0] += 1
        cases[plan.story.name, default: (plan.story.scenario, 0)].sessions += 1
        if log.state.money.standing == .unknown { examples["unknown"] = log.session }
        if plan.story.name == "card declined, then Swish" { examples["declined"] = log.session }
    }

    /// Prints the summary.
    func printReport(on sink: Sink, program: String) {
        let style = sink.style
        sink.write(
            "\(sessions) payments from \(from.text(for: sink)) to \(until.text(for: sink)), "
                + "seed \(seed)\n"
        )
        let counts = outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \($0.value)" }
        sink.write("  " + counts.joined(separator: ", ") + "\n")
        let mark = isAsExpected ? style.paint("ok ", .good) : style.paint("NOT", .bad)
        let sound = isSound ? "valid" : "damaged"
        let alike = partings == 0 ? "all replay identically" : "\(partings) replay differently"
        let twice = doubles == 0 ? "nobody paid twice" : "\(doubles) paid twice"
        sink.write(
            "  " + mark + " \(records) records, the logs are \(sound), \(alike), \(twice)\n\n"
        )
        sink.write(style.paint("Try next", .heading) + "\n")
        let store = location.option
        var steps = [
            ("list the payments", "list \(store)"),
            ("list the payments whose outcome is unknown", "at-risk \(store)"),
            ("show statistics", "stats \(store)"),
        ]
        if let declined = examples["declined"] {
            steps.append(("explain a declined card", "explain \(declined.short) \(store)"))
        }
        if let unknown = examples["unknown"] {
            steps.append(("explain an unknown payment", "explain \(unknown.short) \(store)"))
        }
        for (words, command) in steps {
            sink.write("  " + style.paint("# \(words)", .dim) + "\n")
            sink.write("  " + style.paint("\(program) \(command)", .accent) + "\n")
        }
    }

    var json: JSONValue {
        [
            "asExpected": .bool(isAsExpected),
            "store": .string(location.text),
            // As a string: a seed has 64 bits, which not every JSON parser supports.
            "seed": .string("\(seed)"),
            "from": .string("\(from)"),
            "until": .string("\(until)"),
            "sessions": .integer(Int64(sessions)),
            "records": .integer(records),
            "sound": .bool(isSound),
            "agrees": .bool(partings == 0),
            "doubles": .integer(Int64(doubles)),
            "outcomes": .object(
                outcomes.sorted { $0.key < $1.key }.map {
                    .init($0.key, .integer(Int64($0.value)))
                }
            ),
            "cases": .array(
                cases.sorted { $0.key < $1.key }.map { name, counted in
                    [
                        "case": .string(name),
                        "scenario": .string(counted.scenario),
                        "sessions": .integer(Int64(counted.sessions)),
                    ]
                }
            ),
        ]
    }
}
