import Adapters
import EventLog
import Foundation
import Inspection
import Sandbox
import SwedbankPay
import Workflow
import WorkflowTesting

/// An engine over HTTP against a sandbox, for tests in which a browser is the payer's client.
struct Payment {
    let sandbox: SandboxServer
    let engine: PaymentEngine

    /// Returns the client's next action, with the values that it needs in the clear.
    func action(
        _ kind: ActionView.Kind,
        of session: SessionID
    ) async throws -> ActionView {
        for await update in try await engine.updates(of: session) {
            guard update.isSettled || update.state.outcome != nil else { continue }
            let view = SessionView(
                update.state,
                by: engine.decider,
                disclosing: .masked,
                actions: .clear(try await engine.secrets(of: session))
            )
            if let action = view.actions.first(where: { $0.kind == kind }) { return action }
            let problem = update.state.problem.map { "\($0)" } ?? "no problem"
            let kinds = view.actions.map(\.kind)
            throw BrowserFailure(description: "asked for \(kinds), not \(kind); \(problem)")
        }
        throw BrowserFailure(description: "the session ended")
    }

    /// Returns the outcome of the session.
    func outcome(of session: SessionID) async throws -> Outcome? {
        for await update in try await engine.updates(of: session) {
            if let outcome = update.state.outcome { return outcome }
        }
        return nil
    }
}

/// Runs a test with an engine and a sandbox.
func withPayment(_ act: (Payment) async throws -> Void) async throws {
    let sandbox = try await SandboxServer.start(SandboxConfiguration())
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let loop = try UVLoop(name: "engine")
    var options = TransportConfiguration()
    options.allowsInsecureLoopback = true
    let transport = CurlTransport(on: loop, configuration: options)
    var payOptions = SwedbankPayOptions()
    payOptions.allowsInsecureLoopback = true
    let engine = PaymentEngine(
        configuration: PaymentConfiguration(),
        catalogue: .bundled,
        store: InMemoryEventStore(),
        provider: SwedbankPayProvider(transport: transport, options: payOptions),
        vault: try KeyFileVault(path: directory.appending(path: "key").path),
        clock: UVClock(on: loop),
        random: SystemRandom(),
        executor: loop
    )
    Task { [engine] in await engine.run() }
    let result: Result<Void, any Error>
    do {
        result = .success(try await act(Payment(sandbox: sandbox, engine: engine)))
    } catch {
        result = .failure(error)
    }
    await engine.shutdown()
    await transport.shutdown()
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            loop.shutdown()
            continuation.resume()
        }
    }
    await sandbox.shutdown()
    try result.get()
}
