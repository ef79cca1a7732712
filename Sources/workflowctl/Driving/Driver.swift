internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// An engine in this process, for the duration of one command.
struct Driver: Sendable {
    let engine: PaymentEngine
    /// The store of the logs.
    let store: any PersistentStore
    /// The connection to the network, also for simulated payers.
    let transport: CurlTransport
    /// Which hosts may be contacted.
    let reach: TransportConfiguration
    /// The PSP, behind a circuit breaker.
    let provider: GuardedProvider
    /// The keys of the sessions.
    let vault: any KeyVault
    /// Reports events to the PSP, where that is configured.
    let telemetry: Telemetry?
    /// When the command began: what was due by then is done.
    let begin: Instant
    let invocation: Invocation
    /// Which operator actions are recorded.
    let audit: AuditPolicy
    /// Which sessions resume automatically after an outage of the PSP.
    let recovery: RecoveryLimits
    /// The operator and the reason; `nil` when the program acts by itself.
    let person: Operator?
    /// The lists of saved cards that were printed.
    let shown: ShownCards

    /// How long shutting down waits for an abandoned request that changes something.
    static let shutdownGrace = Duration.seconds(1)

    /// Runs an engine for a command, and shuts it down cleanly in any case.
    static func withEngine<Value: Sendable>(
        for command: some Command,
        in invocation: Invocation,
        session: SessionID? = nil,
        access: StoreAccess = .existing,
        host: String? = nil,
        among sessions: [SessionID] = [],
        _ body: (Driver) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var configuration = try Configuration.read(
            command.global,
            environment: invocation.environment
        )
        if command is ResumeCommand {
            // Doing what is due is the command's purpose.
            configuration.eventLoggingGrace = max(
                configuration.eventLoggingGrace,
                command.global.wait.duration
            )
        }
        let location = try StoreLocation.read(
            command.global,
            environment: invocation.environment,
            configuration: configuration
        )
        return try await withEngine(
            configuration,
            at: location,
            session: session,
            access: access,
            host: host,
            among: sessions,
            catchesUpFor: command is ResumeCommand ? command.global.wait.duration : nil,
            drivesAll: command is ServeCommand,
            secrets: OrderSecrets(
                command.global,
                environment: invocation.environment,
                configuration: configuration
            ),
            person: Operator.read(command.global, environment: invocation.environment),
            in: invocation,
            body
        )
    }

    /// Runs an engine with a configuration on a store.
    static func withEngine<Value: Sendable>(
        _ configuration: Configuration,
        at location: StoreLocation,
        session: SessionID? = nil,
        access: StoreAccess,
        host: String? = nil,
        among sessions: [SessionID] = [],
        catchesUpFor wait: Duration? = nil,
        drivesAll: Bool = false,
        secrets: OrderSecrets? = nil,
        person: Operator? = nil,
        in invocation: Invocation,
        _ body: (Driver) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let loop = invocation.loop
        let (store, vault) = try await open(location, access, session, in: invocation)
        let (isScratch, reach): (Bool, TransportConfiguration)
        do throws(Failure) {
            var sessions = sessions + (session.map { [$0] } ?? [])
            if let wait {
                let now = invocation.now()
                sessions += try await waiting(in: store, at: now, dueBy: now + wait)
            }
            (isScratch, reach) = try await Self.reach(configuration, host, sessions, in: store)
        } catch {
            await store.close()
            throw error
        }
        let transport = CurlTransport(on: loop, configuration: reach)
        let provider = GuardedProvider(
            SwedbankPayProvider(
                transport: transport,
                options: .command(configuration),
                access: isScratch ? Scratch.access : secrets?.access ?? OrderAccess()
            )
        )
        let engine = PaymentEngine(
            configuration: .command(configuration, drivesAll: drivesAll) { session in
                await store.leads(session, within: reach)
            },
            catalogue: configuration.catalogue,
            store: store,
            provider: provider,
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        let running = Task.immediate { await engine.run() }
        let telemetry =
            configuration.tellsEvents && !isScratch
            ? await Telemetry(configuration, of: engine, store, vault, on: loop) : nil
        let driver = Driver(
            engine: engine,
            store: store,
            transport: transport,
            reach: reach,
            provider: provider,
            vault: vault,
            telemetry: telemetry,
            begin: invocation.now(),
            invocation: invocation,
            audit: configuration.audit,
            recovery: configuration.recovery,
            person: person,
            shown: ShownCards(beside: location)
        )
        return try await driver.perform(body, while: running)
    }
}

extension Driver {
    /// Performs the work of a command, and shuts down the engine in any case.
    private func perform<Value: Sendable>(
        _ body: (Driver) async throws(Failure) -> Value,
        while running: Task<Void, Never>
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await body(self))
        } catch {
            result = .failure(error)
        }
        // In a task of its own: the command's may have been canceled, and shutting down has to
        // wait.
        let driver = self
        await invocation.loop.spawn { await driver.end(running) }.value
        return try result.get()
    }

    /// Shuts down everything that belongs to the engine, from the inside out.
    private func end(_ running: Task<Void, Never>) async {
        await engine.shutdown()
        await running.value
        await telemetry?.end()
        await transport.shutdown()
        await store.close()
    }

    /// Opens a store with the keys of its sessions; a refused store is left unchanged.
    private static func open(
        _ location: StoreLocation,
        _ access: StoreAccess,
        _ session: SessionID?,
        in invocation: Invocation
    ) async throws(Failure) -> (store: any PersistentStore, vault: any KeyVault) {
        // The key is checked before a store is created.
        let given = try location.vault(environment: invocation.environment)
        let store = try await location.open(access, for: session, on: invocation.loop)
        do throws(Failure) {
            let vault: any KeyVault
            if let given {
                vault = given
            } else {
                if let session { try await refuseErased(session, in: store) }
                vault = try await location.firstVault(
                    of: store,
                    environment: invocation.environment,
                    mayBeMade: access == .createIfMissing
                )
            }
            if access == .createIfMissing {
                try await location.refuseForeignKeys(vault, in: store)
            }
            return (store, vault)
        } catch {
            await store.close()
            throw error
        }
    }

    /// Refuses a session without a data key: it can be read but not driven, whatever keys there
    /// are.
    private static func refuseErased(
        _ session: SessionID,
        in store: any PersistentStore
    ) async throws(Failure) {
        let isKnown: Bool
        let isImported = try await store.listedRow(of: session)?.isForeign == true
        if isImported { throw Failure(EngineError.imported(session)) }
        do {
            guard try await store.wrappedKey(of: session) == nil else { return }
            isKnown = try await store.head(of: session) != nil
        } catch {
            throw Failure(error)
        }
        throw Failure(isKnown ? EngineError.erased(session) : .unknownSession(session))
    }

    /// Returns the hosts that the transport may contact.
    ///
    /// With a scratch store these are only the sandbox's, else also those that the sessions' orders
    /// were trusted with.
    private static func reach(
        _ configuration: Configuration,
        _ host: String?,
        _ sessions: [SessionID],
        in store: any PersistentStore
    ) async throws(Failure) -> (isScratch: Bool, TransportConfiguration) {
        var reach = configuration.transport
        let isScratch = try await store.isScratchStore()
        if isScratch {
            try Scratch.confine(&reach, host: host)
        } else {
            reach.allowedHostSuffixes += try await trustedHosts(host, sessions, in: store)
        }
        return (isScratch, reach)
    }

    /// Returns the sessions to resume: those with something due by the end, and those that may
    /// resume after an outage.
    private static func waiting(
        in store: any PersistentStore,
        at now: Instant,
        dueBy end: Instant
    ) async throws(Failure) -> [SessionID] {
        do throws(EventStoreError) {
            let due = try await store.sessionsDue(by: end, limit: SessionQuery.defaultLimit)
            let failed = try await store.sessions(
                matching: SessionQuery(
                    isOpen: true,
                    problem: EngineProblemKind.requestFailed.rawValue,
                    origin: .own,
                    limit: RecoveryLimits().sessions
                )
            )
            let forgotten = try await ForgottenSessions(in: store, at: now)
            // Of logs that end in the future, rows say too late when something is due.
            var ahead = SessionQuery(isOpen: true, origin: .own)
            ahead.lastAfter = now
            let rows = failed + forgotten.sessions + (try await store.sessions(matching: ahead))
            return due + rows.map(\.session)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the hosts trusted with an order: as given now, or as recorded when the order's
    /// session was opened.
    ///
    /// A store that can't be read now is a failure: without its host, a session would record that
    /// its requests are not allowed.
    private static func trustedHosts(
        _ given: String?,
        _ sessions: [SessionID],
        in store: any PersistentStore
    ) async throws(Failure) -> [String] {
        if let given { return [given] }
        var hosts: Set<String> = []
        for session in sessions {
            let first: StoredRecord?
            do throws(EventStoreError) {
                first = try await store.read(session, from: 1, limit: 1).first
            } catch {
                // The engine reports a damaged log, as below, and drives the other sessions.
                if case .corrupt = error { continue }
                throw Failure(error)
            }
            guard let first, let event = try? RecordReader.event(in: first).event,
                case .checkout(.checkoutOpened(let opened)) = event
            else { continue }
            hosts.insert(opened.host)
        }
        return hosts.sorted()
    }
}

extension PersistentStore {
    /// Whether a session's next requests go to hosts that may be contacted.
    ///
    /// An option that was forgotten is no part of a payment's story: an engine that drove the
    /// session would record that its requests are not allowed. A log that cannot be read is
    /// reported by the engine.
    fileprivate func leads(_ session: SessionID, within reach: TransportConfiguration) async -> Bool
    {
        guard let log = try? await log(of: session), log.state.outcome == nil,
            let host = log.state.host
        else { return true }
        return reach.allows(host: host)
    }
}

extension PaymentConfiguration {
    /// Returns the configuration of the engine of one command.
    fileprivate static func command(
        _ configuration: Configuration,
        drivesAll: Bool,
        admitting admits: @escaping @Sendable (SessionID) async -> Bool
    ) -> PaymentConfiguration {
        var engine = PaymentConfiguration()
        engine.admits = admits
        engine.sessionLimits = configuration.session
        engine.clientAddresses = configuration.clientAddresses
        engine.client = configuration.client
        engine.node = "workflowctl"
        engine.build = Build.version
        guard !drivesAll else { return engine }
        engine.shutdownGrace = Driver.shutdownGrace
        // A command drives only the session that it names.
        engine.adoptionInterval = nil
        return engine
    }
}

extension SwedbankPayOptions {
    fileprivate static func command(_ configuration: Configuration) -> SwedbankPayOptions {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = configuration.transport.allowsInsecureLoopback
        options.clientAddresses = configuration.clientAddresses
        options.requestDeadline = configuration.session.requestDeadline
        options.cardRequestDeadline = configuration.session.cardRequestDeadline
        return options
    }
}
