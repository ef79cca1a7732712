import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// A session whose sealed values cannot be opened: its error, and how it continues once they can.
@Suite(.timeLimit(.minutes(10))) struct LostSecretTests {
    /// A session that waits for the payer's choice, of an engine that has ended.
    private func readySession() async throws -> (
        store: InMemoryEventStore, fixture: EngineFixture, session: SessionID
    ) {
        let store = InMemoryEventStore()
        let fixture = EngineFixture(on: store)
        let session = try await fixture.engine.open(ModelPSP.address(1))
        for await update in try await fixture.engine.updates(of: session) where update.isSettled {
            break
        }
        await fixture.engine.shutdown()
        return (store, fixture, session)
    }

    /// Returns another engine for the same session.
    private func successor(
        of first: EngineFixture,
        on store: InMemoryEventStore,
        _ loss: FaultyStore.SealLoss?
    ) async -> EngineFixture {
        let fixture = EngineFixture(
            on: await store.another(),
            psp: first.psp,
            vault: first.vault,
            clock: first.clock
        )
        fixture.store.loseSeals(loss)
        return fixture
    }

    @Test(arguments: FaultyStore.SealLoss.allCases)
    func `a request whose address cannot be unsealed stalls the session until a retry`(
        loss: FaultyStore.SealLoss
    ) async throws {
        let (store, first, session) = try await readySession()
        let requests = first.psp.requests
        let before = try await first.events(of: session)

        let second = await successor(of: first, on: store, loss)
        try await second.engine.abort(session)
        var stalled: SessionState?
        for await update in try await second.engine.updates(of: session) where update.isSettled {
            stalled = update.state
            break
        }
        let problem = try #require(stalled?.problem?.problem)
        #expect(problem.code == "engine.secret-missing" && problem.title == nil)
        #expect(problem.actor == .merchant)
        #expect(problem.isRetryable)
        await second.engine.shutdown()
        #expect(first.psp.requests == requests)
        let events = try await first.events(of: session)
        #expect(Array(events.prefix(before.count)) == before)
        #expect(!"\(events)".contains(ModelPSP.secret))

        let third = await successor(of: first, on: store, nil)
        try await third.engine.retry(session)
        try await third.engine.abort(session)
        #expect(try await third.ended(session)?.outcome == .canceled)
        await third.engine.shutdown()
    }

    @Test(arguments: FaultyStore.SealLoss.allCases)
    func `an attempt whose secret cannot be unsealed is refused by its name, and works later`(
        loss: FaultyStore.SealLoss
    ) async throws {
        let (store, first, session) = try await readySession()
        let before = try await first.events(of: session)

        let second = await successor(of: first, on: store, loss)
        let error = try await #require(throws: EngineError.self) {
            try await second.engine.attempt(session, with: .card(rank: 1))
        }
        #expect(error.code == "engine.secret-missing")
        #expect("\(error)".hasPrefix("sealed value 0 of attemptStarted"))
        #expect(!"\(error)".contains(ModelPSP.secret))
        await second.engine.shutdown()
        #expect(try await first.events(of: session) == before)

        let third = await successor(of: first, on: store, nil)
        try await third.engine.attempt(session, with: .card(rank: 1))
        #expect(try await third.ended(session)?.outcome == .completed)
        #expect(first.psp.payments == [1])
        await third.engine.shutdown()
    }

    @Test func `a session whose key is missing stays unchanged and resumes by itself with the key`()
        async throws
    {
        let store = InMemoryEventStore()
        let (psp, vault) = (ModelPSP(hangsAt: 2...2), PlainVault())
        let first = EngineFixture(on: store, psp: psp, vault: vault) { $0.shutdownGrace = .zero }
        let session = try await first.open()
        while psp.requests.count < 2 { await Task.yield() }
        await first.engine.shutdown()
        psp.recover()
        let before = try await first.events(of: session)

        vault.lose(session)
        let second = EngineFixture(
            on: await store.another(),
            psp: psp,
            vault: vault,
            clock: first.clock
        ) { $0.adoptionInterval = .seconds(1) }
        Task { [engine = second.engine] in await engine.run() }
        let error = try await #require(throws: EngineError.self) {
            try await second.engine.retry(session)
        }
        #expect(error.code == "vault.missing")
        for _ in 0..<3 { #expect(try await second.engine.resumeDue().isEmpty) }
        #expect(try await first.events(of: session) == before)

        vault.find(session)
        var events = before
        while SessionState.folding(events, of: session).outcome == nil {
            await Task.yield()
            events = try await first.events(of: session)
        }
        #expect(SessionState.folding(events, of: session).outcome == .completed)
        #expect(psp.payments == [1])
        await second.engine.shutdown()
    }
}
