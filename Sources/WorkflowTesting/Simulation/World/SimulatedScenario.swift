public import EventLog
public import Workflow

/// What a simulated world is about: the rules of a workflow, with a model of the other side and of the clients.
///
/// The world brings all else: engines, clocks, network, disk, leases, deaths, and the guarantees that every workflow has. A
/// scenario is a value that the world keeps and changes; the same calls give the same results, so that a world can be
/// repeated by its seed.
public protocol SimulatedScenario: Sendable {
    /// The rules that the engines run.
    associatedtype Rules: WorkflowRules where Rules.State: Equatable
    /// What else happens at times that the scenario plans; none in most.
    associatedtype Happening: Sendable = Never

    /// The rules.
    var rules: Rules { get }
    /// The secrets of the world: what clients and the other side seal.
    var secrets: SimulatedSecrets { get set }
    /// Whether the other side does whatever it is sent, also a second time: only the engine's own care is left then.
    var isCareless: Bool { get set }

    // MARK: Clients

    /// Clients come: opens one session, within a time from now on.
    static func open(
        in world: inout SimulatedWorld<Self>,
        within span: Duration,
        using dice: inout SplitMix64
    )

    /// What a client does now that it is told how its session stands.
    mutating func client(
        sees state: Rules.State,
        at now: Instant,
        using dice: inout SplitMix64
    ) -> [SimulatedAct<Rules.Input>]

    /// Whether an input says what a client has done; all others ask for something.
    func isReport(_ input: Rules.Input) -> Bool

    // MARK: The other side

    /// The other side works on a request: what it changes there, and what is answered.
    mutating func process(_ call: Rules.Call, of session: SessionID) -> Rules.Input.Outcome

    /// How often the other side did for a session what must be done once each time that it is asked for.
    func effects(of session: SessionID) -> Int

    /// How often that was asked for by what is recorded.
    func effectsWanted(by state: Rules.State) -> Int

    /// What an engine hears of a request that something happened to on its way.
    func outcome(of trouble: NetworkTrouble) -> Rules.Input.Outcome

    /// Whether the other side did what it was asked.
    func isSuccess(_ outcome: Rules.Input.Outcome) -> Bool

    // MARK: The books

    /// What an event says of the requests of its session.
    func meaning(of event: Rules.Event) -> EventMeaning

    // MARK: With defaults

    /// What the other side is called in the words of steps.
    var otherSide: String { get }
    /// The host of the other side, as circuit breakers know it.
    var host: String { get }
    /// How many events a session may have at the most.
    var eventLimit: Int64 { get }
    /// How long a request that changes something may be under way, by the rules.
    var requestDeadline: Duration { get }

    /// A request in a few words, without secrets.
    func words(for call: Rules.Call) -> String
    /// An outcome in a few words, without secrets.
    func words(for outcome: Rules.Input.Outcome) -> String
    /// An input in a few words, without secrets.
    func words(for input: Rules.Input) -> String
    /// The cause that the log records of an input.
    func cause(of input: Rules.Input) -> String
    /// How a session ended, in one word; nil while it has not.
    func ending(of state: Rules.State) -> String?

    /// Whether the same step was tried before, for the budget of repetitions.
    func isRepetition(_ call: Rules.Call) -> Bool
    /// Hands an outcome to the guard of hosts.
    func record(
        _ outcome: Rules.Input.Outcome,
        of admission: CircuitBreaker.Admission,
        in hosts: inout HostGuard,
        at now: CircuitBreaker.Time
    )

    /// Whether an event may stand after the end of its session.
    func mayFollowEnd(_ event: Rules.Event, in state: Rules.State) -> Bool
    /// Whether a request that changes something may leave after the end of its session.
    func mayFollowEnd(_ call: Rules.Call, in state: Rules.State) -> Bool

    /// A report that says something else than what happened.
    mutating func wrongReport(
        instead report: Rules.Input,
        using dice: inout SplitMix64
    ) -> Rules.Input
    /// Something that nobody asked the client for; nil for nothing.
    mutating func whim(in state: Rules.State, using dice: inout SplitMix64) -> Rules.Input?
    /// An answer as it would be about something else; nil when there is no such answer.
    mutating func foreign(
        _ outcome: Rules.Input.Outcome,
        for session: SessionID,
        in state: Rules.State
    ) -> Rules.Input.Outcome?
    /// How the other side refuses a request of its own accord, without working on it; nil when it does not.
    static func refusal(
        of call: Rules.Call,
        of number: Int,
        from node: Int,
        in world: inout SimulatedWorld<Self>
    ) -> Rules.Input.Outcome?

    /// What was planned happens to a session.
    static func happens(_ what: Happening, to number: Int, in world: inout SimulatedWorld<Self>)

    // MARK: The workflow's own checks, with defaults

    /// Events of a session have become durable: `states` are the state before them and that after each.
    static func recorded(
        _ events: ArraySlice<Recorded<Rules.Event>>,
        leadingTo states: [Rules.State],
        of number: Int,
        in world: inout SimulatedWorld<Self>
    )
    /// Listeners are told how a session stands, and the client does not know it yet.
    static func check(_ state: Rules.State, of number: Int, in world: inout SimulatedWorld<Self>)
    /// The client was told, and what it does is on its way.
    static func told(_ state: Rules.State, of number: Int, in world: inout SimulatedWorld<Self>)
    /// Listeners were told, the client included if there was something new for it.
    static func published(
        _ state: Rules.State,
        of number: Int,
        in world: inout SimulatedWorld<Self>
    )
    /// The other side has worked on something of a session.
    static func checkEffects(of number: Int, in world: inout SimulatedWorld<Self>)
    /// All has come to rest: looks at one session.
    static func checkRest(of number: Int, in world: inout SimulatedWorld<Self>)
    /// All has come to rest, and each session was looked at.
    static func atRest(in world: inout SimulatedWorld<Self>)
}
