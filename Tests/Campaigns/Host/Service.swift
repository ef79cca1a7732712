import Adapters
import EventLog
import Foundation
import HTTPTypes
import SwedbankPay
import Synchronization
import Workflow

/// Everything that an embedding service needs: loop, HTTP, a store, keys and the engine.
final class Service: Sendable {
    let loop: UVLoop
    let transport: CurlTransport
    let store: any DeliveryStore
    let vault: KeyFileVault
    let engine: PaymentEngine
    /// The payer's own connection to the PSP.
    let payer: CurlTransport
    private let sabotage: Sabotage?

    /// The token shown to the PSP when an order is created.
    static let accessToken = "campaign"

    init(store path: String, sabotage: Sabotage?) async throws {
        self.sabotage = sabotage
        loop = try UVLoop(name: "campaign")
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        transport = CurlTransport(on: loop, configuration: options)
        payer = CurlTransport(on: loop, configuration: options)
        var payOptions = SwedbankPayOptions()
        payOptions.allowsInsecureLoopback = true
        let provider = SwedbankPayProvider(
            transport: transport,
            options: payOptions,
            access: OrderAccess(accessToken: { _ in Self.accessToken })
        )
        let isServer = path.hasPrefix("postgres://")
        let variables = ProcessInfo.processInfo.environment
        if isServer {
            let lease = variables["CAMPAIGN_LEASE"].flatMap { Int($0) } ?? 10_000
            store = try await PostgreSQLEventStore(
                url: path,
                loop: loop,
                options: PostgreSQLOptions(
                    statementTimeout: .seconds(5),
                    leaseTime: .milliseconds(lease),
                    node: "campaign-\(getpid())"
                )
            )
        } else {
            store = try await SQLiteEventStore(path: path, loop: loop)
        }
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = .milliseconds(200)
        if let balancing = variables["CAMPAIGN_BALANCING"].flatMap({ Int($0) }) {
            configuration.balancingInterval = .milliseconds(balancing)
        }
        configuration.node = "campaign-\(getpid())"
        vault = try KeyFileVault(path: variables["CAMPAIGN_KEY_FILE"] ?? path + ".key")
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: sabotage == .startTwice ? TwiceStarting(provider: provider) : provider,
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
    }

    /// Publishes all events to a receiver, from the position in a file.
    func publish(to url: String, from position: String) async throws {
        let publisher = OutboxPublisher(
            of: store,
            by: engine.decider,
            authenticatedBy: vault,
            to: url,
            over: sabotage == .skipBatch ? SkippingTransport(over: payer) : payer,
            from: FileOutboxPosition(path: position),
            clock: UVClock(on: loop),
            options: OutboxOptions(maximumRecords: 20)
        )
        try await publisher.publishAll(within: .seconds(60))
    }

    func stop() async {
        await engine.shutdown()
        await transport.shutdown()
        await payer.shutdown()
        await store.close()
    }
}

/// A provider that calls the PSP twice for each attempt: a double payment that only the PSP's
/// ledger shows.
private struct TwiceStarting: PaymentProvider {
    let provider: SwedbankPayProvider

    func perform(_ request: ProviderRequest) async -> ProviderResponse {
        if request.rel == .startPaymentAttempt { _ = await provider.perform(request) }
        return await provider.perform(request)
    }
}

/// A transport that accepts its first request instead of sending it: a gap that only the receiver
/// of the events shows.
private final class SkippingTransport: Transport {
    private let transport: CurlTransport
    private let hasSkipped = Mutex(false)

    init(over transport: CurlTransport) { self.transport = transport }

    func perform(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let isFirst = hasSkipped.withLock { hasSkipped in
            defer { hasSkipped = true }
            return !hasSkipped
        }
        guard isFirst else { return try await transport.perform(request) }
        return TransportResponse(
            status: 204,
            headers: [:],
            body: [],
            protocolVersion: "HTTP/1.1",
            duration: .zero
        )
    }
}
