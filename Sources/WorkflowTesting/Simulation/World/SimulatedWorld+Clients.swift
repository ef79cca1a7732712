internal import EventLog
import SwedbankPay
import Workflow

/// Clients.
extension SimulatedWorld {
    /// The maximum number of times that a client repeats an input after its engine crashed or
    /// failed.
    static var clientTries: Int { 6 }

    /// A client sends a command or report to an engine.
    mutating func clientActs(
        _ number: Int,
        _ input: Scenario.Rules.Input,
        _ tries: Int,
        at node: Int
    ) {
        let isOpening = input == residents[number].opening
        let session = residents[number].id
        let isKnown = logs[number].live.sequence > 0
        let words = scenario.words(for: input)
        note(.client, node: node, number, words)
        if isKnown, scenario.isReport(input), chance(faults.otherWriter) {
            return writeElsewhere(input, in: number)
        }
        let isReachable = !nodes[node].isCutFromStore || nodes[node].core.holds(session)
        guard isReachable, isKnown || isOpening else {
            return askAgain(Waiting(session: number, input: input, tries: tries))
        }
        watch(number, at: node)
        requestCount += 1
        nodes[node].waiting[requestCount] = Waiting(session: number, input: input, tries: tries)
        give(
            .command(session, input, number: requestCount, cause: scenario.cause(of: input)),
            to: node
        )
    }

    /// A client repeats its input a little later, to any engine.
    mutating func askAgain(_ lost: Waiting) {
        guard lost.tries < Self.clientTries else { return }
        agenda.add(
            .client(lost.session, lost.input, tries: lost.tries + 1),
            at: now + pause(500...5000),
            anyNode(),
            life: nil
        )
    }

    /// An engine replies to a command or report: what it acknowledges must be durable.
    mutating func replied(_ request: Int, _ result: RequestResult<Scenario.Rules>, by node: Int) {
        guard let waiting = nodes[node].waiting.removeValue(forKey: request) else { return }
        note(.replied, node: node, waiting.session, Self.words(for: result))
        switch result {
        case .accepted(let state):
            guard state.sequence > logs[waiting.session].live.sequence else { return }
            violation(.nothingLost, "\(state.session) was acknowledged before it was durable")
        case .rejected: break
        case .failed, .stopping, .overloaded: askAgain(waiting)
        }
    }

    /// Publishes a state to the client of a session, and schedules its actions.
    mutating func publish(_ state: Scenario.Rules.State, _ number: Int) {
        guard state.sequence > residents[number].notified else { return }
        residents[number].notified = state.sequence
        let acts = scenario.client(sees: state, at: now, using: &generator)
        for act in acts { deliver(act, number) }
        Scenario.notified(state, of: number, in: &self)
        if chance(faults.impatience), let whim = scenario.whim(in: state, using: &generator) {
            deliver(SimulatedAct(after: pause(0...20_000), whim), number)
        }
    }

    /// Delivers a client's action to an engine: in time, late, twice, wrongly or never.
    private mutating func deliver(_ act: SimulatedAct<Scenario.Rules.Input>, _ number: Int) {
        var input = act.input
        var pause = act.pause
        var copies = 1
        let isReport = scenario.isReport(input)
        if isReport {
            if chance(faults.reportNever) {
                return note(.client, node: nil, number, "never says so")
            }
            if chance(faults.reportWrong) {
                input = scenario.wrongReport(instead: input, using: &generator)
            }
            if chance(faults.reportLate) { pause = pause + self.pause(5000...60_000) }
            if chance(faults.reportTwice) { copies = 2 }
        } else if chance(faults.doubleTap) {
            copies = 2
        }
        for _ in 0..<copies {
            agenda.add(.client(number, input, tries: 1), at: now + pause, anyNode(), life: nil)
            if isReport { pause = pause + self.pause(0...2000) }
        }
    }

    // MARK: Descriptions

    private static func words(for result: RequestResult<Scenario.Rules>) -> String {
        switch result {
        case .accepted(let state): "accepted at \(state.sequence)"
        case .rejected(let rejection): "rejected: \(rejection.code)"
        case .failed(let error): "failed: \(error.code)"
        case .stopping: "stopping"
        case .overloaded: "overloaded"
        }
    }
}
