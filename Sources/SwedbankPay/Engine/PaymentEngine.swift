public import EventLog
internal import Logging

/// The engine: it opens payment sessions, drives them, and tells how they go.
///
/// A thin shell: it carries inputs and actions between the deterministic core and the ports. Everything durable is
/// in the store; a session is in memory only while it moves or somebody listens.
///
/// - Note: Isolation: an actor that runs on the executor it is given, so that the compiler checks that nothing else
///   touches what is bound to that executor's thread.
public actor PaymentEngine {
    /// A serial executor that tasks may prefer, too: the event loop.
    public typealias Executor = any (SerialExecutor & TaskExecutor)

    nonisolated let executor: Executor
    nonisolated let store: any EventStore
    nonisolated let provider: any PaymentProvider
    nonisolated let vault: any KeyVault
    nonisolated let clock: any EngineClock
    nonisolated let random: any RandomSource
    /// How this engine is configured.
    public nonisolated let configuration: EngineConfiguration
    /// The rules that this engine decides by.
    public nonisolated let decider: SessionDecider

    var core: EngineCore
    var sessions: [SessionID: SessionResources] = [:]
    var replies: [Int: CheckedContinuation<RequestResult, Never>] = [:]
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
    /// Who tells the PSP what happened, if anybody does.
    var eventLogger: EventLogger?
    let log = Logger(label: "payment-workflow.engine")

    /// Runs on the event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// An engine on an event loop, with its ports.
    ///
    /// - Parameters:
    ///   - configuration: Bounds, schedule, identity.
    ///   - catalogue: Who acts on which problem.
    ///   - store: Where logs are kept.
    ///   - provider: The way to the PSP.
    ///   - vault: Where data keys come from.
    ///   - clock: The time.
    ///   - random: Where identities, nonces and the jitter's seed come from.
    ///   - executor: The loop to run on; it must outlive the engine.
    public init(
        configuration: EngineConfiguration,
        catalogue: ProblemCatalogue,
        store: any EventStore,
        provider: any PaymentProvider,
        vault: any KeyVault,
        clock: any EngineClock,
        random: any RandomSource,
        executor: Executor
    ) {
        self.configuration = configuration
        self.store = store
        self.provider = provider
        self.vault = vault
        self.clock = clock
        self.random = random
        self.executor = executor
        var decider = SessionDecider(catalogue: catalogue, limits: configuration.sessionLimits)
        decider.addresses = configuration.clientAddresses
        self.decider = decider
        core = EngineCore(
            decider: decider,
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
        while pendingAppends > 0 || requests.keys.contains(where: { !$0.onlyReads }),
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
    static let shutdownPause: Duration = .milliseconds(10)
    /// How long a shutdown waits for the records of what it abandoned.
    static let lastRecordGrace: Duration = .seconds(1)

    /// Starts work of the engine on its loop.
    func spawn(
        _ work: @escaping @Sendable (PaymentEngine) async -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) { [weak self] in
            guard let self else { return }
            await work(self)
        }
    }

    /// A request under way; the number tells it from an earlier one of the same identity that was cancelled.
    struct RequestUnderWay {
        var number: Int
        var task: Task<Void, Never>
    }

    /// A session that is being brought into memory, and how many wait for it.
    struct Loading {
        var task: Task<Result<Void, EngineError>, Never>
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
        var onlyReads: Bool { effect.isReading }
    }
}

/// What the shell keeps of a session in memory, beside its state.
struct SessionResources {
    var head: StreamHead
    var keys: SessionKeys
    var secrets: SecretTable
    /// The wrapped data key, until the next append has taken it along: of a new session, and of one whose records had no MACs.
    var wrappedKey: [UInt8]?
    var addressFingerprint: Digest256?
    /// The records of the append under way, and where the stream ends after it.
    var appending: (records: [RecordedEvent], head: StreamHead)?
    /// Durable events that listeners have not been told of.
    var unpublished: [RecordedEvent] = []
    var listeners: [Int: AsyncStream<SessionUpdate>.Continuation] = [:]
    var watchers = 0

    func finishListeners() {
        for listener in listeners.values { listener.finish() }
    }
}
