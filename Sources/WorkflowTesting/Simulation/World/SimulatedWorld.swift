public import EventLog
internal import SwedbankPay
public import Workflow

/// The real engine core in a virtual world: clock, disk, network, other side and clients, all from one seed.
///
/// One thread, no sleeping: time jumps to the next thing that happens. The same seed gives the same history, byte for
/// byte. Several engines may share the journal, as processes share a store: each session's effects belong to the one
/// with its lease. After each step the guarantees are checked; what is broken is in ``ledger``.
public struct SimulatedWorld<Scenario: SimulatedScenario>: Sendable {
    /// The time in the world.
    public internal(set) var now = Instant(microseconds: 1_700_000_000_000_000)
    /// What runs in it.
    public let settings: SimulationSettings<Scenario>
    /// What goes wrong, and how often; it may be changed while the world runs.
    public var faults: SimulatedFaults {
        didSet {
            scenario.isCareless = carelessness < faults.carelessProvider
            mishaps = faults.mishaps
        }
    }
    /// The workflow, the other side and the clients.
    public var scenario: Scenario
    /// The books, with all broken guarantees.
    public internal(set) var ledger = EffectLedger()
    /// What came about, in numbers.
    public internal(set) var statistics = SimulationStatistics()
    /// Whether ``timeline`` is written.
    public var recordsTimeline = false
    /// Whether the world is to be broken off, asked at every step.
    public var isInterrupted: @Sendable () -> Bool = { false }
    /// Everything that happened, in words, as far as ``recordsTimeline`` asked for it.
    public internal(set) var timeline: [SimulatedStep] = []

    var nodes: [Node]
    var residents: [Resident] = []
    var logs: [VirtualLog<Scenario.Rules>] = []
    var numbers: [SessionID: Int] = [:]
    var generator: SplitMix64
    /// The chance of whoever forges logs: of its own, so that other worlds stay as they are.
    var forger: SplitMix64
    var agenda = Agenda<Scenario>()
    var weather = SimulatedFaults.Weather()
    var mishaps: [SimulatedFaults.Mishap]
    var history = HistoryDigest()
    var requestCount = 0
    /// What ``SimulatedFaults/carelessProvider`` has to exceed for the other side of this world to be careless.
    let carelessness: Int

    /// A world from a seed.
    ///
    /// - Parameters:
    ///   - settings: What runs in it.
    ///   - faults: What goes wrong, and how often.
    ///   - nodes: How many engines share the journal.
    ///   - seed: Where all chance comes from.
    ///   - driver: What stands between the world and each core.
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
        // Chance of their own for the cores, so that no core's jitter repeats what the world draws.
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

    /// Takes in a session.
    ///
    /// - Parameters:
    ///   - pause: How long after now.
    ///   - opening: Makes what its client gives first, of the session and its number in the world.
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

    /// What a world's seed is mixed with for the chance of its cores.
    private static var coreSeeds: UInt64 { 0xD1B5_4A32_D192_ED03 }

    /// Has a client give a command or report, to any engine.
    public mutating func request(_ input: Scenario.Rules.Input, of session: SessionID) {
        guard let number = numbers[session] else { return }
        agenda.add(.client(number, input, tries: 1), at: now, anyNode(), life: nil)
    }

    // MARK: What can be seen

    /// The sessions, in the order in which they were opened.
    public var sessions: [SessionID] { residents.map(\.id) }

    /// What is durable, as it was read back from the disk.
    public var journal: [SessionID: [Recorded<Scenario.Rules.Event>]] {
        var journal: [SessionID: [Recorded<Scenario.Rules.Event>]] = [:]
        for log in logs where !log.events.isEmpty { journal[log.session] = log.events }
        return journal
    }

    /// The events of one session.
    public func events(of session: SessionID) -> [Recorded<Scenario.Rules.Event>] {
        numbers[session].map { logs[$0].events } ?? []
    }

    /// A session's records, as they lie on the disk.
    public func records(of session: SessionID) -> [StoredRecord] {
        numbers[session].flatMap { logs[$0].records } ?? []
    }

    /// The session's state as the durable log tells it.
    public func state(of session: SessionID) -> Scenario.Rules.State {
        numbers[session].map { logs[$0].live } ?? Scenario.Rules.State(session: session)
    }

    /// How many commands and reports were never answered.
    public var unanswered: Int { nodes.map(\.waiting.count).reduce(0, +) }

    /// Plans something of the scenario's own.
    public mutating func plan(
        _ what: Scenario.Happening,
        for number: Int,
        after pause: Duration
    ) {
        agenda.add(.happening(number, what), at: now + pause, 0, life: nil)
    }

    /// Has a session's client give a command or report later, to any engine.
    public mutating func give(
        _ input: Scenario.Rules.Input,
        of number: Int,
        after pause: Duration
    ) {
        agenda.add(.client(number, input, tries: 1), at: now + pause, anyNode(), life: nil)
    }

    /// SHA-256 over everything that happened: equal for equal histories.
    public var digest: Digest256 { history.value }

    /// Notes a step.
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
