/// The limits of a publisher.
public struct OutboxOptions: Sendable {
    /// The publisher's name in metrics.
    public var name: String
    /// The maximum number of events per batch.
    public var maximumRecords: Int
    /// The approximate maximum size of a batch in bytes; a larger record is sent alone.
    public var maximumBytes: Int
    /// The time to wait for new records at the end of the log.
    public var interval: Duration
    /// The time limit for the receiver's response.
    public var deadline: Duration
    /// The pause after the first failure; it doubles with each further failure.
    public var shortestPause: Duration
    /// The longest pause, unless the receiver requests a longer one.
    public var longestPause: Duration
    /// The longest pause that a receiver may request.
    public var maximumRetryAfter: Duration
    /// Additional headers of each request, such as `Authorization`; they appear in no message.
    ///
    /// They are text: with text that cannot be sent, nothing is delivered. `HTTPFields` would
    /// replace such text silently.
    public var headers: [(name: String, value: String)]

    /// Creates limits that suit a receiver in the same network.
    public init(
        name: String = "outbox",
        maximumRecords: Int = 100,
        maximumBytes: Int = 256 * 1024,
        interval: Duration = .milliseconds(250),
        deadline: Duration = .seconds(10),
        shortestPause: Duration = .milliseconds(500),
        longestPause: Duration = .seconds(60),
        maximumRetryAfter: Duration = .seconds(300),
        headers: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.maximumRecords = max(1, maximumRecords)
        self.maximumBytes = max(1, maximumBytes)
        self.interval = interval
        self.deadline = deadline
        self.shortestPause = shortestPause
        self.longestPause = longestPause
        self.maximumRetryAfter = maximumRetryAfter
        self.headers = headers
    }
}
