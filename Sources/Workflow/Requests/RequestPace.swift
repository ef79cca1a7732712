internal import EventLog

/// How often and how long a request that fails is tried.
public struct RetryBound: Hashable, Sendable {
    /// How often at the most.
    public var tries: Int
    /// How long, from the first failure to the last.
    public var time: Duration
    /// How often in any case, however long that takes.
    public var leastTries: Int

    /// A bound with these members.
    public init(tries: Int, time: Duration, leastTries: Int = 0) {
        self.tries = tries
        self.time = time
        self.leastTries = leastTries
    }
}

/// How fast readings follow each other: at a short pause at first, then at longer and longer ones.
public struct PollPace: Hashable, Sendable {
    /// The first pause.
    public var first: Duration
    /// How long the first pause is kept.
    public var quick: Duration
    /// The longest of the pauses that grow.
    public var longest: Duration
    /// How long anybody waits; nil where somebody always does.
    public var patience: Duration?
    /// The pause when nobody waits any more.
    public var late: Duration

    /// A pace with these members.
    public init(
        first: Duration,
        quick: Duration,
        longest: Duration,
        patience: Duration?,
        late: Duration
    ) {
        self.first = first
        self.quick = quick
        self.longest = longest
        self.patience = patience
        self.late = late
    }

    /// How long a pause is kept before it grows by half.
    private static var stage: Int64 { 10_000_000 }

    /// The pause before the next reading.
    ///
    /// - Parameter elapsed: How long readings have followed each other.
    public func pause(after elapsed: Duration) -> Duration {
        if let patience, elapsed > patience { return late }
        let beyond = (elapsed - quick).wholeMicroseconds
        var stages = beyond < 0 ? 0 : 1 + beyond / Self.stage
        var pause = first.wholeMicroseconds
        while stages > 0, pause < longest.wholeMicroseconds {
            pause = min(pause * 3 / 2, longest.wholeMicroseconds)
            stages -= 1
        }
        return .microseconds(pause)
    }
}
