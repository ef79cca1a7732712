public import EventLog
public import Workflow

/// The subject of a simulated world: the rules of a workflow, with a model of the other side and of
/// the clients.
///
/// The world provides everything else: engines, clocks, network, disk, leases, crashes, and the
/// guarantees of every workflow. A scenario is a value that the world keeps and changes; the same
/// calls give the same results, so that a world can be repeated from its seed.
public protocol SimulatedScenario: Sendable {
    /// The rules that the engines run.
    associatedtype Rules: WorkflowRules where Rules.State: Equatable
    /// Further occurrences that the scenario plans; usually none.
    associatedtype Happening: Sendable = Never

    /// The rules.
    var rules: Rules { get }
    /// The secrets of the world: values that clients and the other side seal.
    var secrets: SimulatedSecrets { get set }
    /// Whether the other side performs every request, even a second time, so that only the engine's
    /// own care prevents duplicates.
    var isCareless: Bool { get set }

    // MARK: Clients

    /// Opens one session for new clients, within a time from now on.
    static func open(
        in world: inout SimulatedWorld<Self>,
        within span: Duration,
        using dice: inout SplitMix64
    )

    /// Returns what a client does when the state of its session is published to it.
    mutating func client(
        sees state: Rules.State,
        at now: Instant,
        using dice: inout SplitMix64
    ) -> [SimulatedAct<Rules.Input>]

    /// Whether an input is a report of what a client has done; all others are commands.
    func isReport(_ input: Rules.Input) -> Bool

    // MARK: The remote service

    /// Processes a request at the other side and returns its outcome.
    mutating func process(_ request: Rules.Request, of session: SessionID) -> Rules.Input.Outcome

    /// The number of times that the other side has performed, for a session, the effect that must
    /// occur once for each request in the log.
    func effects(of session: SessionID) -> Int

    /// The number of times that the log requests that effect.
    func effectsWanted(by state: Rules.State) -> Int

    /// The outcome that an engine receives for a request with a network fault.
    func outcome(of trouble: NetworkTrouble) -> Rules.Input.Outcome

    /// Whether the other side processed the request successfully.
    func isSuccess(_ outcome: Rules.Input.Outcome) -> Bool

    // MARK: Ledger

    /// The effect of an event on the requests of its session.
    func meaning(of event: Rules.Event) -> EventMeaning

    // MARK: Requirements with defaults

    /// The name of the other side in steps.
    var otherSide: String { get }
    /// The host of the other side, as circuit breakers know it.
    var host: String { get }
    /// The maximum number of events in a session.
    var eventLimit: SequenceNumber { get }
    /// The time for which a request that changes something may be in progress, according to the
    /// rules.
    var requestDeadline: Duration { get }

    /// A request in a few words, without secrets.
    func words(for request: Rules.Request) -> String
    /// An outcome in a few words, without secrets.
    func words(for outcome: Rules.Input.Outcome) -> String
    /// An input in a few words, without secrets.
    func words(for input: Rules.Input) -> String
    /// The cause of an input, as recorded in the log.
    func cause(of input: Rules.Input) -> String
    /// The outcome of a session as a word; `nil` while it has not ended.
    func ending(of state: Rules.State) -> String?

    /// Whether the same step was tried before, for the retry budget.
    func isRepetition(_ request: Rules.Request) -> Bool
    /// Passes an outcome to the guard of hosts.
    func record(
        _ outcome: Rules.Input.Outcome,
        of admission: CircuitBreaker.Admission,
        in hosts: inout HostGuard,
        at now: CircuitBreaker.Time
    )

    /// Whether an event may follow the end of its session.
    func mayFollowEnd(_ event: Rules.Event, in state: Rules.State) -> Bool
    /// Whether a request that changes something may be sent after the end of its session.
    func mayFollowEnd(_ request: Rules.Request, in state: Rules.State) -> Bool

    /// Returns a report that does not say what happened.
    mutating func wrongReport(
        instead report: Rules.Input,
        using dice: inout SplitMix64
    ) -> Rules.Input
    /// Returns an unasked input of a client; `nil` for none.
    mutating func whim(in state: Rules.State, using dice: inout SplitMix64) -> Rules.Input?
    /// Returns the response as it would be about something else; `nil` when there is none.
    mutating func foreign(
        _ outcome: Rules.Input.Outcome,
        for session: SessionID,
        in state: Rules.State
    ) -> Rules.Input.Outcome?
    /// Returns the response with which the other side refuses a request on its own, without
    /// processing it; `nil` when it does not.
    static func refusal(
        of request: Rules.Request,
        of number: Int,
        from node: Int,
        in world: inout SimulatedWorld<Self>
    ) -> Rules.Input.Outcome?

    /// Performs a planned occurrence for a session.
    static func happens(_ what: Happening, to number: Int, in world: inout SimulatedWorld<Self>)

    // MARK: Checks of the workflow, with defaults

    /// Called when events of a session have become durable: `states` are the state before them and
    /// the state after each.
    static func recorded(
        _ events: ArraySlice<Recorded<Rules.Event>>,
        leadingTo states: [Rules.State],
        of number: Int,
        in world: inout SimulatedWorld<Self>
    )
    /// Called when a session's state is published, before the client sees it.
    static func check(_ state: Rules.State, of number: Int, in world: inout SimulatedWorld<Self>)
    /// Called after the client was notified and its actions were scheduled.
    static func notified(_ state: Rules.State, of number: Int, in world: inout SimulatedWorld<Self>)
    /// Called after listeners were notified, including the client if there was a change for it.
    static func published(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    )
    /// Called after the other side has processed a request of a session.
    static func checkEffects(of number: Int, in world: inout SimulatedWorld<Self>)
    /// Called at rest for each session.
    static func checkRest(of number: Int, in world: inout SimulatedWorld<Self>)
    /// Called at rest, after all sessions were checked.
    static func atRest(in world: inout SimulatedWorld<Self>)
}
