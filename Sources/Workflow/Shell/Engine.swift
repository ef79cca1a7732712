internal import CoreMetrics
public import EventLog
internal import Logging

/// The engine: drives the sessions of a workflow and publishes their progress.
///
/// It is a thin shell that carries inputs and actions between the deterministic core and the ports.
/// Everything durable is in the store; a session is in memory only while it has something to do or
/// has listeners.
///
/// - Note: Isolation: an actor that runs on the executor it is given, so that the compiler checks
///   that nothing else accesses what is bound to that executor's thread.
public actor Engine<Rules: WorkflowRules> {
    /// A serial executor that tasks can also prefer: the event loop.
    public typealias Executor = any (SerialExecutor & TaskExecutor)
    /// An error of a call.
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
    /// The rules that this engine applies.
    public nonisolated let rules: Rules

    private var core: EngineCore<Rules>
    private var sessions: [SessionID: SessionResources<Rules>] = [:]
    private var loading: [SessionID: Loading] = [:]
    /// The callers that wait for the result of a request, keyed by the request's number.
    private var replies: [Int: CheckedContinuation<RequestResult<Rules>, Never>] = [:]
    private var requests: [RequestKey: RequestUnderWay] = [:]
    private var leaseWork: [SessionID: LeaseWork] = [:]
    /// The last number assigned to a request, a listener or work on leases.
    private var lastNumber = 0
    private var pendingAppends = 0
    /// Which due sessions are taken up.
    private var adopting: Adoption
    /// Observers that are called with each session that changes; the engine does not wait for them.
    private var observers: [@Sendable (SessionID) async -> Void] = []
    private var wake: Task<Void, Never>?
    private var housekeeping: [Task<Void, Never>] = []
    private var stopped: Task<Void, Never>?
    private var isStopping = false
    /// Whether the store failed on the last query for new records, due sessions or surplus leases.
    private var isStoreFailing = false
    private let log = Logger(label: "payment-workflow.engine")
    /// From the beginning, so that it is 0 before anything happens.
    private let appendFailures = Counter(label: "payment_workflow_append_failures_total")

    /// The event loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Creates an engine on an event loop, with its ports.
    ///
    /// - Parameters:
    ///   - configuration: Limits, schedule and identity.
    ///   - rules: The workflow.
    ///   - store: Where logs are kept.
    ///   - port: Performs requests to the outside.
    ///   - vault: The source of data keys.
    ///   - clock: The source of the time.
    ///   - random: The source of identifiers, nonces and the jitter's seed.
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
        adopting = Adoption(batch: configuration.adoptionBatch)
        core = EngineCore(
            rules: rules,
            schedule: configuration.retrySchedule,
            limits: configuration.engineLimits,
            seed: random.next()
        )
    }

    /// Runs until the task is canceled or ``shutdown()`` is called: follows what other processes
    /// append, adopts sessions with something due, then shuts down.
    ///
    /// Commands are accepted before it runs, too, but only a running engine resumes what a crash
    /// interrupted and notices what other processes do. It runs once: a second call waits until the
    /// engine has stopped.
    public func run() async {
        if housekeeping.isEmpty, !isStopping {
            housekeeping.append(spawn { await $0.followChanges() })
            if configuration.adoptionInterval != nil {
                housekeeping.append(spawn { await $0.adoptDueSessions() })
            }
        }
        await withTaskCancellationHandler {
            for task in housekeeping { await task.value }
        } onCancel: {
            Task(executorPreference: executor) { await self.shutdown() }
        }
        await shutdown()
    }

    /// Stops the engine: refuses new calls, waits a limited time for requests that change
    /// something, and safely abandons the rest.
    ///
    /// The next engine finds the abandoned requests in the log and reads the session before it does
    /// anything. Canceling the caller does not speed this up; a second call waits for the first.
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
        // Also wait for the records of abandoned requests, which is quick unless the store hangs.
        let lastRecord = clock.now() + Self.lastRecordGrace
        while pendingAppends > 0, clock.now() < lastRecord {
            await clock.sleep(until: clock.now() + Self.shutdownPause)
        }
        for (_, resources) in sessions { resources.finishListeners() }
        repeat {
            while let work = leaseWork.values.first { await work.task.value }
            await store.releaseLeases(on: sessions.keys.sorted())
            // A listener that has just ended may have released its session in the meantime.
        } while !leaseWork.isEmpty
        sessions.removeAll()
        // The remaining callers are those whose events the store has not confirmed: they may or may
        // not be durable.
        for reply in replies.values { reply.resume(returning: .failed(.closed)) }
        replies.removeAll()
    }

    /// The pause between two checks for whether the last requests have ended.
    private static var shutdownPause: Duration { .milliseconds(10) }
    /// How long a shutdown waits until the failures of the requests that it abandoned are recorded.
    private static var lastRecordGrace: Duration { .seconds(1) }
}

// MARK: - Work in progress

extension Engine {
    /// The number of sessions that the shell has in memory.
    package var sessionCount: Int { sessions.count }

    /// The number of sessions that the core has in memory.
    package var coreSessionCount: Int { core.sessionCount }

    /// The number of requests, loads and lease operations in progress.
    package var workCount: Int { requests.count + loading.count + leaseWork.count }

    /// How many appends, loads and pieces of work on leases are under way: what needs time on a
    /// disk, and none on a clock.
    package var storeWorkCount: Int { pendingAppends + loading.count + leaseWork.count }

    /// Whether a session is in memory.
    package func holds(_ session: SessionID) -> Bool { sessions[session] != nil }

    /// The number of listeners of a session.
    package func listenerCount(of session: SessionID) -> Int {
        sessions[session]?.listeners.count ?? 0
    }
}

// MARK: - Opening and driving sessions

extension Engine {
    /// Opens a session: when this returns, its first input has been decided and the resulting
    /// events are durable.
    ///
    /// If several engines open a session with the same address at the same time, one creates it and
    /// the others get that one: the store decides this together with the first event.
    ///
    /// - Parameters:
    ///   - address: The address by which the session can be found again; `nil` for a session
    ///     without one.
    ///   - cause: The cause that the log records.
    ///   - input: Creates the first input, and seals its secrets.
    /// - Returns: The session, and whether it already existed.
    /// - Throws: The failure; nothing was recorded then, unless the store's error says otherwise.
    public func open(
        address: String?,
        cause: String,
        _ input: @Sendable (inout SecretTable, SessionKeys) -> Rules.Input
    ) async throws(Failure) -> AddressOpening {
        guard !isStopping else { throw .stopping }
        let address = address.map(Rules.State.identity(ofAddress:))
        try checkRoom()
        try await Failure.stored { () throws(EventStoreError) in try await store.confirmLiving() }
        let session = SessionID(at: clock.now(), cell: 0, random: random.next())
        let made: (keys: SessionKeys, wrapped: [UInt8])
        var fingerprint: Digest256?
        do {
            made = try await vault.makeKeys(for: session)
            if let address { fingerprint = try await vault.addressFingerprint(of: address) }
        } catch {
            throw .vault(error)
        }
        // While a master key is being replaced, known addresses may have the fingerprint under the
        // previous one.
        if let address, let known = try await sessionOfFormerAddress(address) {
            return try await confirm(known, has: address)
        }
        // Other sessions may have been loaded while the keys were created.
        try checkRoom()
        var secrets = SecretTable()
        let first = input(&secrets, made.keys)
        sessions[session] = SessionResources(
            head: .empty,
            keys: made.keys,
            secrets: secrets,
            wrappedKey: made.wrapped,
            addressFingerprint: fingerprint,
            watchers: 1
        )
        handle(.loaded(Rules.State(session: session), isWatched: true))
        defer { unwatch(session) }
        do throws(Failure) {
            _ = try await request(first, of: session, cause: cause)
            return AddressOpening(session: session, wasKnown: false)
        } catch .store(.addressTaken(let known)) {
            guard let address else { throw .store(.addressTaken(by: known)) }
            return try await confirm(known, has: address)
        }
    }

    /// Checks that a session which the index found by an address has that address in its own log.
    ///
    /// The index is not authentic; a log that is loaded is.
    private func confirm(
        _ session: SessionID,
        has address: String
    ) async throws(Failure) -> AddressOpening {
        try await watch(session)
        defer { unwatch(session) }
        let recorded = core.held(session)?.state.address.flatMap { sessions[session]?.secrets[$0] }
        guard recorded.map(Rules.State.identity(ofAddress:)) == address else {
            throw .misfiled(session)
        }
        return AddressOpening(session: session, wasKnown: true)
    }

    private func sessionOfFormerAddress(_ address: String) async throws(Failure) -> SessionID? {
        let former: [Digest256]
        do {
            former = try await vault.formerAddressFingerprints(of: address)
        } catch {
            throw .vault(error)
        }
        for fingerprint in former {
            let known = try await Failure.stored { () throws(EventStoreError) in
                try await store.session(ofAddress: fingerprint)
            }
            if let known { return known }
        }
        return nil
    }

    /// Applies an input to a session and waits until the resulting events are durable.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - cause: The cause that the log records.
    ///   - input: Creates the input from the current state, and seals its secrets.
    /// - Returns: The state afterwards.
    /// - Throws: ``EngineFailure`` when the input was rejected or could not be recorded.
    @discardableResult
    public func drive(
        _ session: SessionID,
        cause: String,
        _ input: @Sendable (inout SecretTable, SessionKeys, Rules.State) -> Rules.Input
    ) async throws(Failure) -> Rules.State {
        try await watch(session)
        defer { unwatch(session) }
        guard let keys = sessions[session]?.keys, let held = core.held(session) else {
            throw .unknownSession(session)
        }
        var secrets = SecretTable()
        let input = input(&secrets, keys, held.state)
        sessions[session]?.secrets.merge(secrets)
        return try await request(input, of: session, cause: cause)
    }

    /// Resumes a session: whatever is due is done.
    package func wake(_ session: SessionID) async throws(Failure) -> Rules.State {
        try await drive(session, cause: "command.resume") { _, _, _ in .resumed }
    }

    private func request(
        _ input: Rules.Input,
        of session: SessionID,
        cause: String
    ) async throws(Failure) -> Rules.State {
        let number = nextNumber()
        let result = await withCheckedContinuation { continuation in
            replies[number] = continuation
            handle(.command(session, input, number: number, cause: cause))
        }
        switch result {
        case .accepted(let state): return state
        case .rejected(let rejection): throw .rejected(rejection)
        case .failed(let error): throw .store(error)
        case .overloaded: throw .overloaded(.queuedInputs)
        case .stopping: throw .stopping
        }
    }
}

// MARK: - Subscriptions

extension Engine {
    /// The session's updates, beginning with its current state; the engine keeps the session in
    /// memory meanwhile.
    ///
    /// The stream ends when the engine stops, when the session is erased, or when the loop over it
    /// is left.
    ///
    /// - Throws: ``EngineFailure`` when the session does not exist or can't be loaded, or
    ///   ``EngineFailure/overloaded(_:)`` when it already has the maximum number of listeners
    ///   (``EngineLimits/listeners``).
    public func updates(
        of session: SessionID
    ) async throws(Failure) -> AsyncStream<EngineUpdate<Rules>> {
        try await watch(session)
        guard let listeners = sessions[session]?.listeners.count,
            listeners < configuration.engineLimits.listeners
        else {
            unwatch(session)
            throw .overloaded(.listeners)
        }
        let number = nextNumber()
        let (stream, continuation) = AsyncStream.makeStream(
            of: EngineUpdate<Rules>.self,
            bufferingPolicy: .bufferingNewest(Self.updateBuffer)
        )
        sessions[session]?.listeners[number] = continuation
        if let state = core.state(of: session) {
            continuation.yield(
                EngineUpdate<Rules>(
                    state: state,
                    isSettled: isSettled(state),
                    events: [],
                    storeFailure: nil
                )
            )
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            Task(executorPreference: self.executor) {
                await self.stopListening(number, to: session)
            }
        }
        return stream
    }

    /// The number of updates buffered for a slow listener; older ones are dropped, but the newest
    /// state is never lost.
    public static var updateBuffer: Int { 1024 }

    /// Registers an observer that is called with each of this engine's sessions that changes; the
    /// engine does not wait for it.
    public func notify(_ observer: @escaping @Sendable (SessionID) async -> Void) {
        observers.append(observer)
    }

    /// Whether nothing is pending on the engine's side; the core keeps this with its state.
    private func isSettled(_ state: Rules.State) -> Bool {
        if let held = core.held(state.session), held.state.sequence == state.sequence {
            return held.isSettled
        }
        return rules.isSettled(state, next: rules.next(in: state))
    }

    private func stopListening(_ number: Int, to session: SessionID) {
        guard sessions[session]?.listeners.removeValue(forKey: number) != nil else { return }
        unwatch(session)
    }

    /// The plaintexts of a session's sealed values, for those that the client needs in order to
    /// act.
    ///
    /// - Throws: ``EngineFailure`` when the session does not exist or its keys are not available.
    public func secrets(of session: SessionID) async throws(Failure) -> SecretTable {
        try await watch(session)
        defer { unwatch(session) }
        return sessions[session]?.secrets ?? SecretTable()
    }

    /// The current state of a session.
    public func state(of session: SessionID) async throws(Failure) -> Rules.State {
        try await watch(session)
        defer { unwatch(session) }
        guard let state = core.state(of: session) else { throw .unknownSession(session) }
        return state
    }
}

// MARK: - Core and ports

extension Engine {
    /// Passes an input to the core and performs the resulting actions.
    private func handle(_ input: EngineInput<Rules>) {
        for action in core.handle(input, at: clock.now()) { perform(action) }
    }

    private func perform(_ action: EngineAction<Rules>) {
        switch action {
        case .load(let session, let sequence):
            spawn { await $0.reload(session, after: sequence) }
        case .append(let append): begin(append)
        case .perform(let session, let request): begin(request, for: session)
        case .cancel(let session, let effect):
            requests.removeValue(forKey: RequestKey(session: session, effect: effect))?
                .task.cancel()
        case .acquireLease(let session):
            inOrder([session]) { engine in
                await engine.handle(await engine.lease(of: session))
            }
        case .releaseLease(let session):
            // A stopped engine has already released all leases.
            guard !isStopping || sessions[session] != nil else { return }
            inOrder([session]) { await $0.store.releaseLease(on: session) }
        case .handOverLeases(let sessions):
            inOrder(sessions) { await $0.store.handOverLeases(on: sessions) }
        case .reply(let number, let result):
            replies.removeValue(forKey: number)?.resume(returning: result)
        case .publish(let state, let before): publish(state, after: before)
        case .report(let session, let error): report(error, of: session)
        case .wake(let instant): setWake(instant)
        case .park(let session):
            sessions[session]?.finishListeners()
            sessions[session] = nil
        }
    }

    /// Performs lease operations on a session one after the other, never concurrently.
    private func inOrder(
        _ sessions: [SessionID],
        _ work: @escaping @Sendable (Engine<Rules>) async -> Void
    ) {
        let before = sessions.compactMap { leaseWork[$0]?.task }
        let number = nextNumber()
        let task = spawn { engine in
            for earlier in before { await earlier.value }
            await work(engine)
            await engine.leaseWorkEnded(number, of: sessions)
        }
        for session in sessions { leaseWork[session] = LeaseWork(number: number, task: task) }
    }

    private nonisolated func lease(of session: SessionID) async -> EngineInput<Rules> {
        do {
            return .lease(session, granted: try await store.acquireLease(on: session))
        } catch {
            return .leaseFailed(session, error)
        }
    }

    private func leaseWorkEnded(_ number: Int, of sessions: [SessionID]) {
        for session in sessions where leaseWork[session]?.number == number {
            leaseWork[session] = nil
        }
    }

    // MARK: Durability

    private func begin(_ append: PendingAppend<Rules>) {
        guard var resources = sessions[append.session] else { return }
        do {
            let prepared = try prepare(append, resources)
            resources.appending = (prepared.events, prepared.head)
            sessions[append.session] = resources
            pendingAppends += 1
            spawn { await $0.store(prepared.append) }
        } catch {
            // Not at once: the other actions of the same input come first.
            pendingAppends += 1
            spawn { await $0.refuse(append, error) }
        }
    }

    private func refuse(_ append: PendingAppend<Rules>, _ error: any Error) {
        log.error(
            "an event could not be written as a record",
            metadata: ["session": "\(append.session)", "error": "\(error)"]
        )
        pendingAppends -= 1
        let failure: EventStoreError
        if case .missingPlaintext(let type, let number)? = error as? RecordWritingError {
            failure = .secretMissing(
                stream: append.session,
                value: "sealed value \(number) of \(type)"
            )
        } else {
            failure = .unwritable(stream: append.session, reason: "\(error)")
        }
        handle(.appendFailed(append.session, failure))
    }

    private func prepare(
        _ append: PendingAppend<Rules>,
        _ resources: SessionResources<Rules>
    ) throws -> (append: StreamAppend, events: [Recorded<Rules.Event>], head: StreamHead) {
        var head = resources.head
        var events: [Recorded<Rules.Event>] = []
        var records: [StoredRecord] = []
        let metadata = EventMetadata(
            build: configuration.build,
            catalogue: rules.catalogueVersion,
            cause: append.cause,
            node: configuration.node
        )
        for event in append.events {
            let recorded = Recorded(
                stream: append.session,
                sequence: head.sequence + 1,
                at: append.at,
                event: event,
                metadata: metadata
            )
            let record = try RecordWriter.record(
                recorded,
                after: head,
                keys: resources.keys,
                secrets: resources.secrets,
                random: random
            )
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            events.append(recorded)
            records.append(record)
        }
        var summary = append.summary
        summary.addressFingerprint = resources.addressFingerprint
        summary.headMAC = resources.keys.mac(of: head)
        let streamAppend = StreamAppend(
            stream: append.session,
            expectedVersion: append.expectedVersion,
            records: records,
            summary: summary,
            wrappedKey: resources.wrappedKey,
            isUnderLease: append.isUnderLease
        )
        return (streamAppend, events, head)
    }

    private func store(_ append: StreamAppend) async {
        let input: EngineInput<Rules>
        do {
            try await store.append(append)
            if let done = sessions[append.stream]?.appending {
                sessions[append.stream]?.head = done.head
                sessions[append.stream]?.unpublished += done.records
                sessions[append.stream]?.wrappedKey = nil
                sessions[append.stream]?.appending = nil
            }
            input = .appended(append.stream)
        } catch {
            sessions[append.stream]?.appending = nil
            if !error.isRace { appendFailures.increment() }
            input = .appendFailed(append.stream, error)
        }
        pendingAppends -= 1
        handle(input)
    }

    private func publish(_ state: Rules.State, after before: SequenceNumber) {
        let events = sessions[state.session]?.unpublished ?? []
        if let work = hooks.afterAppend(state, events) { spawn(work) }
        sessions[state.session]?.unpublished.removeAll()
        for observer in observers { spawn { _ in await observer(state.session) } }
        guard let listeners = sessions[state.session]?.listeners, !listeners.isEmpty else { return }
        let update = EngineUpdate<Rules>(
            state: state,
            isSettled: isSettled(state),
            events: events.filter { $0.sequence > before },
            storeFailure: nil
        )
        for listener in listeners.values { listener.yield(update) }
    }

    private func report(_ error: EventStoreError, of session: SessionID) {
        log.warning(
            "the store failed",
            metadata: ["session": "\(session)", "code": "\(error.code)"]
        )
        guard let listeners = sessions[session]?.listeners, !listeners.isEmpty else { return }
        let state = core.state(of: session) ?? Rules.State(session: session)
        let update = EngineUpdate<Rules>(
            state: state,
            isSettled: false,
            events: [],
            storeFailure: error
        )
        for listener in listeners.values { listener.yield(update) }
    }

    // MARK: Time

    private func setWake(_ instant: Instant?) {
        wake?.cancel()
        wake = nil
        guard let instant, !isStopping else { return }
        wake = spawn { engine in
            await engine.clock.sleep(until: instant)
            guard !Task.isCancelled else { return }
            await engine.handle(.timeCame)
        }
    }
}

// MARK: - Outgoing requests

extension Engine {
    /// Passes a request to its port; its start is durable if it changes anything.
    private func begin(_ request: Rules.Request, for session: SessionID) {
        let key = RequestKey(session: session, effect: request.id)
        let number = nextNumber()
        requests[key] = RequestUnderWay(
            number: number,
            onlyReads: request.onlyReads,
            task: spawn { await $0.request(request, for: session, key, number) }
        )
    }

    private func request(
        _ request: Rules.Request,
        for session: SessionID,
        _ key: RequestKey,
        _ number: Int
    ) async {
        guard sessions[session] != nil else {
            requests[key] = nil
            return
        }
        // Check as late as possible: this process may have been suspended since the lease was
        // acquired or the start was stored.
        guard store.holdsLease(on: session) else {
            guard requests[key]?.number == number else { return }
            requests[key] = nil
            return handle(.notPerformed(session, request.id))
        }
        guard let response = await response(to: request, of: session) else {
            requests[key] = nil
            return
        }
        measure(response, to: request)
        guard requests[key]?.number == number else { return }
        requests[key] = nil
        guard sessions[session] != nil else { return }
        sessions[session]?.secrets.merge(response.secrets)
        handle(
            .requestEnded(
                session,
                request.id,
                response.outcome,
                durationMilliseconds: response.durationMilliseconds
            )
        )
    }

    /// Performs a request; meanwhile only what the request needs is kept of the session.
    private func response(
        to request: Rules.Request,
        of session: SessionID
    ) async -> WorkflowResponse<Rules>? {
        guard let resources = sessions[session], let state = core.state(of: session) else {
            return nil
        }
        return await port.perform(
            request,
            of: RequestingSession(
                session: session,
                state: state,
                secrets: resources.secrets,
                keys: resources.keys
            )
        )
    }

    private func measure(_ response: WorkflowResponse<Rules>, to request: Rules.Request) {
        let dimensions = [
            ("rel", request.metricName), ("outcome", response.outcome.metricName),
        ]
        Timer(label: "payment_workflow_request_duration", dimensions: dimensions)
            .recordMilliseconds(response.durationMilliseconds)
    }
}

// MARK: - Sessions in memory

extension Engine {
    /// Loads a session into memory and keeps it there until ``unwatch(_:)``.
    package func watch(_ session: SessionID) async throws(Failure) {
        guard !isStopping else { throw .stopping }
        if let watchers = sessions[session]?.watchers {
            sessions[session]?.watchers = watchers + 1
            if watchers == 0 { handle(.watched(session, true)) }
            return
        }
        if loading[session] == nil { try checkRoom() }
        let task =
            loading[session]?.task
            ?? Task(executorPreference: executor) { [weak self] in
                await self?.loadFirst(session) ?? .failure(.stopping)
            }
        loading[session, default: Loading(task: task, waiters: 0)].waiters += 1
        try await task.value.get()
        guard !isStopping else { throw .stopping }
    }

    /// Refuses a session that would exceed the maximum number in memory; sessions being loaded
    /// count, too.
    private func checkRoom() throws(Failure) {
        guard core.sessionCount + loading.count < configuration.engineLimits.sessions else {
            throw .overloaded(.sessions)
        }
    }

    /// Releases a session that ``watch(_:)`` loaded.
    package func unwatch(_ session: SessionID) {
        guard let watchers = sessions[session]?.watchers, watchers > 0 else { return }
        sessions[session]?.watchers = watchers - 1
        if watchers == 1 { handle(.watched(session, false)) }
    }

    /// Loads a session for everyone who waits for it.
    ///
    /// All waiting callers watch the session from the moment that it is in memory, so that it stays
    /// until the last of them has used it.
    private func loadFirst(_ session: SessionID) async -> Result<Void, Failure> {
        defer { loading[session] = nil }
        do throws(Failure) {
            let loader = loader
            // Run outside the event loop, which continues with all other sessions meanwhile.
            var loaded = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () throws(Failure) in try await loader.load(session)
            }
            guard !isStopping else { throw .stopping }
            loaded.resources.watchers = loading[session]?.waiters ?? 0
            sessions[session] = loaded.resources
            handle(.loaded(loaded.state, isWatched: true))
            // Work that another process, or one that has ended, did not do.
            if let work = hooks.afterLoading(loaded.state) { spawn(work) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Reads what others appended to a session in memory.
    private func reload(_ session: SessionID, after sequence: SequenceNumber) async {
        guard var resources = sessions[session], var state = core.state(of: session) else { return }
        do throws(Failure) {
            let before = resources.head.sequence
            try await loader.read(into: &state, &resources, keepsEvents: true)
            if resources.head.sequence > before, sessions[session]?.appending == nil {
                sessions[session]?.head = resources.head
                sessions[session]?.unpublished = resources.unpublished
                sessions[session]?.secrets.merge(resources.secrets)
            }
            let isErased = resources.unpublished.contains(where: \.event.isErasure)
            handle(.loaded(state, isWatched: false))
            // End the listeners, so that the session and its data key leave memory.
            if isErased { sessions[session]?.finishListeners() }
        } catch {
            // The session is not driven, and its data is removed.
            if case .notAuthentic = error { sessions[session]?.finishListeners() }
            let reason: EventStoreError =
                switch error {
                case .store(let failure): failure
                case .notAuthentic(_, let sequence):
                    .corrupt(stream: session, sequence: sequence, reason: error.description)
                case .damaged(_, let sequence, let reason):
                    .corrupt(stream: session, sequence: sequence, reason: reason)
                default: .unavailable(reason: error.description, code: nil)
                }
            handle(.loadFailed(session, reason))
        }
    }

    private var loader: SessionLoader<Rules> {
        SessionLoader(rules: rules, store: store, vault: vault, readBatch: configuration.readBatch)
    }
}

// MARK: - Appends of other processes

extension Engine {
    /// Finds what other processes appended to sessions in memory.
    ///
    /// It makes one query for all sessions, because one for each session in memory would cost more
    /// than driving them.
    private func followChanges() async {
        var following = Following()
        while !Task.isCancelled, !isStopping {
            await clock.sleep(until: clock.now() + configuration.followInterval)
            guard !Task.isCancelled,
                let counter = await ask({ try await store.changeCounter() }),
                following.hasNews(counter)
            else { continue }
            let changed: [SessionID]
            switch following.question {
            case .ends:
                let newest = await ask { try await store.changes(after: nil, limit: 0) } ?? nil
                let (ends, isWhole) = await ends()
                changed = following.learn(
                    ends: ends,
                    isWhole: isWhole,
                    newest: newest?.cursor,
                    counter: counter,
                    memory(of:)
                )
            case .changes(let cursor, let limit):
                do throws(EventStoreError) {
                    let found = try await store.changes(after: cursor, limit: limit)
                    isStoreFailing = false
                    changed = found.map { following.learn($0, counter: counter, memory(of:)) } ?? []
                } catch {
                    if case .cursorRefused = error { following.beginAgain() }
                    warn(of: error)
                    continue
                }
            }
            for session in changed { handle(.storeChanged(session)) }
        }
    }

    /// The ends of the logs of all sessions in memory, read one after the other, and whether none
    /// is missing.
    private func ends() async -> (ends: [SessionID: SequenceNumber], isWhole: Bool) {
        // A load in progress may have read before the newest records were appended.
        var isWhole = loading.isEmpty
        var ends: [SessionID: SequenceNumber] = [:]
        for session in sessions.keys.sorted() {
            do {
                ends[session] = try await store.head(of: session)?.sequence
            } catch {
                warn(of: error)
                // A damaged log stays damaged: don't compare all sessions over and over for it.
                if case .corrupt = error { continue }
                isWhole = false
            }
        }
        return (ends, isWhole)
    }

    /// What is in memory of a session.
    private func memory(of session: SessionID) -> Following.Memory {
        if sessions[session] != nil, let end = core.end(of: session) { return .upTo(end) }
        return loading[session] == nil ? .nothing : .loading
    }
}

// MARK: - Due sessions

extension Engine {
    /// Adopts sessions with something due for as long as the engine runs.
    private func adoptDueSessions() async {
        var before: [SessionID] = []
        var balanced: Instant?
        var review = RowReview()
        var compared: Instant?
        while !Task.isCancelled, !isStopping {
            await balance(after: &balanced)
            await continueReview(&review)
            await adoptSessionsAhead(after: &compared)
            let taken = await adoptOnce()
            // After a full batch more sessions may be due, as after a restart; but don't repeat
            // with the same ones.
            let expectsMore = taken.count >= configuration.adoptionBatch && taken != before
            before = taken
            if expectsMore { continue }
            await clock.sleep(
                until: clock.now() + (configuration.adoptionInterval ?? .seconds(1))
            )
        }
    }

    private func adoptOnce() async -> [SessionID] {
        do throws(Failure) {
            return try await resumeDue()
        } catch {
            if case .store(let failure) = error { warn(of: failure) }
            return []
        }
    }

    /// Queries the store about more than one session; `nil` when it fails, which is logged once
    /// until it succeeds again.
    private func ask<Value: Sendable>(
        _ question: () async throws -> Value
    ) async -> Value? {
        do {
            let value = try await question()
            isStoreFailing = false
            return value
        } catch {
            warn(of: error)
            return nil
        }
    }

    private func warn(of error: any Error) {
        guard !isStoreFailing else { return }
        isStoreFailing = true
        log.warning(
            "the store could not return new records or due sessions",
            metadata: ["code": "\((error as? EventStoreError)?.code ?? "\(error)")"]
        )
    }

    /// Hands sessions over to other engines at intervals.
    ///
    /// An engine that does this takes part in the sharing: from then on the store counts it among
    /// those that adopt sessions.
    private func balance(after last: inout Instant?) async {
        let now = clock.now()
        // If the clock was set back, the interval counts as elapsed.
        if let last, last <= now, now < last + configuration.balancingInterval { return }
        last = now
        guard let surplus = await ask({ try await store.surplusLeases(dueBy: now) }), surplus > 0,
            !isStopping
        else { return }
        handle(.leaseSurplus(min(surplus, configuration.balancingBatch)))
    }

    /// Adopts sessions whose logs end in the future, at intervals.
    private func adoptSessionsAhead(after last: inout Instant?) async {
        let now = clock.now()
        if let last, last <= now, now < last + Self.aheadInterval { return }
        last = now
        for session in await ask({ try await sessionsAhead() }) ?? [] where !isStopping {
            _ = await adopt(session)
        }
    }

    /// The interval at which sessions are searched whose logs end in the future.
    private static var aheadInterval: Duration { .seconds(10) }

    /// Sessions that no other engine drives and whose logs end in the future, because another
    /// engine's clock was ahead: their rows say too late when something is due.
    package func sessionsAhead() async throws(EventStoreError) -> [SessionID] {
        var query = SessionQuery(isOpen: true, origin: .own, limit: Self.adoptionReach)
        query.lastAfter = clock.now() + configuration.engineLimits.clockTolerance
        let rows = try await store.sessions(matching: query).filter { row in
            sessions[row.session] == nil && row.dueAt.map { $0 >= row.lastAt } ?? false
        }
        guard let latest = rows.compactMap(\.dueAt).max() else { return [] }
        let free = Set(try await store.sessionsDue(by: latest, limit: SessionQuery.defaultLimit))
        return rows.map(\.session).filter(free.contains)
    }

    /// How far the comparison of rows with their logs has come.
    private struct RowReview {
        /// When some rows were compared last.
        var last: Instant?
        /// The last session that was compared; `nil` to begin with the newest again.
        var place: SessionID?
    }

    /// Compares some rows of open sessions in which nothing is due with their logs, and corrects
    /// them.
    ///
    /// Such a session is not found by its due time. The row is not authentic, so that the log has
    /// to decide whether only the client can proceed.
    private func continueReview(_ review: inout RowReview) async {
        let now = clock.now()
        if let last = review.last, last <= now, now < last + configuration.reviewInterval { return }
        guard let facts = store as? any FactsStore else { return }
        review.last = now
        var query = SessionQuery(before: review.place, limit: configuration.reviewBatch)
        query.undueUntil = now + SessionSummary.dueTolerance
        guard let rows = await ask({ try await store.sessions(matching: query) }) else { return }
        for row in rows where sessions[row.session] == nil && !isStopping {
            await correct(row, in: facts)
        }
        review.place = rows.count < query.limit ? nil : rows.last?.session
    }

    private func correct(_ row: SessionSummary, in facts: any FactsStore) async {
        let loader = loader
        // A log that cannot be loaded is reported when it is driven, and by a verification.
        let loaded = try? await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await loader.load(row.session)
        }
        guard let state = loaded?.state, state.sequence == row.lastSequence else { return }
        var derived = rules.summary(of: state, next: rules.next(in: state))
        guard row.origin != .own || !row.agreesOnDue(with: derived.dueAt) else { return }
        (derived.addressFingerprint, derived.headMAC) = (row.addressFingerprint, row.headMAC)
        guard await ask({ try await facts.replaceRows([derived]) }) == 1 else { return }
        Counter(label: "payment_workflow_rows_corrected_total").increment()
        log.warning(
            "a row of the index did not say when its session is due; it was corrected from the log",
            metadata: ["session": "\(row.session)"]
        )
    }

    /// The maximum number of due sessions that are listed to find some that can be adopted.
    private static var adoptionReach: Int { 4096 }

    /// Adopts sessions with something due.
    ///
    /// Sessions that cannot be adopted, for example because their log is damaged, are tried again
    /// when no other session is due.
    ///
    /// - Returns: The sessions that were adopted.
    /// - Throws: ``EngineFailure/store(_:)``.
    @discardableResult
    public func resumeDue() async throws(Failure) -> [SessionID] {
        var taken: [SessionID] = []
        let due = try await dueSessions().filter { sessions[$0] == nil }
        var goesOn = true
        for wave in Adoption.waves(of: due) where goesOn && !isStopping {
            let adoptions = wave.map { session in
                Task(executorPreference: executor) { await self.adopt(session) }
            }
            for (session, adoption) in zip(wave, adoptions) {
                switch await adoption.value {
                case .success(true): taken.append(session)
                case .success(false):
                    adopting.refuse(session)
                    await store.releaseLease(on: session)
                case .failure(.overloaded), .failure(.stopping): goesOn = false
                case .failure(let error):
                    adopting.refuse(session)
                    // The session may have been handed to this engine; another one may be able to
                    // adopt it.
                    await store.releaseLease(on: session)
                    log.warning(
                        "a due session could not be adopted",
                        metadata: ["session": "\(session)", "code": "\(error.code)"]
                    )
                }
            }
        }
        return taken
    }

    /// Adopts a session, which stays in memory for as long as it needs something.
    ///
    /// - Returns: Whether it may be driven here.
    private func adopt(_ session: SessionID) async -> Result<Bool, Failure> {
        guard await configuration.admits(session) else { return .success(false) }
        do throws(Failure) {
            try await watch(session)
            unwatch(session)
            return .success(true)
        } catch {
            return .failure(error)
        }
    }

    /// Returns due sessions that are not in memory, at most as many as are adopted at once; those
    /// that can't be adopted don't hide the ones after them.
    ///
    /// - Parameter excluded: Sessions that are left out.
    /// - Returns: The sessions, the longest overdue first.
    /// - Throws: ``EngineFailure/store(_:)``.
    package func dueSessions(
        besides excluded: Set<SessionID> = []
    ) async throws(Failure) -> [SessionID] {
        var limit = adopting.firstLimit
        while true {
            let (now, wanted) = (clock.now(), limit)
            let found = try await Failure.stored { () throws(EventStoreError) in
                try await store.sessionsDue(by: now, limit: wanted)
            }
            let choice = adopting.choice(among: found, limit: limit) {
                // Sessions in memory stay due until their requests receive a response.
                sessions[$0] != nil || excluded.contains($0)
            }
            switch choice {
            case .list(let more): limit = more
            case .adopt(let due): return due
            }
        }
    }
}

// MARK: - Tables

extension Engine {
    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Starts a task of the engine on its loop.
    @discardableResult
    private func spawn(
        _ work: @escaping @Sendable (Engine<Rules>) async -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) { [weak self] in
            guard let self else { return }
            await work(self)
        }
    }

    /// A request in flight; the number distinguishes it from an earlier, canceled one with the
    /// same identifier.
    private struct RequestUnderWay {
        var number: Int
        var onlyReads: Bool
        var task: Task<Void, Never>
    }

    /// A session that is being loaded, and how many callers wait for it.
    private struct Loading {
        var task: Task<Result<Void, Failure>, Never>
        var waiters: Int
    }

    /// The latest operation on a session's lease; the number distinguishes it from earlier ones.
    private struct LeaseWork {
        var number: Int
        var task: Task<Void, Never>
    }

    /// The key of a request in flight.
    private struct RequestKey: Hashable {
        var session: SessionID
        var effect: EffectID
    }
}

extension EngineFailure {
    /// Converts a failure of the store into one of the engine.
    static func stored<Value>(
        _ body: () async throws(EventStoreError) -> Value
    ) async throws(Self) -> Value {
        do { return try await body() } catch { throw .store(error) }
    }
}

extension EventStoreError {
    /// Whether another writer was faster, and the store works.
    fileprivate var isRace: Bool {
        switch self {
        case .conflict, .addressTaken, .leaseLost: true
        default: false
        }
    }
}
