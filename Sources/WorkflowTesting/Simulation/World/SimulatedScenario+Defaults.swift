public import EventLog
public import Workflow

/// What a scenario need not say.
extension SimulatedScenario {
    /// The other side.
    public var otherSide: String { "the other side" }
    /// One host.
    public var host: String { "other.example" }
    /// Ten thousand.
    public var eventLimit: Int64 { 10_000 }
    /// Half a minute.
    public var requestDeadline: Duration { .seconds(30) }

    /// The name in metrics.
    public func words(for call: Rules.Call) -> String { call.metricName }
    /// The name in metrics.
    public func words(for outcome: Rules.Input.Outcome) -> String { outcome.metricName }
    /// Whether it is a report.
    public func words(for input: Rules.Input) -> String { isReport(input) ? "report" : "command" }
    /// The same.
    public func cause(of input: Rules.Input) -> String { words(for: input) }
    /// The state's own word, or that it is over.
    public func ending(of state: Rules.State) -> String? {
        state.ending ?? (state.isOver ? "over" : nil)
    }

    /// No.
    public func isRepetition(_ call: Rules.Call) -> Bool { false }
    /// A request without a whole response speaks against the host.
    public func record(
        _ outcome: Rules.Input.Outcome,
        of admission: CircuitBreaker.Admission,
        in hosts: inout HostGuard,
        at now: CircuitBreaker.Time
    ) {
        hosts.record(
            outcome.isLost ? .failed : .answered,
            isFree: !outcome.isLost && !outcome.isUnknown,
            of: admission,
            to: host,
            at: now
        )
    }

    /// No.
    public func mayFollowEnd(_ event: Rules.Event, in state: Rules.State) -> Bool { false }
    /// No.
    public func mayFollowEnd(_ call: Rules.Call, in state: Rules.State) -> Bool { false }

    /// The report as it is.
    public mutating func wrongReport(
        instead report: Rules.Input,
        using dice: inout SplitMix64
    ) -> Rules.Input { report }
    /// Nothing.
    public mutating func whim(in state: Rules.State, using dice: inout SplitMix64) -> Rules.Input? {
        nil
    }
    /// There is none.
    public mutating func foreign(
        _ outcome: Rules.Input.Outcome,
        for session: SessionID,
        in state: Rules.State
    ) -> Rules.Input.Outcome? { nil }
    /// It does not.
    public static func refusal(
        of call: Rules.Call,
        of number: Int,
        from node: Int,
        in world: inout SimulatedWorld<Self>
    ) -> Rules.Input.Outcome? { nil }

    /// Nothing to check.
    public static func recorded(
        _ events: ArraySlice<Recorded<Rules.Event>>,
        leadingTo states: [Rules.State],
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Nothing to check.
    public static func check(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Nothing more happens.
    public static func told(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Nothing more happens.
    public static func published(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
    /// Nothing to check.
    public static func checkEffects(of number: Int, in world: inout SimulatedWorld<Self>) {}
    /// Nothing to check.
    public static func checkRest(of number: Int, in world: inout SimulatedWorld<Self>) {}
    /// Nothing to check.
    public static func atRest(in world: inout SimulatedWorld<Self>) {}
}

extension SimulatedScenario where Happening == Never {
    /// Nothing is ever planned.
    public static func happens(
        _ what: Never,
        to number: Int,
        in world: inout SimulatedWorld<Self>
    ) {}
}
