public import EventLog
public import Workflow

/// The defaults of a scenario.
extension SimulatedScenario {
    /// The name "the other side".
    public var otherSide: String { "the other side" }
    /// A single host.
    public var host: String { "other.example" }
    /// Ten thousand.
    public var eventLimit: SequenceNumber { 10_000 }
    /// Half a minute.
    public var requestDeadline: Duration { .seconds(30) }

    /// The name of the request in metrics.
    public func words(for request: Rules.Request) -> String { request.metricName }
    /// The name of the outcome in metrics.
    public func words(for outcome: Rules.Input.Outcome) -> String { outcome.metricName }
    /// The word "report" or "command".
    public func words(for input: Rules.Input) -> String { isReport(input) ? "report" : "command" }
    /// The words for the input.
    public func cause(of input: Rules.Input) -> String { words(for: input) }
    /// The state's own ending, or "over".
    public func ending(of state: Rules.State) -> String? {
        state.ending ?? (state.isOver ? "over" : nil)
    }

    /// Always `false`.
    public func isRepetition(_ request: Rules.Request) -> Bool { false }
    /// Counts a request without a complete response as a failure of the host.
    public func record(
        _ outcome: Rules.Input.Outcome,
        of admission: CircuitBreaker.Admission,
        in hosts: inout HostGuard,
        at now: CircuitBreaker.Time
    ) {
        hosts.record(
            outcome.isLost ? .failed : .responded,
            isFree: !outcome.isLost && !outcome.isUnknown,
            of: admission,
            to: host,
            at: now
        )
    }

    /// Always `false`.
    public func mayFollowEnd(_ event: Rules.Event, in state: Rules.State) -> Bool { false }
    /// Always `false`.
    public func mayFollowEnd(_ request: Rules.Request, in state: Rules.State) -> Bool { false }

    /// Returns the report unchanged.
    public mutating func wrongReport(
        instead report: Rules.Input,
        using dice: inout SplitMix64
    ) -> Rules.Input { report }
    /// Returns `nil`.
    public mutating func whim(in state: Rules.State, using dice: inout SplitMix64) -> Rules.Input? {
        nil
    }
    /// Returns `nil`.
    public mutating func foreign(
        _ outcome: Rules.Input.Outcome,
        for session: SessionID,
        in state: Rules.State
    ) -> Rules.Input.Outcome? { nil }
    /// Returns `nil`.
    public static func refusal(
        of request: Rules.Request,
        of number: Int,
        from node: Int,
        in world: inout SimulatedWorld<Self>
    ) -> Rules.Input.Outcome? { nil }

    /// Checks nothing.
    public static func recorded(
        _ events: ArraySlice<Recorded<Rules.Event>>,
        leadingTo states: [Rules.State],
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Checks nothing.
    public static func check(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Does nothing.
    public static func notified(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Does nothing.
    public static func published(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Checks nothing.
    public static func checkEffects(of number: Int, in world: inout SimulatedWorld<Self>) {}
    /// Checks nothing.
    public static func checkRest(of number: Int, in world: inout SimulatedWorld<Self>) {}
    /// Checks nothing.
    public static func atRest(in world: inout SimulatedWorld<Self>) {}
}

extension SimulatedScenario where Happening == Never {
    /// Never called, since nothing is planned.
    public static func happens(
        _ what: Never,
        to number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
}
