internal import EventLog

/// When the engine continues after a failed request: exponential backoff with full jitter, or as
/// the other side asks.
///
/// The random numbers come from a seeded generator, so that a simulated run can be repeated.
public struct RetrySchedule: Hashable, Sendable {
    /// The maximum pause after the first failure; it doubles with each further one.
    public var base: Duration = .seconds(1)
    /// The upper limit of that maximum.
    public var cap: Duration = .seconds(8)
    /// The minimum pause.
    public var floor: Duration = .milliseconds(250)
    /// The minimum pause after a response was lost, so that the other side can finish what it may
    /// have started.
    public var settling: Duration = .seconds(1)
    /// The longest `Retry-After` that is honored.
    public var retryAfterCap: Duration = .seconds(300)
    /// The longest delay of a workflow that is honored.
    public var delayCap: Duration = .seconds(300)

    /// Creates the default schedule.
    public init() {}

    /// When to continue.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the request.
    ///   - delay: The minimum delay that the workflow specifies for the outcome, to which the
    ///     jitter is added; a `Retry-After` takes precedence.
    ///   - tries: The number of earlier tries that failed.
    ///   - now: When the request failed.
    ///   - generator: The source of the jitter.
    /// - Returns: The time.
    func retryAt(
        after outcome: (some RequestOutcome)?,
        delay: Duration = .zero,
        tries: Int,
        now: Instant,
        using generator: inout SplitMix64
    ) -> Instant {
        let isUnknown = outcome?.isUnknown ?? true
        if let asked = outcome?.requestedDelay {
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

/// A small seeded random number generator (SplitMix64) for jitter; never used for secrets.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator from a seed.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
