import Foundation
import Synchronization
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// An engine with everything that it needs, in memory: a PSP model, a store, keys, a loop and a
/// fast clock.
struct EngineFixture: Sendable {
    let loop = QueueLoop()
    let clock: HurriedClock
    let store: FaultyStore
    let psp: ModelPSP
    let vault: PlainVault
    let engine: PaymentEngine

    /// Creates an engine with a store, or with a new one.
    init(
        on store: InMemoryEventStore = InMemoryEventStore(),
        psp: ModelPSP = ModelPSP(),
        vault: PlainVault = PlainVault(),
        clock: HurriedClock = HurriedClock(),
        configure: (inout PaymentConfiguration) -> Void = { _ in }
    ) {
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        configure(&configuration)
        self.store = FaultyStore(store)
        self.psp = psp
        self.vault = vault
        self.clock = clock
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .sample,
            store: self.store,
            provider: psp,
            vault: vault,
            clock: clock,
            random: AnyBytes(),
            executor: loop
        )
    }

    /// Opens a session that pays by itself, with a saved card.
    func open(_ number: Int = 1) async throws(EngineError) -> SessionID {
        try await engine.open(ModelPSP.address(number), preferences: [.card(rank: nil)])
    }

    /// Waits until the session has ended.
    func ended(_ session: SessionID) async throws -> SessionState? {
        for await update in try await engine.updates(of: session)
        where update.state.outcome != nil {
            return update.state
        }
        return nil
    }

    /// Returns the stored events of a session, and checks the chain.
    func events(of session: SessionID) async throws -> [RecordedEvent] {
        let records = try await store.read(session, from: 1, limit: 10_000)
        var verifier = LogVerifier<SessionEvent>(stream: session)
        for record in records { try verifier.check(record) }
        return try records.map { try EventCodec.decode($0.canonical) }
    }
}

/// A serial queue as the executor of actors and tasks.
final class QueueLoop: SerialExecutor, TaskExecutor {
    private let queue = DispatchQueue(label: "engine")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor()
            )
        }
    }
}

/// A clock that runs several hundred times as fast as real time.
struct HurriedClock: EngineClock {
    private let start = ContinuousClock.now
    private static let speed = 500

    func now() -> Instant { ManualClock.noon + start.duration(to: .now) * Self.speed }

    func sleep(until instant: Instant) async {
        try? await Task.sleep(for: (instant - now()) / Self.speed)
    }
}

/// Keys that are not wrapped; it can lose those of some sessions.
final class PlainVault: KeyVault {
    private let lost = Mutex<Set<SessionID>>([])

    func lose(_ session: SessionID) { lost.withLock { _ = $0.insert(session) } }

    func find(_ session: SessionID) { lost.withLock { _ = $0.remove(session) } }

    func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        let key = AnyBytes().bytes(SessionKeys.dataKeyBytes)
        return (try await keys(unwrapping: key, for: session), key)
    }

    func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        guard !lost.withLock({ $0.contains(session) }),
            let keys = SessionKeys(dataKey: wrapped)
        else { throw .missing(reason: "lost on purpose") }
        return keys
    }

    func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        Sealed.sample(address).fingerprint
    }
}

/// Unpredictable bytes.
struct AnyBytes: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
}
