import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The engine's shell: callers, subscribers, shutdown, failing stores, and engines that share a
/// store.
@Suite(.timeLimit(.minutes(10))) struct PaymentEngineTests {
    @Test(arguments: 1..<5, [true, false])
    func `a payment whose nth append fails once is still paid exactly once`(
        nth: Int,
        isWritten: Bool
    ) async throws {
        let fixture = EngineFixture()
        fixture.store.fail(nth..<(nth + 1), with: Self.failure(isWritten), isWritten: isWritten)
        let session = try await fixture.open()
        let state = try #require(try await fixture.ended(session))
        #expect(state.outcome == .completed)
        #expect(fixture.psp.payments == [1])
        #expect(fixture.psp.requests.filter { $0 == .startPaymentAttempt }.count == 1)
        let events = try await fixture.events(of: session)
        #expect(SessionState.folding(events, of: session) == state)
        await fixture.engine.shutdown()
    }

    @Test(arguments: [true, false])
    func `a session whose opening fails is not kept in memory`(isWritten: Bool) async throws {
        let fixture = EngineFixture()
        fixture.store.fail(0..<1, with: Self.failure(isWritten), isWritten: isWritten)
        await #expect(throws: EngineError.self) { _ = try await fixture.open() }
        let found = try await fixture.store.sessions(matching: SessionQuery())
        #expect(found.count == (isWritten ? 1 : 0))
        // A session that was written after all is one like any other.
        for summary in found {
            #expect(try await fixture.ended(summary.session)?.outcome == .completed)
        }
        for _ in 0..<10_000 where await fixture.engine.coreSessionCount > 0 { await Task.yield() }
        #expect(await fixture.engine.coreSessionCount == 0)
        #expect(await fixture.engine.sessionCount == 0)
        await fixture.engine.shutdown()
    }

    private static func failure(_ isWritten: Bool) -> EventStoreError {
        isWritten ? .inputOutput(reason: "fsync", code: 5) : .busy
    }

    @Test(arguments: 1..<5)
    func `a payment survives a full disk and is paid once when the disk has room`(
        nth: Int
    ) async throws {
        let fixture = EngineFixture()
        fixture.store.fail(nth..<Int.max, with: .full)
        let session = try await fixture.open()
        let updates = try await fixture.engine.updates(of: session)
        var failures = 0
        var paid: SessionState?
        for await update in updates {
            if update.storeFailure == .full { failures += 1 }
            if failures == 3 { fixture.store.recover() }
            if failures == 0, update.state.outcome == nil { continue }
            if update.state.outcome != nil {
                paid = update.state
                break
            }
        }
        #expect(failures >= 3)
        #expect(paid?.outcome == .completed)
        #expect(fixture.psp.payments == [1])
        await fixture.engine.shutdown()
    }

    @Test(arguments: 1...6)
    func `a payment whose engine stops at any request is paid once by another engine`(
        request: Int
    ) async throws {
        let store = InMemoryEventStore()
        let psp = ModelPSP(hangsAt: request...request)
        let first = EngineFixture(on: store, psp: psp) { $0.shutdownGrace = .zero }
        let session = try await first.open()
        while psp.requests.count < min(request, 4) { await Task.yield() }
        await first.engine.shutdown()
        #expect(first.store.leases.isEmpty)
        psp.recover()

        let second = EngineFixture(on: await store.another(), psp: psp)
        try await second.engine.resume(session)
        let paid = try #require(try await second.ended(session))
        #expect(paid.outcome == .completed)
        #expect(psp.payments == [1])
        await second.engine.shutdown()
    }

    @Test func `a thousand sessions at once are each paid once`() async throws {
        let fixture = EngineFixture()
        let count = 1000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let session = try await fixture.open(number)
                    let state = try await fixture.ended(session)
                    #expect(state?.outcome == .completed)
                }
            }
            try await group.waitForAll()
        }
        #expect(fixture.psp.payments == Array(repeating: 1, count: count))
        await fixture.engine.shutdown()
        #expect(fixture.store.leases.isEmpty)
        #expect(await fixture.engine.coreSessionCount == 0)
    }

    @Test func `a canceled caller of resume still gets the session's state`() async throws {
        let fixture = EngineFixture(psp: ModelPSP(hangsAt: 1...1))
        let session = try await fixture.open()
        let caller = Task { try await fixture.engine.resume(session) }
        caller.cancel()
        #expect(try await caller.value.sequence >= 1)
        await fixture.engine.shutdown()
    }

    @Test func `a command whose caller is canceled is recorded and carried out all the same`()
        async throws
    {
        let fixture = EngineFixture()
        let session = try await fixture.engine.open(ModelPSP.address(1))
        for await update in try await fixture.engine.updates(of: session) where update.isSettled {
            break
        }
        let caller = Task { try await fixture.engine.abort(session) }
        caller.cancel()
        #expect(try await caller.value.sequence > 1)
        #expect(try await fixture.ended(session)?.outcome == .canceled)
        let events = try await fixture.events(of: session)
        #expect(events.filter { $0.event.typeName == "abortRequested" }.count == 1)
        #expect(fixture.psp.requests.filter { $0 == .abortPayment }.count == 1)
        #expect(fixture.psp.payments == [0])
        await fixture.engine.shutdown()
    }
}
