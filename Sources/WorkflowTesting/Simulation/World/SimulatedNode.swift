import EventLog
import SwedbankPay
import Workflow

extension SimulatedWorld {
    /// One engine, with the environment of its core.
    struct Node: Sendable {
        var core: EngineCore<Scenario.Rules>
        var driver: any CoreDriver<Scenario.Rules>
        var hosts: HostGuard
        /// Incremented with each crash: what was scheduled for an earlier life is dropped.
        var life = 0
        /// Commands and reports that wait for their reply.
        var waiting: [Int: Waiting] = [:]
        /// The newest request of each identity.
        var requests: [RequestKey: SimulatedExchange<Scenario.Rules>] = [:]
        /// Writes that have started, by the session's number: at most one per session.
        var writes: [Int: PendingWrite<Scenario.Rules>] = [:]
        /// What it knows of what others append, in small pages.
        var following = Following(batch: 3)
        /// Whether it looks for news soon.
        var expectsNews = false
        /// The sessions whose logs it is reading, by their numbers.
        var loading: Set<Int> = []
        /// The number of the newest wake-up requested by the core.
        var wakeNumber = 0
        /// How far its clock is ahead of the world's, in microseconds.
        var clockError: Int64 = 0
        /// The number of jumps of its clock.
        var jumps = 0
        /// The current fault.
        var trouble: Trouble?
        /// Incremented with each fault.
        var troubles = 0
        /// Sessions whose lease expired while it was stopped.
        var lostLeases: [Int] = []
        /// Sessions whose lease expired without notice: the engine finds out when an operation is
        /// refused.
        var unawareOf: Set<Int> = []
    }

    /// A command or report that waits for its reply.
    struct Waiting: Sendable {
        var session: Int
        var input: Scenario.Rules.Input
        var tries: Int
    }

    struct RequestKey: Hashable, Sendable {
        var session: Int
        var effect: EffectID
    }

    /// A transient fault of an engine.
    enum Trouble: Sendable {
        case paused(until: Instant)
        case cutFromProvider
        case cutFromStore
    }

    /// The world's data about a session besides its log.
    struct Resident: Sendable {
        let id: SessionID
        /// The engine that holds the lease.
        var lease: Int?
        /// The engine that held the lease last.
        var lastHolder: Int?
        /// The engine that its client is connected to.
        var home: Int?
        /// The client's first input, which requires no known session.
        var opening: Scenario.Rules.Input
        /// Requests that change something and have not reached the other side.
        var onTheWay: [Int: Scenario.Rules.Request] = [:]
        /// The last sequence number that was published to the client.
        var notified: SequenceNumber = 0
        /// When any engine takes the session up, if that is planned.
        var adoption: Instant?
    }
}

extension SimulatedWorld.Node {
    var isPaused: Bool { if case .paused = trouble { true } else { false } }
    var isCutFromProvider: Bool { if case .cutFromProvider = trouble { true } else { false } }
    var isCutFromStore: Bool { if case .cutFromStore = trouble { true } else { false } }
}
