public import EventLog
internal import SwedbankPay
public import Workflow

/// The engine's clock on a libuv loop: the wall clock, and waits that keep no thread.
///
/// The wall clock may be set back; this one never goes back. It then runs at half speed until the wall clock has caught
/// up, so that what is due soon happens soon, and the two come together again. A wall clock that leaps ahead is followed
/// once that has lasted for ten seconds.
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

    /// The time: the wall clock's, unless that was set back or has just leapt ahead.
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
///
/// What is recorded can't be taken back, and neither can a time: a leap ahead that lasts a moment (a clock that is set
/// wrongly and corrected) would stay in every log. So it is believed only when it lasts.
struct SteadyReading {
    /// How far ahead the wall clock may be before that is a leap, in nanoseconds.
    static let leap: Int64 = 2_000_000_000
    /// How long a leap has to last to be believed, in nanoseconds.
    static let patience: Int64 = 10_000_000_000

    /// The time that was told last, in nanoseconds since 1970, and the monotonic clock then.
    private var last: (time: Int64, monotonic: Int64)
    /// Since when the wall clock is a leap ahead, by the monotonic clock.
    private var leapingSince: Int64?

    init(wall: Int64, monotonic: Int64) { last = (wall * 1000, monotonic) }

    /// The time: the wall clock's; while it is behind, half of what passes; while it leaps, what passes.
    ///
    /// - Parameters:
    ///   - wall: Microseconds since 1970-01-01 00:00 UTC.
    ///   - monotonic: Nanoseconds since some moment.
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
