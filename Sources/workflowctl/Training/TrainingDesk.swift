internal import Adapters
internal import EventLog
internal import Sandbox
internal import SwedbankPay
internal import Workflow

/// What all payments of a training store share.
struct TrainingDesk: Sendable {
    let store: any PersistentStore
    let vault: any KeyVault
    let sandbox: SandboxServer
    let time: TrainingSandboxTime
    let transport: CurlTransport
    let configuration: Configuration
    let invocation: Invocation
    /// The time at which all payments stop.
    let until: Instant

    /// The rules with which payments are made and read.
    var decider: SessionDecider {
        var decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        decider.addresses = configuration.clientAddresses
        decider.client = configuration.client
        return decider
    }

    /// Returns an engine for one payment, with its own time, randomness and network.
    func engine(
        by clock: TrainingClock,
        through network: TrainingNetwork,
        chance: TrainingChance
    ) -> PaymentEngine {
        var engine = PaymentConfiguration()
        engine.sessionLimits = configuration.session
        engine.clientAddresses = configuration.clientAddresses
        engine.client = configuration.client
        engine.node = "training"
        engine.build = Build.version
        engine.adoptionInterval = nil
        return PaymentEngine(
            configuration: engine,
            catalogue: configuration.catalogue,
            store: store,
            provider: network,
            vault: vault,
            clock: clock,
            random: chance,
            executor: invocation.loop
        )
    }

    /// The connection to the sandbox.
    var provider: SwedbankPayProvider {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        options.clientAddresses = configuration.clientAddresses
        return SwedbankPayProvider(
            transport: transport,
            options: options,
            access: OrderSecrets(accessToken: "sandbox").access
        )
    }
}

/// Why a payment of a training store does not continue.
enum TrainingStop: Error {
    /// The month is over: the payment stays as it is.
    case monthIsOver
    /// The payment cannot be made.
    case failed(Failure)

    init(_ failure: Failure) { self = .failed(failure) }
    init(_ error: EngineError) { self = .failed(Failure(error)) }
}
