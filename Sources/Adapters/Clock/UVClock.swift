public import EventLog
public import Workflow

/// The engine's clock on a libuv loop: wall-clock time, and waits that block no thread.
///
/// The wall clock may be set back; this clock never goes back. While the wall clock is behind, this
/// clock runs at half speed, so that near timers still fire soon and the two converge again. When
/// the wall clock jumps ahead, this clock follows once the jump has lasted for ten seconds.
///
/// - Note: Isolation: any.
public struct UVClock: EngineClock {
    private let loop: UVLoop
    private let reading: ThreadLock<SteadyReading>

    /// Creates a clock that waits on a loop.
    public init(on loop: UVLoop) {
        self.loop = loop
        reading = ThreadLock(
            SteadyReading(
                wall: LoopClock.wallMicroseconds(),
                monotonic: LoopClock.monotonicNanoseconds()
            )
        )
    }

    /// The current time: the wall clock's, unless that was set back or has just jumped ahead.
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

    /// Waits until an instant; returns early when the task is canceled or the loop ends.
    public func sleep(until instant: Instant) async {
        // Repeats only while the wall clock is behind.
        while true {
            let duration = instant - now()
            guard duration > .zero, (try? await loop.sleep(for: duration)) != nil else { return }
        }
    }
}

/// Derives a time that never goes back from the wall clock and the monotonic clock.
///
/// A recorded time cannot be corrected: a short jump ahead (a clock that is set wrongly and then
/// corrected) would stay in every log. So a jump is followed only when it lasts.
struct SteadyReading {
    /// How far ahead the wall clock must be to count as a jump, in nanoseconds.
    static let leap: Int64 = 2_000_000_000
    /// The duration of a jump after which it is followed, in nanoseconds.
    static let patience: Int64 = 10_000_000_000

    /// The last returned time in nanoseconds since 1970, and the monotonic clock at that time.
    private var last: (time: Int64, monotonic: Int64)
    /// When the current jump began, on the monotonic clock.
    private var leapingSince: Int64?

    init(wall: Int64, monotonic: Int64) { last = (wall * 1000, monotonic) }

    /// Returns the next time.
    ///
    /// It is the wall clock's; while that is behind, half of the elapsed time is added, and while
    /// it has jumped ahead, the elapsed time.
    ///
    /// - Parameters:
    ///   - wall: Microseconds since 1970-01-01 00:00 UTC.
    ///   - monotonic: Nanoseconds since a fixed moment.
    /// - Returns: Microseconds since 1970-01-01 00:00 UTC; never less than before.
    mutating func microseconds(wall: Int64, monotonic: Int64) -> Int64 {
        let passed = max(0, monotonic - last.monotonic)
        let time = time(wall: wall * 1000, passed: passed, monotonic: monotonic)
        last = (time, max(monotonic, last.monotonic))
        return time / 1000
    }

    private mutating func time(wall: Int64, passed: Int64, monotonic: Int64) -> Int64 {
        guard wall > last.time + passed + Self.leap else {
            leapingSince = nil
            return max(wall, last.time + passed / 2)
        }
        let since = leapingSince ?? monotonic
        leapingSince = since
        guard monotonic - since >= Self.patience else { return last.time + passed }
        leapingSince = nil
        return wall
    }
}
