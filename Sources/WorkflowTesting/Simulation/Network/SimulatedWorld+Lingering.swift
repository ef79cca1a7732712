internal import EventLog
internal import Workflow

extension SimulatedWorld {
    /// Whether the other side continues to work on a request whose engine crashed, for as long as
    /// that engine would have waited.
    ///
    /// Not where a clock has jumped: the next engine cannot know there how long ago it was sent.
    mutating func outlives(_ exchange: SimulatedExchange<Scenario.Rules>, from node: Int) -> Bool {
        guard scenario.isCareless, !nodes.contains(where: { $0.jumps > 0 }), !exchange.hasOutlived,
            !exchange.isGivenUp,
            !exchange.request.onlyReads, chance(faults.workAfterDeath)
        else { return false }
        var late = exchange
        late.hasOutlived = true
        let deadline = exchange.leftAt + scenario.requestDeadline
        let rest = max(1, (deadline - now).wholeMilliseconds)
        agenda.add(.arrive(late), at: now + pause(1...rest), node, life: nil)
        return true
    }

    /// The maximum delay of a request in milliseconds, which is longer than any engine waits for
    /// its response.
    private static var lingering: ClosedRange<Int64> { 1000...60_000 }

    /// Delays a request: it takes effect long after it was sent.
    ///
    /// Often its engine has given it up by then: the connection broke, or the request's deadline
    /// passed.
    mutating func linger(_ exchange: SimulatedExchange<Scenario.Rules>, from node: Int) {
        let length = pause(Self.lingering)
        var late = exchange
        let isBroken = chance(500)
        let words = scenario.words(for: exchange.request)
        late.isGivenUp = isBroken || length >= settings.requestDeadline
        note(
            .networkFault,
            node: node,
            exchange.session,
            "\(words) lingers for \(length.wholeMilliseconds) ms"
        )
        agenda.add(.arrive(late), at: now + length, node, life: nil)
        if isBroken {
            respond(
                scenario.outcome(of: .lost(code: "http.reset")),
                exchange,
                node,
                after: pause(1...900)
            )
        } else if late.isGivenUp {
            respond(
                scenario.outcome(of: .lost(code: "http.timeout")),
                exchange,
                node,
                after: settings.requestDeadline
            )
        }
    }
}
