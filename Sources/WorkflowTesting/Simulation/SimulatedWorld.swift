public import Workflow

/// The real engine core in a virtual world: clock, disk, network, PSP and payers, all from one seed.
///
/// One thread, no sleeping: time jumps to the next thing that happens. The same seed gives the same history. Several
/// engines may share the journal, as processes share a store: each session's effects belong to the one with its
/// lease. After each step the guarantees are checked; what is broken is in ``ledger``.
public struct SimulatedWorld: Sendable {
    /// The time in the world.
    public private(set) var now = Instant(microseconds: 1_700_000_000_000_000)
    /// The PSP.
    public internal(set) var provider = SimulatedProvider()
    /// The books, with all broken guarantees.
    public internal(set) var ledger = EffectLedger()
    /// What is durable.
    public internal(set) var journal: [SessionID: [RecordedEvent]] = [:]
    /// How often an engine died.
    public internal(set) var crashes = 0
    /// How often an append failed because another writer was first.
    public internal(set) var conflicts = 0
    /// How often an engine took up a session that another one had left.
    public internal(set) var takeovers = 0
    let faults: Faults
    let decider: SessionDecider
    var nodes: [Node]
    var generator: SplitMix64
    var agenda = Agenda()
    /// The engine that may run a session's effects.
    var leases: [SessionID: Int] = [:]
    /// The engine that ran a session's effects last.
    var lastHolders: [SessionID: Int] = [:]
    private var requestCount = 0

    /// One engine.
    struct Node: Sendable {
        var core: EngineCore
        var driver: any CoreDriver
        /// Counted up with each death: what was meant for an earlier life is lost.
        var life = 0
        /// Requests that wait for their answer.
        var waiting: Set<Int> = []
    }

    /// A world from a seed.
    ///
    /// - Parameters:
    ///   - decider: The rules.
    ///   - faults: What goes wrong, and how often.
    ///   - nodes: How many engines share the journal.
    ///   - seed: Where all chance comes from.
    ///   - driver: What stands between the world and each core.
    public init(
        decider: SessionDecider,
        faults: Faults = Faults(),
        nodes: Int = 1,
        seed: UInt64,
        driver: any CoreDriver = FaithfulDriver()
    ) {
        self.decider = decider
        self.faults = faults
        generator = SplitMix64(seed: seed)
        self.nodes = (0..<max(1, nodes)).map { node in
            Node(core: EngineCore(decider: decider, seed: seed &+ UInt64(node)), driver: driver)
        }
        provider.isCareless = faults.isProviderCareless
    }

    /// Takes in a session whose payer behaves like this.
    @discardableResult
    public mutating func open(
        payer: SimulatedProvider.Payer,
        authentication: SimulatedProvider.Authentication,
        paysWith preferences: [Preference]
    ) -> SessionID {
        let session = SessionID(at: now, random: (generator.next(), generator.next()))
        provider.create(session, payer: payer, authentication: authentication)
        let opened = Opened(
            sessionURL: Sealed(named: "session-\(session)"),
            host: "psp.example",
            userAgent: "simulated",
            preferences: preferences
        )
        let node = anyNode()
        give(.loaded(SessionState(session: session), isWatched: true), to: node)
        request(.command(.open(opened)), of: session, at: node)
        return session
    }

    /// Gives an engine a command or report.
    public mutating func request(_ input: SessionInput, of session: SessionID, at node: Int = 0) {
        requestCount += 1
        nodes[node].waiting.insert(requestCount)
        give(.request(session, input, number: requestCount, cause: "simulated"), to: node)
    }

    /// How many commands and reports were never answered.
    public var unanswered: Int { nodes.map(\.waiting.count).reduce(0, +) }

    /// The session's state as the durable log tells it.
    public func state(of session: SessionID) -> SessionState {
        .folding(journal[session] ?? [], of: session)
    }

    /// Lets time pass until nothing is left to happen, a bound of steps is reached or a guarantee is broken.
    ///
    /// - Returns: How many steps were made.
    @discardableResult
    public mutating func run(
        for duration: Duration = .seconds(3600),
        steps limit: Int = 20_000
    ) -> Int {
        let end = now + duration
        var steps = 0
        while steps < limit, ledger.violations.isEmpty, let next = agenda.next(by: end) {
            now = max(now, next.time)
            if chance(faults.crash) { crash(Int(generator.next() % UInt64(nodes.count))) }
            happen(next)
            steps += 1
        }
        return steps
    }

    private mutating func happen(_ entry: Agenda.Entry) {
        let isAlive = nodes[entry.node].life == entry.life
        guard isAlive || entry.survivesCrash else { return }
        let node = entry.node
        switch entry.what {
        case .commit(let append): commit(append, by: node)
        case .arrive(let session, let call): arrive(call, of: session, from: node, isAlive)
        case .answer(let session, let effect, let outcome):
            ledger.ended(effect, of: session)
            give(.answered(session, effect, outcome, durationMilliseconds: 50), to: node)
        case .wake: give(.timeCame, to: node)
        case .lease(let session): lease(session, to: node)
        case .load(let session): load(session, at: node)
        case .news(let session): give(.storeChanged(session), to: node)
        case .unwatch(let session): give(.watched(session, false), to: node)
        case .adopt(let session): adopt(session, at: node)
        case .act(let session, let action): clientActs(on: action, of: session)
        }
    }

    // MARK: What a core wants

    mutating func give(_ input: EngineInput, to node: Int) {
        var driver = nodes[node].driver
        let actions = driver.handle(input, at: now, in: &nodes[node].core)
        nodes[node].driver = driver
        for action in actions { perform(action, for: node) }
    }

    private mutating func perform(_ action: EngineAction, for node: Int) {
        switch action {
        case .append(let append): schedule(.commit(append), for: node, within: 1...20)
        case .perform(let session, let call):
            if leases[session] != node {
                ledger.report("oneWriter", "\(session) was worked on without its lease")
            }
            ledger.leaves(
                call,
                of: session,
                durable: journal[session] ?? [],
                at: now,
                shortestPause: .milliseconds(250)
            )
            schedule(.arrive(session, call), for: node, within: 1...200, survivesCrash: true)
        case .cancel(let session, let effect): ledger.ended(effect, of: session)
        case .acquireLease(let session): schedule(.lease(session), for: node, within: 0...2)
        case .releaseLease(let session):
            if leases[session] == node { leases[session] = nil }
        case .load(let session, _): schedule(.load(session), for: node, within: 1...5)
        case .wake(let time):
            if let time { agenda.add(.wake, at: max(time, now), node, nodes[node].life) }
        case .publish(let state, _): published(state, by: node)
        case .reply(let number, let result): replied(number, result, by: node)
        case .report: break
        case .park(let session):
            adoptLater(session)
        }
    }

    // MARK: Chance and time

    mutating func chance(_ thousandths: Int) -> Bool {
        thousandths > 0 && Int(generator.next() % 1000) < thousandths
    }

    mutating func anyNode() -> Int {
        nodes.count == 1 ? 0 : Int(generator.next() % UInt64(nodes.count))
    }

    mutating func schedule(
        _ what: Agenda.What,
        for node: Int,
        within milliseconds: ClosedRange<Int64>,
        survivesCrash: Bool = false
    ) {
        let span = UInt64(milliseconds.upperBound - milliseconds.lowerBound + 1)
        let pause = milliseconds.lowerBound + Int64(generator.next() % span)
        agenda.add(
            what,
            at: now + .milliseconds(pause),
            node,
            nodes[node].life,
            survivesCrash: survivesCrash
        )
    }

    /// Something that any engine may do, whichever is alive then.
    mutating func schedule(_ what: Agenda.What, at time: Instant) {
        let node = anyNode()
        agenda.add(what, at: time, node, nodes[node].life, survivesCrash: true)
    }
}
