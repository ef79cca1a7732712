public import EventLog
public import Workflow

/// The engine that drives payment sessions and checkouts.
public typealias PaymentEngine = Engine<SessionDecider>

/// An error of a call to the engine.
public typealias EngineError = EngineFailure<Rejection>

/// An update for the listeners of a session.
public typealias SessionUpdate = EngineUpdate<SessionDecider>

/// The settings of a payment engine, apart from its ports: the generic engine's configuration and
/// the settings of the rules.
@dynamicMemberLookup
public struct PaymentConfiguration: Sendable {
    /// The generic engine's configuration, whose members can also be accessed directly on this
    /// type.
    public var engine = EngineConfiguration()
    /// The limits that a session's rules apply.
    public var sessionLimits = SessionLimits()
    /// Which addresses are passed to clients.
    public var clientAddresses = ClientAddresses()
    /// How the engine presents itself to the PSP.
    public var client = ClientProfile()

    /// Creates a configuration with the default values.
    public init() {}

    /// A member of the generic engine's configuration.
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<EngineConfiguration, Value>
    ) -> Value {
        get { engine[keyPath: member] }
        set { engine[keyPath: member] = newValue }
    }
}

extension PaymentEngine {
    /// Creates an engine on an event loop, with its ports.
    ///
    /// - Parameters:
    ///   - configuration: Limits, schedule and identity.
    ///   - catalogue: Defines who acts on which problem.
    ///   - store: Where logs are kept.
    ///   - provider: Performs requests to the PSP.
    ///   - vault: The source of data keys.
    ///   - clock: The source of the time.
    ///   - random: The source of identifiers, nonces and the jitter's seed.
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
        // Read now: a bundled catalogue would otherwise be read while the first payment waits.
        _ = catalogue.version
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

    /// The rules of this engine.
    public nonisolated var decider: SessionDecider { rules }

    /// Registers a worker that reports the progress of this engine's sessions to the PSP; the
    /// engine does not wait for it.
    public func reportProgress(to logger: EventLogger) { notify { await logger.notice($0) } }
}
