public import EventLog
internal import Logging

/// The engine: it drives the sessions of a workflow and says how they go.
///
/// A thin shell: it carries inputs and actions between the deterministic core and the ports. Everything durable is
/// in the store; a session is in memory only while it moves or somebody listens.
///
/// - Note: Isolation: an actor that runs on the executor it is given, so that the compiler checks that nothing else
///   touches what is bound to that executor's thread.
public actor Engine<Rules: WorkflowRules> {
    /// A serial executor that tasks may prefer, too: the event loop.
    public typealias Executor = any (SerialExecutor & TaskExecutor)
    /// What can go wrong with a call.
    public typealias Failure = EngineFailure<Rules.Rejection>

    package nonisolated let executor: Executor
    nonisolated let store: any EventStore
    nonisolated let port: any RequestPort<Rules>
    nonisolated let vault: any KeyVault
    nonisolated let clock: any EngineClock
    package nonisolated let random: any RandomSource
    nonisolated let hooks: EngineHooks<Rules>
    /// How this engine is configured.
    public nonisolated let configuration: EngineConfiguration
    /// The rules that this engine decides by.
    public nonisolated let rules: Rules

    var core: EngineCore<Rules>
    var sessions: [SessionID: SessionResources<Rules>] = [:]
    var replies: [Int: CheckedContinuation<RequestResult<Rules>, Never>] = [:]
    var requestCount = 0
    var requests: [RequestKey: RequestUnderWay] = [:]
    var leaseWork: [SessionID: LeaseWork] = [:]
    var wake: Task<Void, Never>?
    var housekeeping: [Task<Void, Never>] = []
    var loading: [SessionID: Loading] = [:]
    var stopped: Task<Void, Never>?
    /// Due sessions that could not be taken up lately.
    var unadoptable: Set<SessionID> = []
    var isStopping = false
    var pendingAppends = 0
    /// Who is told of sessions that go on; nobody waits for them.
    var observers: [@Sendable (SessionID) async -> Void] = []
    let log = Logger(label: "payment-workflow.engine")

    /// Runs on the event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// An engine on an event loop, with its ports.
    ///
    /// - Parameters:
    ///   - configuration: Bounds, schedule, identity.
    ///   - rules: The workflow.
    ///   - store: Where logs are kept.
    ///   - port: The way to the outside.
    ///   - vault: Where data keys come from.
    ///   - clock: The time.
    ///   - random: Where identities, nonces and the jitter's seed come from.
    ///   - hooks: What the workflow does beside its sessions.
    ///   - executor: The loop to run on; it must outlive the engine.
    public init(
        configuration: EngineConfiguration,
        rules: Rules,
        store: any EventStore,
        port: any RequestPort<Rules>,
        vault: any KeyVault,
        clock: any EngineClock,
        random: any RandomSource,
        hooks: EngineHooks<Rules> = EngineHooks(),
        executor: Executor
    ) {
        self.configuration = configuration
        self.rules = rules
        self.store = store
        self.port = port
        self.vault = vault
        self.clock = clock
        self.random = random
        self.hooks = hooks
        self.executor = executor
        core = EngineCore(
            rules: rules,
            schedule: configuration.retrySchedule,
            limits: configuration.engineLimits,
            seed: random.next()
        )
    }

    /// Looks for what other processes append, and for sessions with something due, until the engine stops.
    public func start() {
        guard housekeeping.isEmpty, !isStopping else { return }
        housekeeping.append(spawn { await $0.followNews() })
        if configuration.adoptionInterval != nil {
            housekeeping.append(spawn { await $0.adoptDueSessions() })
        }
    }

    /// Stops: takes nothing new, lets requests that change something finish for a while, abandons the rest safely.
    ///
    /// What was abandoned is found in the log by the next engine, which reads the session before it does anything.
    /// Cancelling the caller does not hurry it; a second call waits for the first.
    public func shutdown() async {
        if stopped == nil {
            isStopping = true
            stopped = Task(executorPreference: executor) { await self.stop() }
        }
        await stopped?.value
    }

    private func stop() async {
        let underWay = requests.values.map(\.task)
        handle(.stopping)
        for task in housekeeping { task.cancel() }
        wake?.cancel()
        let deadline = clock.now() + configuration.shutdownGrace
        while pendingAppends > 0 || requests.values.contains(where: { !$0.onlyReads }),
            clock.now() < deadline
        {
            await clock.sleep(until: clock.now() + Self.shutdownPause)
        }
        let abandoned = underWay + requests.values.map(\.task)
        for request in requests.values { request.task.cancel() }
        for task in abandoned { await task.value }
        for task in housekeeping { await task.value }
        for load in loading.values.map(\.task) { _ = await load.value }
        // That a request was abandoned is worth a record, too; it is short work unless the store hangs.
        let lastRecord = clock.now() + Self.lastRecordGrace
        while pendingAppends > 0, clock.now() < lastRecord {
            await clock.sleep(until: clock.now() + Self.shutdownPause)
        }
        for (_, resources) in sessions { resources.finishListeners() }
        repeat {
            while let work = leaseWork.values.first { await work.task.value }
            await store.releaseLeases(on: sessions.keys.sorted())
            // A listener that has just ended may have let go of its session meanwhile.
        } while !leaseWork.isEmpty
        sessions.removeAll()
        // Only those are left whose events the store has not confirmed: they may be durable or not.
        for reply in replies.values { reply.resume(returning: .failed(.closed)) }
        replies.removeAll()
    }

    /// The pause between two looks whether the last requests have come to an end.
    static var shutdownPause: Duration { .milliseconds(10) }
    /// How long a shutdown waits for the records of what it abandoned.
    static var lastRecordGrace: Duration { .seconds(1) }

    /// Starts work of the engine on its loop.
    func spawn(
        _ work: @escaping @Sendable (Engine<Rules>) async -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) { [weak self] in
            guard let self else { return }
            await work(self)
        }
    }

    /// A request under way; the number tells it from an earlier one of the same identity that was cancelled.
    struct RequestUnderWay {
        var number: Int
        var onlyReads: Bool
        var task: Task<Void, Never>
    }

    /// A session that is being brought into memory, and how many wait for it.
    struct Loading {
        var task: Task<Result<Void, Failure>, Never>
        var waiters: Int
    }

    /// The newest work on a session's lease; the number tells it from what came before.
    struct LeaseWork {
        var number: Int
        var task: Task<Void, Never>
    }

    /// What a request under way is found by.
    struct RequestKey: Hashable {
        var session: SessionID
        var effect: EffectID
    }
}
