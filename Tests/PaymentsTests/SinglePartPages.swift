import Adapters
import EventLog
import SwedbankPay

/// Code that pages about a single part show; ReadmeTests compares the pages with this file.
///
/// It is compiled and not run: it would need databases and receivers.
enum SinglePartPages {
    /// The code of `Documentation/event-logging.md`.
    static func report(
        from engine: PaymentEngine,
        _ configuration: PaymentConfiguration,
        _ store: any DeliveryStore,
        _ vault: any KeyVault,
        on loop: UVLoop
    ) async -> EventLogger {
        let logger = EventLogger(
            store: store,
            vault: vault,
            sender: EventLoggingSender(
                transport: CurlTransport(on: loop),
                client: configuration.client
            ),
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        await engine.reportProgress(to: logger)
        await logger.start()
        return logger
    }

    /// The code of `Documentation/metrics.md`.
    static func measure(_ store: any PersistentStore, on loop: UVLoop) async {
        let gauges = StoreGauges(of: store, clock: UVClock(on: loop))
        await gauges.run(every: .seconds(15))
    }

    /// The code of `Documentation/publishing.md`.
    static func publish(
        _ store: any EventStore,
        by decider: SessionDecider,
        _ vault: any KeyVault,
        over transport: any Transport,
        on loop: UVLoop
    ) async throws {
        let publisher = OutboxPublisher(
            of: store,
            by: decider,
            authenticatedBy: vault,
            to: "https://hooks.example/payments",
            over: transport,
            from: FileOutboxPosition(path: "payments.outbox"),
            clock: UVClock(on: loop)
        )
        try await publisher.run()
    }

    /// The code of `Documentation/scaling.md`.
    static func openSharedStore(on loop: UVLoop) async throws -> PostgreSQLEventStore {
        let store = try await PostgreSQLEventStore(
            url: "postgres://engine@db1,db2/payments?sslmode=verify-full",
            loop: loop
        )
        return store
    }
}
