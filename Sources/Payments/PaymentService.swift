internal import Adapters
internal import EventLog
public import SwedbankPay
public import Workflow

/// Opens payments, drives them, and continues them after a crash.
///
/// A service has one store, one event loop, one HTTP client and one engine; ``run(_:_:)`` creates
/// them, and shuts them down in the right order. However a process ends, the next service on the
/// same store continues its payments: it reads each at the PSP before it sends anything again.
///
/// ```swift
/// try await PaymentService.run(.init(store: "payments.db", environment: .sandbox)) { service in
///     let payment = try await service.open(
///         sessionURL,
///         reference: "order-4711",
///         preferring: [.swish]
///     )
///     print(try await payment.outcome)
/// }
/// ```
///
/// - Note: Isolation: any.
public final class PaymentService: Sendable {
    /// The underlying engine, for what this module does not offer.
    public let engine: PaymentEngine
    let configuration: Configuration
    let store: any PersistentStore
    let transport: any Transport
    private let provider: GuardedProvider
    private let loop: UVLoop
    private let closing = ThreadLock<Task<Void, Never>?>(nil)

    /// Opens the store and creates the engine; payments continue once ``run()`` is called.
    ///
    /// Its resources are released when ``run()`` has ended or ``shutdown()`` was called; prefer
    /// ``run(_:_:)``, which ensures that.
    ///
    /// - Throws: ``PaymentError``; everything that was opened is closed again.
    public init(_ configuration: Configuration) async throws(PaymentError) {
        self.configuration = configuration
        let reach = configuration.reach
        if let reason = configuration.fault { throw .misconfigured(reason: reason) }
        let loop: UVLoop
        do {
            loop = try UVLoop(name: "payments")
        } catch {
            throw .failed(error, code: "loop.failed")
        }
        do throws(PaymentError) {
            store = try await configuration.openStore(on: loop)
        } catch {
            await Self.end(loop)
            throw error
        }
        let vault: any KeyVault
        do throws(PaymentError) {
            vault = try await configuration.openVault(of: store)
        } catch {
            await store.close()
            await Self.end(loop)
            throw error
        }
        self.loop = loop
        transport = configuration.transport ?? CurlTransport(on: loop, configuration: reach)
        let provider =
            configuration.provider
            ?? SwedbankPayProvider(
                transport: transport,
                options: configuration.api,
                access: configuration.merchant?.access ?? OrderAccess()
            )
        self.provider = GuardedProvider(provider)
        engine = PaymentEngine(
            configuration: configuration.namedEngine,
            catalogue: .bundled,
            store: store,
            provider: self.provider,
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
    }

    /// Drives payments until the task is canceled or ``shutdown()`` is called; then shuts down.
    ///
    /// After an outage of the PSP, payments continue by themselves: those whose money is under way
    /// or unknown are only read, and others are retried within the default ``RecoveryLimits``.
    ///
    /// It fits the protocol `Service` of swift-service-lifecycle, which cancels it in
    /// `cancelWhenGracefulShutdown`.
    public func run() async {
        let recovery = SessionRecovery(
            engine: engine,
            store: store,
            clock: UVClock(on: loop),
            limits: configuration.recovery
        )
        await withDiscardingTaskGroup { group in
            group.addTask {
                await recovery.run(
                    behind: self.provider,
                    every: self.configuration.recoveryInterval
                )
            }
            group.addTask { await Projector(of: self.store).run() }
            await engine.run()
            group.cancelAll()
        }
        await shutdown()
    }

    /// Shuts down: refuses new commands, waits a while for requests that change something, and
    /// closes the store.
    ///
    /// The next service on the store continues what was in progress. A second call waits for the
    /// first.
    public func shutdown() async {
        let task = closing.withLock { closing in
            // In a task of its own: the caller's may have been canceled, and shutting down has to
            // wait.
            let task = closing ?? Task.detached { await self.close() }
            closing = task
            return task
        }
        await task.value
    }

    private func close() async {
        await engine.shutdown()
        if configuration.transport == nil, let own = transport as? CurlTransport {
            await own.shutdown()
        }
        await store.close()
        await Self.end(loop)
    }

    /// Ends a loop from another thread.
    private static func end(_ loop: UVLoop) async {
        await Task.detached { loop.shutdown() }.value
    }
}

extension PaymentService {
    /// Runs a service while a function runs, and shuts it down when that returns or throws.
    ///
    /// Payments that another process left unfinished continue at once.
    ///
    /// - Parameters:
    ///   - configuration: The store, the environment, and any options that differ from the
    ///     defaults.
    ///   - body: The function that uses the service.
    /// - Returns: The result of the function.
    /// - Throws: ``PaymentError`` when the service cannot be started, and any error of the
    ///   function.
    public static func run<Value>(
        _ configuration: Configuration,
        _ body: (PaymentService) async throws -> Value
    ) async throws -> Value {
        let service = try await PaymentService(configuration)
        let running = Task { await service.run() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(service))
        } catch {
            result = .failure(error)
        }
        await service.shutdown()
        await running.value
        return try result.get()
    }
}
