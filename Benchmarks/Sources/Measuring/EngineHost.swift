package import Adapters
package import SwedbankPay
internal import Workflow

/// Everything that a service needs: loop, HTTP, a SQLite file, keys and the engine.
package final class EngineHost: Sendable {
    package let loop: UVLoop
    package let http: CurlTransport
    package let store: SQLiteEventStore
    package let vault: KeyFileVault
    package let engine: PaymentEngine

    /// Creates an engine with the store in a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory of the store and its key.
    ///   - given: The loop to run on; `nil` creates one.
    ///   - connections: The maximum number of concurrent requests.
    ///   - transport: Wraps the real transport in the one that the engine uses.
    ///   - provider: Wraps the PSP's client in the one that the engine calls; guarded by default.
    ///   - configureHTTP: Changes the configuration of HTTP.
    ///   - configure: Changes the configuration of the engine.
    /// - Throws: An error when the store or its key cannot be opened.
    package init(
        in directory: String,
        loop given: UVLoop? = nil,
        connections: Int = 64,
        transport: (CurlTransport) -> any Transport = { $0 },
        provider: (any PaymentProvider) -> any PaymentProvider = { GuardedProvider($0) },
        http configureHTTP: (inout TransportConfiguration) -> Void = { _ in },
        configure: (inout PaymentConfiguration) -> Void = { _ in }
    ) async throws {
        loop = try given ?? UVLoop(name: "engine")
        http = Self.transport(on: loop, connections: connections, configure: configureHTTP)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        let psp = SwedbankPayProvider(transport: transport(http), options: options)
        store = try await SQLiteEventStore(path: directory + "/payments.db", loop: loop)
        vault = try KeyFileVault(path: directory + "/payments.db.key")
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        configure(&configuration)
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: provider(psp),
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
    }

    /// Returns an HTTP transport for this machine.
    package static func transport(
        on loop: UVLoop,
        connections: Int = 64,
        configure: (inout TransportConfiguration) -> Void = { _ in }
    ) -> CurlTransport {
        var configuration = TransportConfiguration()
        configuration.allowsInsecureLoopback = true
        configuration.maximumConcurrentRequests = connections
        configuration.maximumIdleConnections = connections
        configuration.maximumQueuedRequests = 100_000
        configure(&configuration)
        return CurlTransport(on: loop, configuration: configuration)
    }

    /// Shuts down everything but the loop.
    package func shutdown() async {
        await engine.shutdown()
        await http.shutdown()
        await store.close()
    }
}

extension PaymentConfiguration {
    /// Removes the pauses before a session with a lost response is read, which are a choice and not
    /// work.
    ///
    /// The engine that sends the requests needs this, too: it stores when a session is due.
    package mutating func readsLostResponsesAtOnce() {
        engine.retrySchedule.base = .zero
        engine.retrySchedule.floor = .zero
        engine.retrySchedule.settling = .zero
        sessionLimits.requestDeadline = .zero
        sessionLimits.cardRequestDeadline = .zero
        sessionLimits.settling = .zero
    }
}
