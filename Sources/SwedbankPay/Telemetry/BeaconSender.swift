/// The way of client telemetry to the PSP: the port that the HTTP adapter implements.
///
/// - Note: Isolation: any. Cancelling the task that sends really cancels the request.
public protocol BeaconSender: Sendable {
    /// Sends one message; never throws, since a failure is an outcome.
    ///
    /// - Parameters:
    ///   - beacon: The message.
    ///   - address: Where the newest answer of the PSP wants it: a secret.
    func send(_ beacon: Beacon, to address: String) async -> BeaconOutcome
}

/// What came of sending a message.
public enum BeaconOutcome: Hashable, Sendable {
    /// The PSP took it: any status from 200 to 299.
    ///
    /// - Note: Source: event logging, recommended design.
    case delivered
    /// The PSP does not want this message as it is.
    case refused
    /// No answer, or one that says to come again.
    case failed
}

/// How client telemetry is delivered; each bound has a default.
///
/// - Note: Source: event logging, recommended design.
public struct EventLoggingOptions: Sendable {
    /// How many messages may wait for one session; past it the oldest about requests go first.
    public var queueLimit = 500
    /// The pause after the first failure; it doubles with each further one.
    public var firstPause: Duration = .seconds(1)
    /// The longest pause.
    public var longestPause: Duration = .seconds(60)
    /// How long after a session's end its messages are tried.
    public var afterlife: Duration = .seconds(24 * 3600)
    /// How often a message is tried that the PSP refuses as it is.
    public var refusalTries = 4
    /// How many requests may be under way at the same time, over all sessions.
    public var requestsAtOnce = 8
    /// How many sessions are worked on at the same time.
    public var sessionsAtOnce = 256
    /// How many further sessions may wait for their turn; others are found again by looking into the store.
    public var waitingSessions = 10_000
    /// How often the store is looked through for sessions that nobody told of.
    public var scanInterval: Duration = .seconds(30)
    /// How many sessions one look brings.
    public var scanBatch = 256
    /// How old the sessions may be that are looked for: the longest life of a session, and its afterlife.
    public var scanReach: Duration = .seconds(3 * 24 * 3600)
    /// How long progress may wait to be written, so that that of many sessions is written together.
    public var writingInterval: Duration = .milliseconds(200)
    /// How long a worker that is gone keeps others away from its sessions.
    public var claim: Duration = .seconds(120)
    /// How many records are read at once.
    public var readBatch = 512

    /// The defaults, to be changed member by member.
    public init() {}
}
