public import Workflow

extension SimulatedWorld {
    /// How often things go wrong, in thousandths.
    public struct Faults: Hashable, Sendable {
        /// A request is lost before the PSP sees it.
        public var requestLost = 0
        /// The PSP processes a request and its answer is lost.
        public var answerLost = 0
        /// An answer comes a second time, later.
        public var answerTwice = 0
        /// The PSP answers with 503 and processes nothing.
        public var unavailable = 0
        /// The PSP processes a request and answers with 500.
        public var failsAfterProcessing = 0
        /// An answer is empty or can't be read.
        public var unusableAnswer = 0
        /// An append fails and is not durable.
        public var appendFails = 0
        /// An append is durable, and the engine is told that it failed.
        public var commitUnacknowledged = 0
        /// An engine dies before something happens.
        public var crash = 0
        /// The client reports late, twice or wrongly.
        public var clumsyClient = 0
        /// A report comes in through another process that writes to the same log.
        public var otherWriter = 0
        /// An engine lets go of a session that it has just worked on, although something may be due later.
        public var letGo = 0
        /// The PSP takes every request to start an attempt, also a second one for the same.
        public var isProviderCareless = false

        /// A calm world.
        public init() {}
    }
}

/// Stands between a simulated world and an engine core, so that a test can show what a broken engine leads to.
public protocol CoreDriver: Sendable {
    /// Gives a core an input and says what is to be done.
    mutating func handle(
        _ input: EngineInput,
        at now: Instant,
        in core: inout EngineCore
    ) -> [EngineAction]
}

/// Changes nothing: the engine as it is.
public struct FaithfulDriver: CoreDriver {
    /// A driver that changes nothing.
    public init() {}

    /// Gives the core the input.
    public mutating func handle(
        _ input: EngineInput,
        at now: Instant,
        in core: inout EngineCore
    ) -> [EngineAction] {
        core.handle(input, at: now)
    }
}
