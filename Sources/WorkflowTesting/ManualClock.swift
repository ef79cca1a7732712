public import EventLog
internal import SwedbankPay

/// A clock that stands still until a test moves it.
public struct ManualClock: Hashable, Sendable {
    /// The time.
    public private(set) var now: Instant

    /// When sample payments begin: 2026-11-20T12:00:00Z.
    public static let noon = Instant(microseconds: 1_795_176_000_000_000)

    /// A clock that shows a time.
    public init(now: Instant = ManualClock.noon) { self.now = now }

    /// Moves the clock on; a negative duration does nothing.
    public mutating func advance(by duration: Duration) { now = max(now, now + duration) }

    /// Moves the clock on to a time; one that is past does nothing.
    public mutating func advance(to instant: Instant) { now = max(now, instant) }
}
