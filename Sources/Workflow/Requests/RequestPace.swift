internal import EventLog

/// The maximum number of tries of a failing request, and the period in which they are made.
public struct RetryBound: Hashable, Sendable {
    /// The maximum number of tries.
    public var tries: Int
    /// The maximum time from the first failure to the last.
    public var time: Duration
    /// The number of tries that are made in any case, however long they take.
    public var minimumTries: Int

    /// Creates a bound with these members.
    public init(tries: Int, time: Duration, minimumTries: Int = 0) {
        self.tries = tries
        self.time = time
        self.minimumTries = minimumTries
    }
}

/// How quickly reads follow each other: at a short pause at first, then at increasingly longer
/// ones.
public struct PollPace: Hashable, Sendable {
    /// The first pause.
    public var first: Duration
    /// The period for which the first pause is used.
    public var quick: Duration
    /// The maximum of the increasing pauses.
    public var longest: Duration
    /// The time limit of a client; `nil` when it always waits.
    public var patience: Duration?
    /// The pause once no client waits any more.
    public var late: Duration

    /// Creates a pace with these members.
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

    /// The period after which a pause grows by half, in microseconds.
    private static var stage: Int64 { 10_000_000 }

    /// The pause before the next read.
    ///
    /// - Parameter elapsed: How long reads have followed each other.
    /// - Returns: The pause.
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
