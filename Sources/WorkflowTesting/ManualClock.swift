public import EventLog
internal import SwedbankPay

/// A clock that moves only when a test advances it.
public struct ManualClock: Hashable, Sendable {
    /// The time.
    public private(set) var now: Instant

    /// The start time of sample payments: 2026-11-20T12:00:00Z.
    public static let noon = Instant(microseconds: 1_795_176_000_000_000)

    /// Creates a clock that shows a time.
    public init(now: Instant = ManualClock.noon) { self.now = now }

    /// Advances the clock; a negative duration has no effect.
    public mutating func advance(by duration: Duration) { now = max(now, now + duration) }

    /// Advances the clock to a time; an earlier one has no effect.
    public mutating func advance(to instant: Instant) { now = max(now, instant) }
}
