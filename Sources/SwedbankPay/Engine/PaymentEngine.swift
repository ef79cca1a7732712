public import EventLog
public import Workflow

/// The engine that drives payment sessions and checkouts.
public typealias PaymentEngine = Engine<SessionDecider>

/// What can go wrong with a call of the engine.
public typealias EngineError = EngineFailure<Rejection>

/// What listeners of a session are told.
public typealias SessionUpdate = EngineUpdate<SessionDecider>

/// What an engine of payments is, beside its ports: the engine's own configuration, and what the rules add to it.
@dynamicMemberLookup
public struct PaymentConfiguration: Sendable {
    /// The engine's own part, whose members can be named here directly.
    public var engine = EngineConfiguration()
    /// The bounds that a session's rules keep.
    public var sessionLimits = SessionLimits()
    /// Which addresses clients are handed.
    public var clientAddresses = ClientAddresses()
    /// How the engine presents itself to the PSP.
    public var client = ClientProfile()

    /// The defaults, to be changed member by member.
    public init() {}

    /// A member of the engine's own part.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<EngineConfiguration, Value>
    ) -> Value {
        get { engine[keyPath: member] }
        set { engine[keyPath: member] = newValue }
    }
}

extension PaymentEngine {
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
        configuration: PaymentConfiguration,
        catalogue: ProblemCatalogue,
        store: any EventStore,
        provider: any PaymentProvider,
        vault: any KeyVault,
        clock: any EngineClock,
        random: any RandomSource,
        executor: Executor
    ) {
        var decider = SessionDecider(catalogue: catalogue, limits: configuration.sessionLimits)
        decider.addresses = configuration.clientAddresses
        decider.client = configuration.client
        self.init(
            configuration: configuration.engine,
            rules: decider,
            store: store,
            port: ProviderPort(provider: provider, client: configuration.client),
            vault: vault,
            clock: clock,
            random: random,
            hooks: .relatingOrders,
            executor: executor
        )
    }

    /// The rules that this engine decides by.
    public nonisolated var decider: SessionDecider { rules }

    /// Lets a worker tell the PSP of this engine's sessions as they go on; nobody waits for it.
    public func tell(_ logger: EventLogger) { notify { await logger.notice($0) } }
}
