@testable import Adapters

/// An actor that lives on a loop, as the engine does.
actor LoopActor {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(on loop: UVLoop) { self.loop = loop }

    /// Counts, and says whether that happened on the loop's thread.
    func increment() -> Bool {
        count += 1
        return loop.isOnLoop
    }

    /// Reads, gives way and writes: loses counts if two jobs ever run at the same time.
    func incrementSlowly() {
        let before = count
        for _ in 0..<50 { _ = LoopClock.monotonicNanoseconds() }
        count = before + 1
    }

    /// Claims to be isolated, wherever it is called.
    nonisolated func pretend() {
        assumeIsolated { $0.count += 1 }
    }
}
