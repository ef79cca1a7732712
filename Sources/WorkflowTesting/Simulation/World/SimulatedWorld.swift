public import EventLog
internal import SwedbankPay
public import Workflow

/// The real engine core in a virtual world: clock, disk, network, other side and clients, all from
/// one seed.
///
/// It uses one thread and never sleeps: time jumps to the next occurrence. The same seed gives the
/// same history, byte for byte. Several engines may share the journal, as processes share a store:
/// each session's effects belong to the engine with its lease. After each step the guarantees are
/// checked; violations are in ``ledger``.
public struct SimulatedWorld<Scenario: SimulatedScenario>: Sendable {
    /// The time in the world.
    public internal(set) var now = Instant(microseconds: 1_700_000_000_000_000)
    /// The settings of the world.
    public let settings: SimulationSettings<Scenario>
    /// The faults, with their frequencies; they may be changed while the world runs.
    public var faults: SimulatedFaults {
        didSet {
            scenario.isCareless = carelessness < faults.carelessProvider
            mishaps = faults.mishaps
            wasDisturbed = wasDisturbed || oldValue.disturbs
        }
    }
    /// Whether there were other faults before.
    private(set) var wasDisturbed = false
    /// The workflow, the other side and the clients.
    public var scenario: Scenario
    /// The ledger, with all violations.
    public internal(set) var ledger = EffectLedger()
    /// The counts of what happened.
    public internal(set) var statistics = SimulationStatistics()
    /// Whether ``timeline`` is recorded.
    public var recordsTimeline = false
    /// Whether to abort the world, checked at every step.
    public var isInterrupted: @Sendable () -> Bool = { false }
    /// Descriptions of all steps, if ``recordsTimeline`` is set.
    public internal(set) var timeline: [SimulatedStep] = []

    var nodes: [Node]
    var residents: [Resident] = []
    var logs: [VirtualLog<Scenario.Rules>] = []
    var numbers: [SessionID: Int] = [:]
    var generator: SplitMix64
    /// The source of randomness for forged logs: a separate one, so that other worlds stay the
    /// same.
    var forger: SplitMix64
    var agenda = Agenda<Scenario>()
    /// A subscriber of all logs.
    var subscription: VirtualSubscription
    var weather = SimulatedFaults.Weather()
    var mishaps: [SimulatedFaults.Mishap]
    var history = HistoryDigest()
    var requestCount = 0
    /// The value that ``SimulatedFaults/carelessProvider`` must exceed for the other side of this
    /// world to be careless.
    let carelessness: Int

    /// Creates a world from a seed.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - faults: The faults, with their frequencies.
    ///   - nodes: The number of engines that share the journal.
    ///   - seed: The seed of all randomness.
    ///   - driver: The driver between the world and each core.
    public init(
        settings: SimulationSettings<Scenario>,
        faults: SimulatedFaults = .none,
        nodes: Int = 1,
        seed: UInt64,
        driver: any CoreDriver<Scenario.Rules> = FaithfulDriver<Scenario.Rules>()
    ) {
        self.settings = settings
        self.faults = faults
        mishaps = faults.mishaps
        scenario = settings.scenario
        generator = SplitMix64(seed: seed)
        forger = SplitMix64(seed: ~seed)
        subscription = VirtualSubscription(seed: seed &+ Self.coreSeeds)
        // Separate seeds for the cores, so that no core's jitter repeats the world's random
        // numbers.
        var seeds = SplitMix64(seed: seed ^ Self.coreSeeds)
        carelessness = Int(seeds.next() % 1000)
        self.nodes = (0..<max(1, nodes)).map { _ in
            Node(
                core: EngineCore(
                    rules: settings.scenario.rules,
                    schedule: settings.retrySchedule,
                    limits: settings.engineLimits,
                    seed: seeds.next()
                ),
                driver: driver,
                hosts: HostGuard(limits: settings.circuitBreaker, budget: settings.retryBudget)
            )
        }
        scenario.isCareless = carelessness < faults.carelessProvider
    }

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - pause: The time until the client's first input.
    ///   - opening: Returns the client's first input for the session and its number in the world.
    /// - Returns: The session.
    @discardableResult
    public mutating func open(
        after pause: Duration = .zero,
        _ opening: (inout Scenario, SessionID, Int) -> Scenario.Rules.Input
    ) -> SessionID {
        let session = SessionID(at: now, random: (generator.next(), generator.next()))
        let number = residents.count
        let input = opening(&scenario, session, number)
        numbers[session] = number
        residents.append(Resident(id: session, opening: input))
        logs.append(VirtualLog(session: session))
        note(.opened, node: nil, number, "")
        agenda.add(.client(number, input, tries: 1), at: now + pause, anyNode(), life: nil)
        return session
    }

    /// The constant with which a world's seed is mixed for its cores.
    private static var coreSeeds: UInt64 { 0xD1B5_4A32_D192_ED03 }

    /// Makes a client send a command or report now, to any engine.
    public mutating func request(_ input: Scenario.Rules.Input, of session: SessionID) {
        guard let number = numbers[session] else { return }
        agenda.add(.client(number, input, tries: 1), at: now, anyNode(), life: nil)
    }

    // MARK: Observations

    /// The sessions, in the order in which they were opened.
    public var sessions: [SessionID] { residents.map(\.id) }

    /// The durable events, as read back from the disk.
    public var journal: [SessionID: [Recorded<Scenario.Rules.Event>]] {
        var journal: [SessionID: [Recorded<Scenario.Rules.Event>]] = [:]
        for log in logs where !log.events.isEmpty { journal[log.session] = log.events }
        return journal
    }

    /// The events of one session.
    public func events(of session: SessionID) -> [Recorded<Scenario.Rules.Event>] {
        numbers[session].map { logs[$0].events } ?? []
    }

    /// A session's records on the disk.
    public func records(of session: SessionID) -> [StoredRecord] {
        numbers[session].flatMap { logs[$0].records } ?? []
    }

    /// The session's state according to the durable log.
    public func state(of session: SessionID) -> Scenario.Rules.State {
        numbers[session].map { logs[$0].live } ?? Scenario.Rules.State(session: session)
    }

    /// The number of commands and reports without a reply.
    public var unanswered: Int { nodes.map(\.waiting.count).reduce(0, +) }

    /// Schedules an occurrence of the scenario.
    public mutating func plan(
        _ what: Scenario.Happening,
        for number: Int,
        after pause: Duration
    ) {
        agenda.add(.happening(number, what), at: now + pause, 0, life: nil)
    }

    /// Makes a session's client send a command or report later, to any engine.
    public mutating func give(
        _ input: Scenario.Rules.Input,
        of number: Int,
        after pause: Duration
    ) {
        agenda.add(.client(number, input, tries: 1), at: now + pause, anyNode(), life: nil)
    }

    /// SHA-256 over everything that happened: equal for equal histories.
    public var digest: Digest256 { history.value }

    /// Records a step.
    mutating func note(
        _ kind: SimulatedStep.Kind,
        node: Int?,
        _ number: Int?,
        _ text: @autoclosure () -> String
    ) {
        history.add(kind, now, node, number)
        guard recordsTimeline else { return }
        timeline.append(
            SimulatedStep(
                time: now,
                node: node,
                session: number.map { residents[$0].id },
                kind: kind,
                text: text()
            )
        )
    }
}
