import Adapters
import EventLog
import Foundation
import SwedbankPay
import Workflow

/// Everything that an embedding service needs: loop, HTTP, a store, keys and the engine.
final class Service: Sendable {
    let loop: UVLoop
    let transport: CurlTransport
    let store: any DeliveryStore
    let engine: PaymentEngine
    /// The payer's own connection to the PSP.
    let payer: CurlTransport

    /// The token shown to the PSP when an order is created.
    static let accessToken = "campaign"

    init(store path: String, sabotage: Sabotage?) async throws {
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
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: sabotage == .startTwice ? TwiceStarting(provider: provider) : provider,
            vault: try KeyFileVault(path: variables["CAMPAIGN_KEY_FILE"] ?? path + ".key"),
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
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
