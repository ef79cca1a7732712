import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// How sessions are loaded into memory and unloaded, and how an engine ends.
@Suite(.timeLimit(.minutes(10))) struct EngineLifeTests {
    @Test func `many callers can read the state of an unloaded session at the same time`()
        async throws
    {
        let fixture = EngineFixture()
        let session = try await fixture.open()
        _ = try await fixture.ended(session)
        for _ in 0..<20 {
            while await fixture.engine.coreSessionCount > 0 { await Task.yield() }
            try await withThrowingTaskGroup(of: SessionState.self) { group in
                for _ in 0..<8 { group.addTask { try await fixture.engine.state(of: session) } }
                for try await state in group { #expect(state.outcome == .completed) }
            }
        }
        await fixture.engine.shutdown()
    }

    @Test func `an engine that was shut down is deallocated, and its listeners end`() async throws {
        weak var engine: PaymentEngine?
        do {
            let fixture = EngineFixture()
            engine = fixture.engine
            Task { [engine = fixture.engine] in await engine.run() }
            let session = try await fixture.open()
            let updates = try await fixture.engine.updates(of: session)
            async let first: Void = fixture.engine.shutdown()
            async let again: Void = fixture.engine.shutdown()
            _ = await (first, again)
            #expect(await fixture.engine.workCount == 0)
            #expect(fixture.store.leases.isEmpty)
            for await _ in updates {}
            await #expect(throws: EngineError.self) {
                _ = try await fixture.engine.updates(of: session)
            }
        }
        for _ in 0..<10_000 where engine != nil { await Task.yield() }
        #expect(engine == nil)
    }

    @Test func `an engine whose task is canceled shuts down`() async throws {
        let fixture = EngineFixture()
        let running = Task { [engine = fixture.engine] in await engine.run() }
        let updates = try await fixture.engine.updates(of: try await fixture.open())
        running.cancel()
        await running.value
        #expect(await fixture.engine.workCount == 0)
        #expect(fixture.store.leases.isEmpty)
        for await _ in updates {}
        await #expect(throws: EngineError.self) { try await fixture.open() }
    }

    @Test(.feature("N-07"), .duty("C-15"))
    func `updates deliver every event once and in order, whichever engine wrote it`() async throws {
        let store = InMemoryEventStore()
        let first = EngineFixture(on: store)
        Task { [engine = first.engine] in await engine.run() }
        let session = try await first.engine.open(ModelPSP.address(1))
        let second = EngineFixture(
            on: await store.another(),
            psp: first.psp,
            vault: first.vault,
            clock: first.clock
        )
        var (start, isAsked): (SequenceNumber?, Bool) = (nil, false)
        var told: [RecordedEvent] = []
        for await update in try await first.engine.updates(of: session) {
            if start == nil { start = update.state.sequence }
            told += update.events
            #expect(told.last.map(\.sequence) ?? start == update.state.sequence)
            if update.isSettled, !isAsked {
                isAsked = true
                try await second.engine.abort(session)
            }
            if update.state.outcome != nil { break }
        }
        let all = try await first.events(of: session)
        #expect(told == Array(all.dropFirst(try #require(start).count)))
        #expect(SessionState.folding(all, of: session).outcome == .canceled)
        #expect(all.contains { $0.event == .abortRequested(AbortRequested(by: "host")) })
        await second.engine.shutdown()
        await first.engine.shutdown()
    }

    @Test func `a subscription that begins while the engine shuts down ends`() async throws {
        let store = InMemoryEventStore()
        let maker = EngineFixture(on: store)
        let session = try await maker.open()
        _ = try await maker.ended(session)
        await maker.engine.shutdown()
        for _ in 0..<50 {
            let fixture = EngineFixture(on: await store.another())
            let listener = Task {
                var count = 0
                for await _ in try await fixture.engine.updates(of: session) { count += 1 }
                return count
            }
            await Task.yield()
            await fixture.engine.shutdown()
            _ = await listener.result
            #expect(await fixture.engine.sessionCount == 0)
        }
    }

    @Test func `a canceled caller does not cut a shutdown short`() async throws {
        let fixture = EngineFixture(psp: ModelPSP(hangsAt: 2...2)) {
            $0.shutdownGrace = .seconds(2)
        }
        _ = try await fixture.open()
        while fixture.psp.requests.count < 2 { await Task.yield() }
        let caller = Task { await fixture.engine.shutdown() }
        caller.cancel()
        await caller.value
        #expect(await fixture.engine.workCount == 0)
        #expect(fixture.store.leases.isEmpty)
    }

    @Test func `sessions that cannot be resumed do not block those that can`() async throws {
        let store = InMemoryEventStore()
        let (psp, vault) = (ModelPSP(hangsAt: 1...1000), PlainVault())
        let first = EngineFixture(on: store, psp: psp, vault: vault) { $0.shutdownGrace = .zero }
        var sessions: [SessionID] = []
        for number in 0..<6 { sessions.append(try await first.open(number)) }
        await first.engine.shutdown()
        psp.recover()
        for session in sessions.dropLast() { vault.lose(session) }
        let second = EngineFixture(
            on: await store.another(),
            psp: psp,
            vault: vault,
            clock: first.clock
        ) { $0.adoptionBatch = 2 }
        let last = try #require(sessions.last)
        var taken: [SessionID] = []
        for _ in 0..<4 { taken += try await second.engine.resumeDue() }
        #expect(taken.first == last)
        await second.engine.shutdown()
    }

    @Test(.guarantee(.boundedEverything))
    func `a session beyond the limit is refused with engine.overloaded`() async throws {
        let fixture = EngineFixture(psp: ModelPSP(hangsAt: 1...1)) { $0.engineLimits.sessions = 1 }
        let session = try await fixture.open(1)
        let updates = try await fixture.engine.updates(of: session)
        let refused = await #expect(throws: EngineError.self) { _ = try await fixture.open(2) }
        #expect(refused?.code == "engine.overloaded")
        await fixture.engine.shutdown()
        for await _ in updates {}
    }

    @Test func `error descriptions do not contain the secret of a session URL`() async throws {
        let fixture = EngineFixture()
        fixture.store.fail(0..<1, with: .full)
        for address in [ModelPSP.address(1), "http://shop.example/\(ModelPSP.secret)"] {
            let thrown = await #expect(throws: EngineError.self) {
                _ = try await fixture.engine.open(address)
            }
            let error = try #require(thrown)
            #expect(!"\(error) \(String(reflecting: error))".contains(ModelPSP.secret))
        }
        await fixture.engine.shutdown()
    }
}
