internal import EventLog

/// When the engine goes on after a failed request: exponential backoff with full jitter, or as the other side asks.
///
/// The random numbers come from a generator with a seed, so a simulated run can be repeated.
public struct RetrySchedule: Hashable, Sendable {
    /// The longest pause after the first failure; it doubles with each further one.
    public var base: Duration = .seconds(1)
    /// The longest pause at all.
    public var cap: Duration = .seconds(8)
    /// The shortest pause.
    public var floor: Duration = .milliseconds(250)
    /// The shortest pause after an answer was lost, so that the other side can finish what it may have begun.
    public var settling: Duration = .seconds(1)
    /// The longest wait that a `Retry-After` is granted.
    public var retryAfterCap: Duration = .seconds(300)
    /// The longest wait that a workflow is granted.
    public var delayCap: Duration = .seconds(300)

    /// The default schedule, to be changed member by member.
    public init() {}

    /// The time to go on at.
    ///
    /// - Parameters:
    ///   - outcome: What came of the request.
    ///   - delay: The least wait that the workflow knows for the outcome; the jitter comes on top of it. A
    ///     `Retry-After` counts instead.
    ///   - tries: How many tries failed before.
    ///   - now: When it failed.
    ///   - generator: Where the jitter comes from.
    func retryAt(
        after outcome: (some RequestOutcome)?,
        delay: Duration = .zero,
        tries: Int,
        now: Instant,
        using generator: inout SplitMix64
    ) -> Instant {
        let isUnknown = outcome?.isUnknown ?? true
        if let asked = outcome?.askedDelay {
            return now + max(min(asked, retryAfterCap), isUnknown ? max(settling, floor) : floor)
        }
        let doubled = base.wholeMicroseconds << Int64(min(max(tries, 0), 20))
        let ceiling = min(doubled, cap.wholeMicroseconds)
        let jitter = Int64(generator.next() % UInt64(max(ceiling, 1)))
        let least = max(min(delay, delayCap), .zero).wholeMicroseconds
        var pause = max(least + jitter, floor.wholeMicroseconds)
        if isUnknown {
            pause = max(pause, settling.wholeMicroseconds)
        }
        return now + .microseconds(pause)
    }
}

/// A small random number generator with a seed (SplitMix64): for jitter, never for secrets.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// A generator that starts from a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
