import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// One session per session URL, whichever process opens it and how often.
@Suite(.feature("N-51"), .timeLimit(.minutes(10))) struct AddressTests {
    @Test func `opening a known address returns its session and reads it again`() async throws {
        let fixture = EngineFixture()
        let address = ModelPSP.address(1)
        let first = try await fixture.engine.openOrRefetch(address, reference: "a")
        #expect(!first.wasKnown && first.session.cell == 0)
        try await fixture.settled(first.session)
        let before = try await fixture.events(of: first.session).count

        let second = try await fixture.engine.openOrRefetch(address, reference: "b", by: "shop")
        #expect(second == SessionOpening(session: first.session, wasKnown: true))
        try await fixture.settled(first.session)
        let events = try await fixture.events(of: first.session)
        #expect(
            events.dropFirst(before).map(\.event.typeName) == ["refetchRequested", "fetched"]
        )
        let state = try await fixture.engine.state(of: first.session)
        #expect(state.payment?.opening?.reference == "a")
        #expect(try await fixture.store.sessions(matching: SessionQuery()).count == 1)
        await fixture.engine.shutdown()
        #expect(await fixture.engine.sessionCount == 0)
        #expect(await fixture.engine.coreSessionCount == 0)
    }

    @Test func `a link to the same session with another trace identifier opens no second session`()
        async throws
    {
        let fixture = EngineFixture()
        let address = ModelPSP.address(1)
        let first = try await fixture.engine.openOrRefetch(address + "?_tc_tid=30f2168171e142d3")
        try await fixture.settled(first.session)
        for other in [address, address + "?_tc_tid=8ae14bd3c54b97b4"] {
            let second = try await fixture.engine.openOrRefetch(other)
            #expect(second == SessionOpening(session: first.session, wasKnown: true), "\(other)")
        }
        #expect(try await fixture.store.sessions(matching: SessionQuery()).count == 1)
        await fixture.engine.shutdown()
    }

    @Test func `two engines that open one address at the same time create one session`()
        async throws
    {
        let store = InMemoryEventStore()
        let psp = ModelPSP()
        let engines = [
            EngineFixture(on: store, psp: psp), EngineFixture(on: await store.another(), psp: psp),
        ]
        let openings = try await withThrowingTaskGroup(of: SessionOpening.self) { group in
            for racer in 0..<16 {
                group.addTask {
                    try await engines[racer % 2].engine.openOrRefetch(
                        ModelPSP.address(1),
                        preferences: [.card(rank: nil)]
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(openings.map(\.session)).count == 1)
        #expect(openings.filter { !$0.wasKnown }.count == 1)
        let session = try #require(openings.first).session
        #expect(try await engines[0].ended(session)?.outcome == .completed)
        #expect(psp.payments == [1])
        for fixture in engines { await fixture.engine.shutdown() }
        #expect(try await store.sessions(matching: SessionQuery()).count == 1)
        // The losers of the race are gone; the winner may have been in memory to the end.
        for fixture in engines {
            #expect(await fixture.engine.coreSessionCount <= 1)
            #expect(await fixture.engine.sessionCount == 0)
        }
    }

    @Test func `a refetch of an engine that stopped is performed by another engine`() async throws {
        let store = InMemoryEventStore()
        let psp = ModelPSP()
        let first = EngineFixture(on: store, psp: psp)
        let session = try await first.engine.open(ModelPSP.address(1))
        try await first.settled(session)
        await first.engine.shutdown()

        let asked = psp.requests.count
        let deaf = ModelPSP(hangsAt: 1...100)
        let second = EngineFixture(on: await store.another(), psp: deaf, clock: first.clock) {
            $0.shutdownGrace = .zero
        }
        #expect(try await second.engine.open(ModelPSP.address(1)) == session)
        await second.engine.shutdown()

        let third = EngineFixture(on: await store.another(), psp: psp, clock: first.clock)
        var due: [SessionID] = []
        for _ in 1...5000 where due.isEmpty {
            // It is due one polling interval after the last response.
            try await Task.sleep(for: .milliseconds(1))
            due = try await third.engine.resumeDue()
        }
        #expect(due == [session])
        try await third.settled(session)
        #expect(psp.requests.count == asked + 1)
        #expect(psp.requests.last == .session)
        await third.engine.shutdown()
    }

    @Test func `opening the address of a session whose key was destroyed throws and creates none`()
        async throws
    {
        let store = InMemoryEventStore()
        let vault = PlainVault()
        let first = EngineFixture(on: store, vault: vault)
        let session = try await first.engine.open(ModelPSP.address(1))
        try await first.settled(session)
        await first.engine.shutdown()
        vault.lose(session)
        let second = EngineFixture(on: await store.another(), vault: vault)
        await #expect(throws: EngineError.self) {
            _ = try await second.engine.open(ModelPSP.address(1))
        }
        #expect(try await store.sessions(matching: SessionQuery()).count == 1)
        await second.engine.shutdown()
    }
}

extension EngineFixture {
    /// Waits until nothing is pending on the engine's side.
    fileprivate func settled(_ session: SessionID) async throws {
        for await update in try await engine.updates(of: session) where update.isSettled { return }
    }
}
