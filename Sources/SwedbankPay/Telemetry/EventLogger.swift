public import EventLog
internal import Logging
public import Workflow

/// Tells the PSP what happened in sessions, by way of `event-logging`: a worker of its own beside the engine.
///
/// It reads the log that the store has and never the engine's memory, makes requests of its own, and is asked for
/// nothing by the engine: a PSP that hangs keeps it waiting and no payment. For each session messages leave one after
/// the other, in the order of the log, at least once; how far it has come is in the store, so that another process
/// goes on where this one ended. Without one, nothing is sent: that is the default.
///
/// - Note: Isolation: an actor on the event loop.
/// - Note: Source: event logging, recommended design.
public actor EventLogger {
    /// The name under which the store keeps how far the messages have got.
    public static let consumer = "event-logging"

    nonisolated let executor: PaymentEngine.Executor
    nonisolated let options: EventLoggingOptions
    nonisolated let store: any DeliveryStore
    nonisolated let vault: any KeyVault
    nonisolated let sender: any BeaconSender
    nonisolated let clock: any EngineClock
    nonisolated let worker: Int64
    nonisolated let log = Logger(label: "payment-workflow.event-logging")

    /// The sessions that are worked on.
    var sessions: [SessionID: Work] = [:]
    /// Sessions that wait for their turn, in order.
    var waiting: [SessionID] = []
    /// The same without order: thousands may wait, and each is looked for with every event.
    var queued: Set<SessionID> = []
    /// Sessions of which nothing could be told, and until when the store's list of them is not followed.
    var idle: [SessionID: Instant] = [:]
    /// How many requests are under way, and who waits for one to end.
    var requests = 0
    var turns: [CheckedContinuation<Void, Never>] = []
    /// Changes for the store, written together.
    var changes: [PendingChange] = []
    var writing: Task<Void, Never>?
    var scanning: Task<Void, Never>?
    var isStopping = false

    /// Work on one session.
    struct Work {
        var task: Task<Void, Never>
        /// Whether the log went on since it was read.
        var hasNews = false
        /// Whether nothing is to be done before a time that is yet to come.
        var isPausing = false
    }

    /// A change on its way into the store, and who waits for it.
    struct PendingChange {
        var change: DeliveryChange
        var reply: CheckedContinuation<DeliveryProgress?, Never>
    }

    /// Runs on the event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// A worker on an event loop, with its ports; the store is the engine's, the sender has its own connections.
    ///
    /// - Parameters:
    ///   - options: Bounds and pauses.
    ///   - store: Where logs and progress are kept.
    ///   - vault: Where data keys come from: the address to send to is sealed.
    ///   - sender: The way to the PSP.
    ///   - clock: The time.
    ///   - random: Where the worker's number comes from.
    ///   - executor: The loop to run on; it must outlive the worker.
    public init(
        options: EventLoggingOptions = EventLoggingOptions(),
        store: any DeliveryStore,
        vault: any KeyVault,
        sender: any BeaconSender,
        clock: any EngineClock,
        random: any RandomSource,
        executor: PaymentEngine.Executor
    ) {
        self.options = options
        self.store = store
        self.vault = vault
        self.sender = sender
        self.clock = clock
        self.executor = executor
        worker = Int64(bitPattern: random.next())
    }

    /// Looks through the store for sessions with something to tell, now and again, until the worker stops.
    public func start() {
        guard scanning == nil, !isStopping else { return }
        scanning = spawn { logger in
            while !Task.isCancelled {
                await logger.catchUp()
                await logger.clock.sleep(until: logger.clock.now() + logger.options.scanInterval)
            }
        }
    }

    /// The log of a session went on.
    public func notice(_ session: SessionID) {
        guard !isStopping else { return }
        if sessions[session] != nil {
            sessions[session]?.hasNews = true
        } else if sessions.count < options.sessionsAtOnce {
            begin(session)
        } else if waiting.count < options.waitingSessions, queued.insert(session).inserted {
            waiting.append(session)
        }
    }

    /// Takes up what earlier processes left, as far as there is room.
    public func catchUp() async {
        let now = clock.now()
        var last: SessionID?
        while !isStopping, !Task.isCancelled {
            let query = UndeliveredQuery(
                consumer: Self.consumer,
                openedSince: now + (.zero - options.scanReach),
                now: now,
                after: last,
                limit: options.scanBatch
            )
            guard let found = try? await store.sessionsUndelivered(matching: query) else { return }
            for session in found where (idle[session] ?? now) <= now { notice(session) }
            last = found.last
            if found.count < options.scanBatch || waiting.count >= options.waitingSessions {
                return
            }
        }
    }

    /// Waits until everything was told that can be told now, for some time at the most.
    ///
    /// A session whose messages wait for their next try is not waited for.
    public func flush(within limit: Duration) async {
        let deadline = clock.now() + limit
        while clock.now() < deadline,
            !waiting.isEmpty || sessions.values.contains(where: { !$0.isPausing })
        {
            await clock.sleep(until: min(deadline, clock.now() + Self.flushPause))
        }
    }

    /// The pause between two looks whether everything was told.
    static let flushPause: Duration = .milliseconds(5)

    /// Stops: aborts what is under way and lets go of the sessions, which the next worker goes on with.
    public func shutdown() async {
        isStopping = true
        scanning?.cancel()
        waiting.removeAll()
        queued.removeAll()
        let works = sessions.values.map(\.task)
        for work in works { work.cancel() }
        for turn in turns { turn.resume() }
        turns.removeAll()
        await scanning?.value
        for work in works { await work.value }
        await writing?.value
    }

    func begin(_ session: SessionID) {
        sessions[session] = Work(task: spawn { await $0.work(on: session) })
    }

    func spawn(_ work: @escaping @Sendable (EventLogger) async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { [weak self] in
            guard let self else { return }
            await work(self)
        }
    }
}
