@testable import UVTransport

/// An actor whose executor is a loop, like the engine.
actor LoopActor {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(on loop: UVLoop) { self.loop = loop }

    /// Increments a counter, and returns whether this ran on the loop's thread.
    func increment() -> Bool {
        count += 1
        return loop.isOnLoop
    }

    /// Reads, yields and writes: loses increments if two jobs ever run at the same time.
    func incrementSlowly() {
        let before = count
        for _ in 0..<50 { _ = LoopClock.monotonicNanoseconds() }
        count = before + 1
    }

    /// Asserts isolation, from wherever it is called.
    nonisolated func pretend() {
        assumeIsolated { $0.count += 1 }
    }
}
