public import EventLog
internal import Logging
public import Workflow

/// Reports what happened in sessions to the PSP through `event-logging`: a worker separate from the
/// engine.
///
/// It reads the log in the store and never the engine's memory, sends its own requests, and the
/// engine never waits for it: a PSP that hangs delays this worker and no payment. The messages of
/// each session are sent one after the other, in log order, at least once. The progress is kept in
/// the store, so that another process continues where this one stopped. Without a worker nothing is
/// sent; that is the default.
///
/// - Note: Isolation: an actor on the event loop.
/// - Note: Source: event logging, recommended design.
public actor EventLogger {
    /// The consumer name under which the store keeps the progress.
    public static let consumer = "event-logging"

    nonisolated let executor: PaymentEngine.Executor
    nonisolated let options: EventLoggingOptions
    nonisolated let store: any DeliveryStore
    nonisolated let vault: any KeyVault
    nonisolated let sender: any BeaconSender
    nonisolated let clock: any EngineClock
    nonisolated let worker: Int64
    nonisolated let log = Logger(label: "payment-workflow.event-logging")

    /// The sessions being processed.
    var sessions: [SessionID: Work] = [:]
    /// Sessions that wait for their turn, in order.
    var waiting: [SessionID] = []
    /// The waiting sessions, unordered: thousands may wait, and each event requires a look-up.
    var queued: Set<SessionID> = []
    /// Sessions without anything to send, or that could not be read.
    var idle: [SessionID: Rest] = [:]
    /// The number of requests in flight, and the tasks that wait for one to end.
    var requests = 0
    var turns: [CheckedContinuation<Void, Never>] = []
    /// Changes for the store, which are written together.
    var changes: [PendingChange] = []
    var writing: Task<Void, Never>?
    var scanning: Task<Void, Never>?
    var isStopping = false

    /// The processing of one session.
    struct Work {
        var task: Task<Void, Never>
        /// Whether the log has grown since it was read.
        var hasChanges = false
        /// Whether nothing is to be done before a future time.
        var isPausing = false
        /// Whether the store or the vault failed.
        var isUnread = false
    }

    /// A time in which scans of the store leave out a session.
    struct Rest: Hashable {
        /// The end of that time.
        var until: Instant
        /// The number of times in succession that the session could not be read.
        var failures: Int
    }

    /// A change being written to the store, and the task that waits for it.
    struct PendingChange {
        var change: DeliveryChange
        var reply: CheckedContinuation<DeliveryProgress?, Never>
    }

    /// The event loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Creates a worker on an event loop, with its ports; the store is the engine's, the sender has
    /// its own connections.
    ///
    /// - Parameters:
    ///   - options: Limits and pauses.
    ///   - store: Where logs and progress are kept.
    ///   - vault: The source of data keys, needed because the address to send to is sealed.
    ///   - sender: Sends messages to the PSP.
    ///   - clock: The source of the time.
    ///   - random: The source of the worker's number.
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

    /// Scans the store at intervals for sessions with messages to send, until the worker stops.
    public func start() {
        guard scanning == nil, !isStopping else { return }
        scanning = spawn { logger in
            while !Task.isCancelled {
                await logger.catchUp()
                await logger.clock.sleep(until: logger.clock.now() + logger.options.scanInterval)
            }
        }
    }

    /// Announces that the log of a session has grown.
    public func notice(_ session: SessionID) {
        guard !isStopping else { return }
        if sessions[session] != nil {
            sessions[session]?.hasChanges = true
        } else if sessions.count < options.sessionsAtOnce {
            begin(session)
        } else if waiting.count < options.waitingSessions, queued.insert(session).inserted {
            waiting.append(session)
        }
    }

    /// Starts to process what earlier processes left, as far as there is room.
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
            let found: [SessionID]
            do {
                found = try await store.sessionsUndelivered(matching: query)
            } catch {
                log.warning(
                    "the sessions for client telemetry could not be listed",
                    metadata: ["code": "\(error.code)"]
                )
                return
            }
            for session in found where (idle[session]?.until ?? now) <= now { notice(session) }
            last = found.last
            if found.count < options.scanBatch || waiting.count >= options.waitingSessions {
                return
            }
        }
    }

    /// Waits until every message that can be sent now has been sent, for a limited time.
    ///
    /// It does not wait for a session whose messages wait for their next try.
    public func flush(within limit: Duration) async {
        let deadline = clock.now() + limit
        while clock.now() < deadline,
            !waiting.isEmpty || sessions.values.contains(where: { !$0.isPausing })
        {
            await clock.sleep(until: min(deadline, clock.now() + Self.flushPause))
        }
    }

    /// The pause between two checks for whether everything was sent.
    static let flushPause: Duration = .milliseconds(5)

    /// Stops the worker: aborts what is in progress and releases the sessions, which the next
    /// worker takes over.
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
