import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The engine's limits: requests that exceed them are refused.
@Suite(.timeLimit(.minutes(10))) struct EngineBoundsTests {
    @Test func `sessions that are being loaded count toward the limit`() async throws {
        let store = InMemoryEventStore()
        let maker = EngineFixture(on: store)
        var sessions: [SessionID] = []
        for number in 0..<4 { sessions.append(try await maker.open(number)) }
        for session in sessions { _ = try await maker.ended(session) }
        await maker.engine.shutdown()

        let vault = GatedVault(maker.vault)
        let engine = maker.second(on: await store.another(), vault: vault) {
            $0.engineLimits.sessions = 2
        }
        let asking = sessions.prefix(2).map { session in
            Task { try await engine.state(of: session) }
        }
        while await vault.waiting < 2 { await Task.yield() }
        await #expect(throws: EngineError.self) { _ = try await engine.state(of: sessions[2]) }
        let same = Task { [first = sessions[0]] in try await engine.state(of: first) }
        await vault.open()
        for task in asking { #expect(try await task.value.outcome == .completed) }
        #expect(try await same.value.outcome == .completed)
        #expect(try await engine.state(of: sessions[3]).outcome == .completed)
        await engine.shutdown()
    }

    @Test func `sessions whose keys are being created count toward the limit once they are loaded`()
        async throws
    {
        let maker = EngineFixture(psp: ModelPSP(hangsAt: 1...1000))
        let vault = GatedVault(maker.vault)
        let engine = maker.second(on: InMemoryEventStore(), vault: vault) {
            $0.engineLimits.sessions = 1
            $0.shutdownGrace = .zero
        }
        let opening = (0..<3).map { number in
            Task { () -> String in
                do throws(EngineError) {
                    _ = try await engine.open(ModelPSP.address(number))
                    return "opened"
                } catch {
                    return error.code
                }
            }
        }
        while await vault.waiting < 3 { await Task.yield() }
        await vault.open()
        var results: [String] = []
        for task in opening { results.append(await task.value) }
        #expect(results.sorted() == ["engine.overloaded", "engine.overloaded", "opened"])
        #expect(await engine.coreSessionCount == 1)
        await engine.shutdown()
        await maker.engine.shutdown()
    }

    @Test func `a listener beyond a session's limit is refused until another one leaves`()
        async throws
    {
        let fixture = EngineFixture(psp: ModelPSP(hangsAt: 1...1)) {
            $0.engineLimits.listeners = 2
            $0.shutdownGrace = .zero
        }
        let session = try await fixture.open()
        let updates = try await fixture.engine.updates(of: session)
        let leaving = Task { [engine = fixture.engine] in
            for await _ in try await engine.updates(of: session) {}
        }
        while await fixture.engine.listenerCount(of: session) != 2 { await Task.yield() }
        let refused = await #expect(throws: EngineError.self) {
            _ = try await fixture.engine.updates(of: session)
        }
        #expect(refused?.code == "engine.overloaded")
        #expect(refused?.description.contains("listeners") == true)
        // Listeners do not take the room of commands.
        _ = try await fixture.engine.state(of: session)

        leaving.cancel()
        while await fixture.engine.listenerCount(of: session) != 1 { await Task.yield() }
        _ = try await fixture.engine.updates(of: session)
        await fixture.engine.shutdown()
        for await _ in updates {}
    }

    @Test func `after a restart batches of due sessions follow each other without a pause`()
        async throws
    {
        let store = InMemoryEventStore()
        let psp = ModelPSP(hangsAt: 1...1000)
        let first = EngineFixture(on: store, psp: psp) { $0.shutdownGrace = .zero }
        for number in 0..<7 { _ = try await first.open(number) }
        await first.engine.shutdown()
        psp.recover()
        let second = EngineFixture(
            on: await store.another(),
            psp: psp,
            vault: first.vault,
            clock: first.clock
        ) {
            $0.adoptionBatch = 2
            // Longer than the test may last, at the clock's speed.
            $0.adoptionInterval = .seconds(100_000)
        }
        // The remaining requests of the first engine are due a little later.
        await second.clock.sleep(until: second.clock.now() + .seconds(10))
        Task { [engine = second.engine] in await engine.run() }
        var ended = 0
        while ended < 7 {
            let rows = try await second.store.sessions(matching: SessionQuery())
            ended = rows.count { $0.outcome == "completed" }
            await Task.yield()
        }
        await second.engine.shutdown()
    }

    @Test(.timeLimit(.minutes(10)))
    func `after a restart sessions that wait for the PSP do not hold up the others`() async throws {
        let store = InMemoryEventStore()
        let psp = ModelPSP(hangsAt: 1...1000)
        let first = EngineFixture(on: store, psp: psp) { $0.shutdownGrace = .zero }
        var sessions: [SessionID] = []
        for number in 0..<7 { sessions.append(try await first.open(number)) }
        await first.engine.shutdown()
        let second = EngineFixture(
            on: await store.another(),
            psp: psp,
            vault: first.vault,
            clock: first.clock
        ) {
            $0.adoptionBatch = 2
            $0.adoptionInterval = .seconds(100_000)
            $0.shutdownGrace = .zero
        }
        let begin = second.clock.now() + .seconds(10)
        await second.clock.sleep(until: begin)
        // A client of the first one returns before the engine polls for due sessions.
        let updates = try await second.engine.updates(of: sessions[0])
        Task { [engine = second.engine] in await engine.run() }
        while await second.engine.sessionCount < 7, second.clock.now() < begin + .seconds(50_000) {
            await Task.yield()
        }
        #expect(await second.engine.sessionCount == 7)
        await second.engine.shutdown()
        for await _ in updates {}
    }
}

extension EngineFixture {
    /// Returns another engine with the same PSP, and with keys of another vault.
    fileprivate func second(
        on store: InMemoryEventStore,
        vault: GatedVault,
        configure: (inout PaymentConfiguration) -> Void
    ) -> PaymentEngine {
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        configure(&configuration)
        return PaymentEngine(
            configuration: configuration,
            catalogue: .sample,
            store: store,
            provider: psp,
            vault: vault,
            clock: clock,
            random: AnyBytes(),
            executor: loop
        )
    }
}

/// A vault that responds once it is opened.
private final class GatedVault: KeyVault {
    private actor Gate {
        private var isOpen = false
        private var callers: [CheckedContinuation<Void, Never>] = []

        /// The number of waiting callers.
        var waiting: Int { callers.count }

        func open() {
            isOpen = true
            for caller in callers { caller.resume() }
            callers = []
        }

        func pass() async {
            guard !isOpen else { return }
            await withCheckedContinuation { callers.append($0) }
        }
    }

    private let vault: PlainVault
    private let gate = Gate()

    init(_ vault: PlainVault) { self.vault = vault }

    /// The number of waiting callers.
    var waiting: Int { get async { await gate.waiting } }

    func open() async { await gate.open() }

    func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        await gate.pass()
        return try await vault.makeKeys(for: session)
    }

    func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        await gate.pass()
        return try await vault.keys(unwrapping: wrapped, for: session)
    }

    func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        try await vault.addressFingerprint(of: address)
    }
}
