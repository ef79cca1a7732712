public import Workflow

/// The engine's clock on a libuv loop: the wall clock, and waits that keep no thread.
///
/// The wall clock may be set back; this one never goes back. It then runs at half speed until the wall clock has caught
/// up, so that what is due soon happens soon, and the two come together again.
///
/// - Note: Isolation: any.
public struct UVClock: EngineClock {
    private let loop: UVLoop
    private let reading: LoopLock<SteadyReading>

    /// A clock that waits on a loop.
    public init(on loop: UVLoop) {
        self.loop = loop
        reading = LoopLock(
            SteadyReading(
                wall: LoopClock.wallMicroseconds(),
                monotonic: LoopClock.monotonicNanoseconds()
            )
        )
    }

    /// The time: the wall clock's, unless that was set back.
    public func now() -> Instant {
        reading.withLock {
            Instant(
                microseconds: $0.microseconds(
                    wall: LoopClock.wallMicroseconds(),
                    monotonic: LoopClock.monotonicNanoseconds()
                )
            )
        }
    }

    /// Waits until a time; returns early when the task is cancelled or the loop ends.
    public func sleep(until instant: Instant) async {
        // More than once only while the wall clock is behind.
        while true {
            let duration = instant - now()
            guard duration > .zero, (try? await loop.sleep(for: duration)) != nil else { return }
        }
    }
}

/// Makes a time that never goes back out of the wall clock and the monotonic one.
struct SteadyReading {
    /// The time that was told last when the wall clock was not behind, and the monotonic clock then.
    private var anchor: (microseconds: Int64, monotonic: Int64)

    init(wall: Int64, monotonic: Int64) { anchor = (wall, monotonic) }

    /// The time: the wall clock, or half of what has passed since the anchor, whichever is later.
    ///
    /// - Parameters:
    ///   - wall: Microseconds since 1970-01-01 00:00 UTC.
    ///   - monotonic: Nanoseconds since some moment.
    mutating func microseconds(wall: Int64, monotonic: Int64) -> Int64 {
        let steady = anchor.microseconds + (monotonic - anchor.monotonic) / 2_000
        guard wall >= steady else { return steady }
        anchor = (wall, monotonic)
        return wall
    }
}
