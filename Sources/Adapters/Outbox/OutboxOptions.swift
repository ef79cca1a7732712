/// The bounds of a publisher.
public struct OutboxOptions: Sendable {
    /// The publisher's name in metrics.
    public var name: String
    /// How many events go together at the most.
    public var maximumRecords: Int
    /// How many bytes of records go together, about; a longer one goes alone.
    public var maximumBytes: Int
    /// How long to wait at the end for more.
    public var interval: Duration
    /// How long the receiver may take.
    public var deadline: Duration
    /// The pause after the first failure; doubled with each further one.
    public var shortestPause: Duration
    /// The longest pause, unless the receiver asks for a longer one.
    public var longestPause: Duration
    /// The longest pause that a receiver is granted that asks for one.
    public var longestAskedPause: Duration
    /// What else to send with each request, as `Authorization`; it is in no message.
    public var headers: [(name: String, value: String)]

    /// Bounds that fit a receiver in the same house.
    public init(
        name: String = "outbox",
        maximumRecords: Int = 100,
        maximumBytes: Int = 256 * 1024,
        interval: Duration = .milliseconds(250),
        deadline: Duration = .seconds(10),
        shortestPause: Duration = .milliseconds(500),
        longestPause: Duration = .seconds(60),
        longestAskedPause: Duration = .seconds(300),
        headers: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.maximumRecords = max(1, maximumRecords)
        self.maximumBytes = max(1, maximumBytes)
        self.interval = interval
        self.deadline = deadline
        self.shortestPause = shortestPause
        self.longestPause = longestPause
        self.longestAskedPause = longestAskedPause
        self.headers = headers
    }
}
