import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// A service whose PSP fails for a while: resting sessions resume when the circuit of the host
/// closes.
@Suite(.feature("S-19")) struct CircuitRecoveryTests {
    @Test func `sessions at rest resume when their host's circuit closes, and none pays twice`()
        async throws
    {
        try await withDirectory { directory in
            var kind = SandboxConfiguration()
            kind.swishAppApprovalDelay = nil
            kind.swishApprovalDelay = .zero
            let sandbox = try await SandboxServer.start(kind)
            let service = try await RunningEngine(in: directory, circuit: Self.quick) {
                $0.sessionLimits.retryBudget = .milliseconds(1)
                $0.sessionLimits.tries = 1
            }
            var limits = RecoveryLimits()
            limits.pause = .zero
            limits.perSecond = 100
            let recovery = SessionRecovery(
                engine: service.engine,
                store: service.store,
                clock: UVClock(on: service.loop),
                limits: limits
            )
            let (outcomes, told) = AsyncStream<SessionRecovery.Outcome>.makeStream()
            let following = Task {
                await recovery.follow(service.closings) { told.yield($0) }
                told.finish()
            }
            var orders: [(SessionID, CreatedOrder)] = []
            for _ in 0..<4 {
                let created = try await sandbox.createOrder(SandboxOrder())
                let session = try await service.engine.open(
                    created.sessionURL,
                    allowsInsecureLoopback: true
                )
                _ = try await service.settled(session)
                orders.append((session, created))
            }
            await sandbox.injectFaults(
                with: [Fault(rel: "*", requests: .every, kind: .status(503))]
            )
            for (session, _) in orders.dropLast() {
                try await service.engine.attempt(
                    session,
                    with: .swish(msisdn: MSISDN("+46739000001"))
                )
                let failed = try await service.settled(session)
                #expect(failed.problem?.problem.kind == .requestFailed)
            }
            // The outage is over, and only a payer with another session sends a request: that is
            // the trial.
            await sandbox.injectFaults(with: [])
            let trial = orders[3].0
            for await outcome in asking(trial, of: service, outcomes) {
                #expect(outcome.failed.isEmpty)
                #expect(Set(outcome.recovered) == Set(orders.dropLast().map(\.0)))
                break
            }
            for (session, created) in orders.dropLast() {
                let paid = try await service.settled(session, ended: true)
                #expect(paid.outcome == .completed)
                let ledger = await sandbox.orderLedger(created.id)
                #expect(ledger?.doubles == [])
            }
            following.cancel()
            await service.shutdown()
            await sandbox.shutdown()
        }
    }

    /// A circuit that opens soon and rests briefly.
    private static let quick: CircuitBreaker.Limits = {
        var limits = CircuitBreaker.Limits()
        limits.results = 3
        limits.failurePercent = 10
        limits.rest = .milliseconds(50)
        limits.longestRest = .milliseconds(50)
        return limits
    }()

    /// Returns the results of recoveries, while a payer's session is read repeatedly, as a client
    /// does.
    private func asking(
        _ session: SessionID,
        of service: RunningEngine,
        _ outcomes: AsyncStream<SessionRecovery.Outcome>
    ) -> AsyncStream<SessionRecovery.Outcome> {
        let asking = Task {
            while !Task.isCancelled {
                _ = try? await service.engine.refetch(session)
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        let (stream, continuation) = AsyncStream<SessionRecovery.Outcome>.makeStream()
        let passing = Task {
            for await outcome in outcomes
            where !outcome.recovered.isEmpty || !outcome.failed.isEmpty {
                continuation.yield(outcome)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in
            asking.cancel()
            passing.cancel()
        }
        return stream
    }
}
