import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import Workflow

/// Everything that a service needs: loop, HTTP, a SQLite file, keys and the engine, with the
/// sandbox PSP.
final class RunningEngine: Sendable {
    let loop: UVLoop
    let transport: CurlTransport
    let store: SQLiteEventStore
    let engine: PaymentEngine
    /// The hosts whose circuits close.
    let closings: AsyncStream<String>

    /// Starts an engine on a store in a directory; another one may use the same store.
    init(
        in directory: URL,
        access: OrderAccess = OrderAccess(),
        circuit: CircuitBreaker.Limits? = nil,
        configure: (inout PaymentConfiguration) -> Void = { _ in }
    ) async throws {
        loop = try UVLoop(name: "engine")
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        transport = CurlTransport(on: loop, configuration: options)
        var payOptions = SwedbankPayOptions()
        payOptions.allowsInsecureLoopback = true
        let plain = SwedbankPayProvider(
            transport: transport,
            options: payOptions,
            access: access
        )
        let guarded = circuit.map { GuardedProvider(plain, limits: $0) }
        closings = guarded?.closings ?? AsyncStream { $0.finish() }
        let provider: any PaymentProvider = guarded ?? plain
        store = try await SQLiteEventStore(
            path: directory.appending(path: "payments.db").path,
            loop: loop
        )
        let vault = try KeyFileVault(path: directory.appending(path: "payments.db.key").path)
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        // Waits are shorter than a service's, so that the tests are.
        configuration.sessionLimits.pollInterval = .milliseconds(400)
        configuration.retrySchedule.base = .milliseconds(200)
        configure(&configuration)
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: provider,
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
    }

    func shutdown() async {
        await engine.shutdown()
        await transport.shutdown()
        await store.close()
        await onThread { [loop] in loop.shutdown() }
    }

    /// Waits until the session settles or ends; returns the last update, or `nil` after the time
    /// limit.
    func settled(
        _ session: SessionID,
        ended: Bool = false,
        within limit: Duration = .seconds(30)
    ) async throws -> SessionState {
        let updates = try await engine.updates(of: session)
        let waiting = Task { () -> SessionState? in
            for await update in updates
            where ended ? update.state.outcome != nil : update.isSettled {
                return update.state
            }
            return nil
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            waiting.cancel()
        }
        defer { timer.cancel() }
        guard let state = await waiting.value else { throw NotSettled(session: session) }
        return state
    }

    struct NotSettled: Error {
        var session: SessionID
    }
}

/// Runs blocking work on a thread of its own.
func onThread(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            work()
            continuation.resume()
        }
    }
}

/// Runs a test with a directory that is removed afterwards.
func withDirectory<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}

extension SessionState {
    /// The open client actions.
    var openActions: [ClientAction] { self.actions.filter(\.isOpen) }
}
