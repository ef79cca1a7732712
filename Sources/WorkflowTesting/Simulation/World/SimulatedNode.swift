import EventLog
import SwedbankPay
import Workflow

extension SimulatedWorld {
    /// One engine, with what stands around its core.
    struct Node: Sendable {
        var core: EngineCore<Scenario.Rules>
        var driver: any CoreDriver<Scenario.Rules>
        var hosts: HostGuard
        /// Counted up with each death: what was meant for an earlier life is lost.
        var life = 0
        /// Commands and reports that wait for their answer.
        var waiting: [Int: Waiting] = [:]
        /// The newest request of each identity.
        var requests: [RequestKey: SimulatedExchange<Scenario.Rules>] = [:]
        /// Writes that have begun, by the session's number: one a session at the most.
        var writes: [Int: PendingWrite<Scenario.Rules>] = [:]
        /// The newest time that the core asked for.
        var wakeNumber = 0
        /// How far its clock is ahead of the world's, in microseconds.
        var clockError: Int64 = 0
        /// How often its clock has jumped.
        var jumps = 0
        /// What it suffers from.
        var trouble: Trouble?
        /// Counted up with each trouble.
        var troubles = 0
        /// Sessions whose lease ran out while it stood still.
        var lostLeases: [Int] = []
        /// Sessions whose lease ran out, which nobody tells it of: it finds out by what it is not allowed to do.
        var unawareOf: Set<Int> = []
    }

    /// A command or report on its way.
    struct Waiting: Sendable {
        var session: Int
        var input: Scenario.Rules.Input
        var tries: Int
    }

    /// What a request is found by.
    struct RequestKey: Hashable, Sendable {
        var session: Int
        var effect: EffectID
    }

    /// What an engine may suffer from for a while.
    enum Trouble: Sendable {
        case paused(until: Instant)
        case cutFromProvider
        case cutFromStore
    }

    /// What the world keeps of a session, beside its log.
    struct Resident: Sendable {
        let id: SessionID
        /// The engine that may run its effects.
        var lease: Int?
        /// The engine that ran its effects last.
        var lastHolder: Int?
        /// The engine that its client talks to.
        var home: Int?
        /// What its client gave first: it needs no session that is known already.
        var opening: Scenario.Rules.Input
        /// Requests that change something and have not reached the other side.
        var onTheWay: [Int: Scenario.Rules.Call] = [:]
        /// How far the client was told.
        var told: Int64 = 0
        /// When it is taken up by any engine, if that is planned.
        var adoption: Instant?
    }
}

extension SimulatedWorld.Node {
    var isPaused: Bool { if case .paused = trouble { true } else { false } }
    var isCutFromProvider: Bool { if case .cutFromProvider = trouble { true } else { false } }
    var isCutFromStore: Bool { if case .cutFromStore = trouble { true } else { false } }
}
