import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import Synchronization
import Workflow

/// An engine as a service sets it up, with its guard, whose requests are counted on both sides of
/// the guard.
final class LoadBench: Sendable {
    let loop: UVLoop
    let transport: CurlTransport
    let store: SQLiteEventStore
    let engine: PaymentEngine
    /// The requests of the engine.
    let asked: CountingProvider
    /// The requests that the guard let through.
    let sent: CountingProvider

    /// The orders whose payers have been asked in Swish.
    private let polled = Mutex<[String]>([])

    /// Starts an engine on a store in a directory.
    init(
        in directory: URL,
        breaker: CircuitBreaker.Limits = CircuitBreaker.Limits(),
        budget: RetryBudget.Limits = RetryBudget.Limits(),
        configure: (inout PaymentConfiguration) -> Void = { _ in },
        http configureHTTP: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws {
        loop = try UVLoop(name: "engine")
        var http = TransportConfiguration()
        http.allowsInsecureLoopback = true
        configureHTTP(&http)
        transport = CurlTransport(on: loop, configuration: http)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        sent = CountingProvider(SwedbankPayProvider(transport: transport, options: options))
        asked = CountingProvider(GuardedProvider(sent, limits: breaker, budget: budget))
        store = try await SQLiteEventStore(
            path: directory.appending(path: "payments.db").path,
            loop: loop
        )
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        configure(&configuration)
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: asked,
            vault: try KeyFileVault(path: directory.appending(path: "payments.db.key").path),
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

    /// Opens sessions that wait for their payers in the Swish app and are polled meanwhile.
    func openPolled(
        _ count: Int,
        at sandbox: SandboxServer,
        approvedAfter delay: Duration = .seconds(3600)
    ) async throws -> [SessionID] {
        try await withThrowingTaskGroup(of: SessionID.self) { group in
            for _ in 0..<count {
                group.addTask {
                    var order = SandboxOrder()
                    order.scenario.swishApproval = .after(delay)
                    let created = try await sandbox.createOrder(order)
                    self.polled.withLock { $0.append(created.id) }
                    let session = try await self.engine.open(
                        created.sessionURL,
                        preferences: [.swish(msisdn: MSISDN("+46739000001"))],
                        allowsInsecureLoopback: true
                    )
                    for await update in try await self.engine.updates(of: session)
                    where update.state.payment?.attempt?.isStarted == true
                        && update.state.running == nil
                    {
                        break
                    }
                    return session
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Has every payer who was asked in Swish pay.
    func payEverything(at sandbox: SandboxServer) async throws {
        for order in polled.withLock({ $0 }) {
            try await sandbox.carryOut(.devicePays(), order: order)
        }
    }

    /// Retries the sessions that stop with a problem, as their host would, until all have ended: a
    /// session may stop because of a response that the PSP sent long ago.
    func retryUntilEnded(_ sessions: [SessionID]) async throws {
        try await until("every session has ended") {
            var areOver = true
            for session in sessions {
                let state = try await engine.state(of: session)
                if state.outcome != nil { continue }
                areOver = false
                if state.problem?.problem.isRetryable == true {
                    _ = try? await engine.retry(session)
                }
            }
            return areOver
        }
    }

    /// Returns the outcomes of the sessions, once all have ended.
    func outcomes(of sessions: [SessionID]) async throws -> [Outcome?: Int] {
        var outcomes: [Outcome?: Int] = [:]
        for session in sessions {
            let outcome = try await ended(session)
            outcomes[outcome, default: 0] += 1
        }
        return outcomes
    }

    private func ended(_ session: SessionID) async throws -> Outcome? {
        for await update in try await engine.updates(of: session)
        where update.state.outcome != nil {
            return update.state.outcome
        }
        return nil
    }
}

/// A provider that counts its requests, by kind.
final class CountingProvider: PaymentProvider {
    struct Counts: Sendable {
        /// The first requests of steps.
        var firsts = 0
        /// Repeated requests of steps.
        var repetitions = 0
        /// Requests that have a response, or failed.
        var answered = 0
        /// The number of reports of each failure.
        var codes: [String: Int] = [:]

        var all: Int { firsts + repetitions }
        var underWay: Int { all - answered }
    }

    /// A request that leaves, or its response.
    struct Event {
        var rel: Rel
        var address: String
        var isAnswer: Bool
    }

    private let provider: any PaymentProvider
    private let book = LockedValue(Counts())
    private let observer = LockedValue<(@Sendable (Event) -> Void)?>(nil)

    init(_ provider: any PaymentProvider) { self.provider = provider }

    /// Calls a closure for each request and each response.
    func observe(_ see: @escaping @Sendable (Event) -> Void) { observer.withLock { $0 = see } }

    var counts: Counts { book.withLock { $0 } }

    func perform(_ request: ProviderRequest) async -> ProviderResponse {
        let isRepetition = request.tryNumber > 1
        book.withLock {
            if isRepetition { $0.repetitions += 1 } else { $0.firsts += 1 }
        }
        let see = observer.withLock { $0 }
        see?(Event(rel: request.rel, address: request.address, isAnswer: false))
        let response = await provider.perform(request)
        book.withLock { $0.answered += 1 }
        see?(Event(rel: request.rel, address: request.address, isAnswer: true))
        if case .failed(_, let code, _) = response.outcome {
            book.withLock { $0.codes[code, default: 0] += 1 }
        }
        return response
    }
}

/// A value that several threads use in turn.
final class LockedValue<Value>: @unchecked Sendable {
    // Unchecked: the value is accessed only with the lock held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// Waits for a condition that no event announces.
func until(
    _ what: String,
    within limit: Duration = .seconds(300),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverTrue(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

struct NeverTrue: Error {
    var what: String
}
