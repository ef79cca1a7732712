public import Workflow

/// The engine's clock on a libuv loop: the wall clock, and waits that keep no thread.
///
/// - Note: Isolation: any.
public struct UVClock: EngineClock {
    private let loop: UVLoop

    /// A clock that waits on a loop.
    public init(on loop: UVLoop) { self.loop = loop }

    /// The wall clock; the engine never lets a session's time go back with it.
    public func now() -> Instant { Instant(microseconds: LoopClock.wallMicroseconds()) }

    /// Waits until a time; returns early when the task is cancelled or the loop ends.
    public func sleep(until instant: Instant) async {
        let duration = instant - now()
        guard duration > .zero else { return }
        try? await loop.sleep(for: duration)
    }
}
