import EventLog
import LogFixtures
import Testing
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay

/// What may be done next in a session, according to its view.
@Suite struct PossibleStepTests {
    private func view(_ spec: DeciderSpec) -> SessionView {
        SessionView(spec.state, by: spec.decider, disclosing: .masked)
    }

    /// Returns the names of the possible steps.
    private func steps(_ view: SessionView) -> [String] {
        view.possibleSteps.map { step in
            switch step {
            case .report(let action): "report \(action.kind)"
            case .pay(let method): "pay \(method.instrument.rawValue)"
            case .capture(let again): "capture" + (again ? " again" : "")
            case .refund(let again): "refund" + (again ? " again" : "")
            case .retry, .payOnPage, .payNatively, .wait, .abort: "\(step)"
            }
        }
    }

    @Test func `the payer can choose a method, the PSP's page, or to abort`() {
        let ready = view(payment().ready(.withSwish))
        #expect(steps(ready) == ["pay swish", "payOnPage", "abort"])
    }

    @Test func `a paid order can be captured`() {
        let shown = payment().when(.checkout(.open(.sample()))).when(order: .sample, status: 201)
        #expect(steps(view(shown)) == ["report showMenu", "abort"])
        let paid = shown.when(client: .completed).when(order: .paid())
        #expect(steps(view(paid)) == ["capture"])
    }

    @Test func `an imported session is not driven, whatever its log says`() {
        var spec = payment().when(.open(.sample()))
        for _ in 1...10 where spec.state.problem == nil { spec = spec.when(outcome: .notSent) }
        var failed = view(spec)
        #expect(steps(failed).first == "retry")
        #expect(ViewText(failed, style: .plain).text.words.contains("'retry' is possible"))
        failed.isImported = true
        #expect(steps(failed) == [])
        #expect(!ViewText(failed, style: .plain).text.words.contains("'retry' is possible"))
    }

    /// The commands of the steps that views and stories propose.
    private func commands(_ state: SessionState, _ log: SessionLog) -> Set<String> {
        let decider = SessionDecider(catalogue: .sample)
        let view = SessionView(state, by: decider, disclosing: .masked)
        let story = Story(of: log.session, events: log.events, by: decider)
        let told = StoryEnd(story).steps("workflowctl").compactMap(\.command)
        let steps = view.possibleSteps.compactMap { step in
            switch step {
            case .retry: "retry"
            case .abort: "abort"
            case .capture(let again): "order capture" + (again ? " --again" : "")
            case .refund(let again): "order reverse" + (again ? " --again" : "")
            case .report, .pay, .payOnPage, .payNatively, .wait: nil
            }
        }
        let names = told.map { command in
            let words = command.split(separator: " ").dropFirst()
            return words.filter { SessionID(String($0)) == nil }.joined(separator: " ")
        }
        return Set(steps + names)
    }

    @Test func `in every state of the kept logs, the rules accept what is proposed`() throws {
        let decider = SessionDecider(catalogue: .sample)
        var seen: Set<String> = []
        for name in GoldenLogs.names {
            let log = try GoldenLogs.log(in: try GoldenLogs.text(name))
            for end in 1...log.events.count {
                let prefix = try SessionLog(log.session, Array(log.records.prefix(end)))
                let state = prefix.state
                let view = SessionView(state, by: decider, disclosing: .masked)
                let place: Comment = "\(name) at \(end)"
                if state.problem != nil {
                    let retry = JSONValue.bool(decider.accepts(.retry(by: "a"), in: state))
                    #expect(view.json["problem"]?["acceptsRetry"] == retry, place)
                }
                for command in commands(state, prefix) {
                    seen.insert(command)
                    switch command {
                    case "retry": #expect(decider.accepts(.retry(by: "a"), in: state), place)
                    case "abort": #expect(decider.accepts(.abort(by: "a"), in: state), place)
                    case "order capture": #expect(decider.accepts(.capture, in: state), place)
                    case "order reverse": #expect(decider.accepts(.reversal, in: state), place)
                    case "close --reason TEXT":
                        let acted = OperatorActed(by: "a", action: "close", reason: "b")
                        #expect(decider.accepts(.close(acted), in: state), place)
                    default: break
                    }
                }
                // Whoever has to retry can.
                if decider.whoseTurn(in: state) == .support {
                    #expect(decider.accepts(.retry(by: "a"), in: state), place)
                }
            }
        }
        #expect(seen.isSuperset(of: ["retry", "abort", "order capture", "order reverse"]))
    }
}
