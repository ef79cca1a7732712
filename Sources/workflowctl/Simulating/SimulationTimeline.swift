internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// The history of a simulated world, with a line for each step.
struct SimulationTimeline {
    private let report: SimulationReport
    /// Short names of the payments in the order of their first appearance.
    private var numbers: [SessionID: Int] = [:]

    init(_ report: SimulationReport) {
        self.report = report
        for step in report.steps {
            guard let session = step.session, numbers[session] == nil else { continue }
            numbers[session] = numbers.count + 1
        }
    }

    func write(to sink: Sink) {
        guard let begin = report.steps.first?.time else { return }
        for (session, number) in numbers.sorted(by: { $0.value < $1.value }) {
            sink.write("payment \(number) is \(session)\n")
        }
        for step in report.steps {
            let seconds = (step.time - begin).inSeconds
            let millis = Int((seconds * 1000).rounded())
            let fraction = String(millis % 1000 + 1000).dropFirst()
            let time = Screen.leading("+\(millis / 1000).\(fraction)", to: 12)
            let node = Screen.padded(step.node.map { "engine \($0 + 1)" } ?? "", to: 9)
            let name = Screen.padded(name(of: step), to: 11)
            let kind = Screen.padded(Self.word(for: step.kind), to: 10)
            let what = sink.style.paint("\(kind)  \(Screen.safe(step.text))", role(of: step.kind))
            sink.write("\(time)  \(node)  \(name)  " + what + "\n")
        }
        if let violation = report.violation, report.steps.last?.kind != .violation {
            let words = Screen.safe("\(violation)")
            sink.write(sink.style.paint("BROKEN", .bad) + "  \(words)\n")
        }
    }

    private func name(of step: SimulatedStep) -> String {
        step.session.flatMap { numbers[$0] }.map { "payment \($0)" } ?? ""
    }

    /// The steps as JSON.
    var json: JSONValue {
        let begin = report.steps.first?.time ?? Instant(microseconds: 0)
        return .array(
            report.steps.map { step in
                [
                    "milliseconds": .integer((step.time - begin).wholeMilliseconds),
                    "engine": JSONValue(step.node.map { Int64($0 + 1) }),
                    "session": JSONValue(step.session.map { "\($0)" }),
                    "kind": .string(step.kind == .responded ? "answered" : "\(step.kind)"),
                    "text": .string(step.text),
                ]
            }
        )
    }

    /// Returns the kind of a step, in a word or two.
    private static func word(for kind: SimulatedStep.Kind) -> String {
        switch kind {
        case .opened: "opened"
        case .client: "client"
        case .replied: "replies"
        case .writing: "writes"
        case .appended: "stored"
        case .appendFailed: "not stored"
        case .loaded: "reads log"
        case .published: "publishes"
        case .requestLeaves: "sends"
        case .requestKeptBack: "withheld"
        case .requestArrives: "PSP gets"
        case .networkFault: "network"
        case .responded: "response"
        case .canceled: "cancels"
        case .lease: "lease"
        case .crash: "crashes"
        case .powerLoss: "power loss"
        case .torn: "torn write"
        case .pause: "pause"
        case .partition: "cut off"
        case .clockJump: "clock"
        case .weather: "weather"
        case .violation: "BROKEN"
        }
    }

    private func role(of kind: SimulatedStep.Kind) -> Style.Role {
        switch kind {
        case .violation, .crash, .powerLoss, .torn, .appendFailed: .bad
        case .networkFault, .partition, .pause, .clockJump, .weather, .requestKeptBack: .caution
        case .requestLeaves, .requestArrives, .responded: .accent
        case .client, .opened: .payer
        case .appended: .good
        case .replied, .writing, .loaded, .published, .canceled, .lease: .dim
        }
    }
}

extension Screen {
    /// Returns the text, padded on the left to a width.
    fileprivate static func leading(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
