public import EventLog
public import SwedbankPay
internal import Workflow

/// The real engine core in a virtual world: clock, disk, network, PSP and payers, all from one seed.
///
/// One thread, no sleeping: time jumps to the next thing that happens. The same seed gives the same history, byte for
/// byte. Several engines may share the journal, as processes share a store: each session's effects belong to the one
/// with its lease. After each step the guarantees are checked; what is broken is in ``ledger``.
public struct SimulatedWorld: Sendable {
    /// The time in the world.
    public internal(set) var now = Instant(microseconds: 1_700_000_000_000_000)
    /// What runs in it.
    public let settings: SimulationSettings
    /// What goes wrong, and how often; it may be changed while the world runs.
    public var faults: Faults {
        didSet {
            provider.isCareless = carelessness < faults.carelessProvider
            mishaps = faults.mishaps
        }
    }
    /// The PSP.
    public internal(set) var provider = SimulatedProvider()
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
    var logs: [VirtualLog] = []
    var numbers: [SessionID: Int] = [:]
    var client: any SimulatedClient
    var generator: SplitMix64
    /// The chance of whoever forges logs: of its own, so that other worlds stay as they are.
    var forger: SplitMix64
    var agenda = Agenda()
    var weather = Weather()
    var mishaps: [Mishap]
    var history = HistoryDigest()
    var requestCount = 0
    /// What ``Faults/carelessProvider`` has to exceed for the PSP of this world to be careless.
    let carelessness: Int
    var decider: SessionDecider { settings.decider }

    /// A world from a seed.
    ///
    /// - Parameters:
    ///   - settings: What runs in it.
    ///   - faults: What goes wrong, and how often.
    ///   - nodes: How many engines share the journal.
    ///   - seed: Where all chance comes from.
    ///   - driver: What stands between the world and each core.
    public init(
        settings: SimulationSettings = SimulationSettings(),
        faults: Faults = .none,
        nodes: Int = 1,
        seed: UInt64,
        driver: any CoreDriver = FaithfulDriver()
    ) {
        self.settings = settings
        self.faults = faults
        mishaps = faults.mishaps
        client = settings.client
        generator = SplitMix64(seed: seed)
        forger = SplitMix64(seed: ~seed)
        // Chance of their own for the cores, so that no core's jitter repeats what the world draws.
        var seeds = SplitMix64(seed: seed ^ Self.coreSeeds)
        carelessness = Int(seeds.next() % 1000)
        self.nodes = (0..<max(1, nodes)).map { _ in
            Node(
                core: EngineCore(
                    rules: settings.decider,
                    schedule: settings.retrySchedule,
                    limits: settings.engineLimits,
                    seed: seeds.next()
                ),
                driver: driver,
                hosts: HostGuard(limits: settings.circuitBreaker, budget: settings.retryBudget)
            )
        }
        provider.isCareless = carelessness < faults.carelessProvider
    }

    /// Takes in a session whose payer behaves like this.
    ///
    /// - Parameters:
    ///   - payer: What the payer does in the bank's app or page.
    ///   - authentication: How the card's issuer authenticates.
    ///   - preferences: What to pay with as soon as the methods are known.
    ///   - pause: How long after now.
    @discardableResult
    public mutating func open(
        payer: SimulatedProvider.Payer,
        authentication: SimulatedProvider.Authentication,
        paysWith preferences: [Preference],
        after pause: Duration = .zero
    ) -> SessionID {
        let session = SessionID(at: now, random: (generator.next(), generator.next()))
        provider.create(session, payer: payer, authentication: authentication)
        let opened = Opened(
            sessionURL: provider.secrets.seal("session-\(session)"),
            host: Self.host,
            userAgent: "simulated",
            preferences: preferences
        )
        let number = settle(session)
        agenda.add(
            .client(number, .command(.open(opened)), tries: 1),
            at: now + pause,
            anyNode(),
            life: nil
        )
        return session
    }

    /// What a world's seed is mixed with for the chance of its cores.
    private static let coreSeeds: UInt64 = 0xD1B5_4A32_D192_ED03

    /// The PSP's host, as circuit breakers know it.
    static let host = "psp.example"

    /// Gives a session its place in the world.
    mutating func settle(_ session: SessionID) -> Int {
        numbers[session] = residents.count
        residents.append(Resident(id: session))
        logs.append(VirtualLog(session: session))
        note(.opened, node: nil, residents.count - 1, "")
        return residents.count - 1
    }

    /// Has a client give a command or report, to any engine.
    public mutating func request(_ input: SessionInput, of session: SessionID) {
        guard let number = numbers[session] else { return }
        agenda.add(.client(number, input, tries: 1), at: now, anyNode(), life: nil)
    }

    // MARK: What can be seen

    /// The sessions, in the order in which they were opened.
    public var sessions: [SessionID] { residents.map(\.id) }

    /// What is durable, as it was read back from the disk.
    public var journal: [SessionID: [RecordedEvent]] {
        var journal: [SessionID: [RecordedEvent]] = [:]
        for log in logs where !log.events.isEmpty { journal[log.session] = log.events }
        return journal
    }

    /// The events of one session.
    public func events(of session: SessionID) -> [RecordedEvent] {
        numbers[session].map { logs[$0].events } ?? []
    }

    /// A session's records, as they lie on the disk.
    public func records(of session: SessionID) -> [StoredRecord] {
        numbers[session].flatMap { logs[$0].records } ?? []
    }

    /// The session's state as the durable log tells it.
    public func state(of session: SessionID) -> SessionState {
        numbers[session].map { logs[$0].live } ?? SessionState(session: session)
    }

    /// How many commands and reports were never answered.
    public var unanswered: Int { nodes.map(\.waiting.count).reduce(0, +) }

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
