/// Sends client telemetry to the PSP: the port that the HTTP adapter implements.
///
/// - Note: Isolation: any. Canceling the task that sends really cancels the request.
public protocol BeaconSender: Sendable {
    /// Sends one message; never throws, because a failure is an outcome.
    ///
    /// - Parameters:
    ///   - beacon: The message.
    ///   - address: The address in the newest response of the PSP: a secret.
    /// - Returns: The outcome.
    func send(_ beacon: Beacon, to address: String) async -> BeaconOutcome
}

/// The outcome of sending a message.
public enum BeaconOutcome: Hashable, Sendable {
    /// The PSP accepted it with a status from 200 to 299.
    ///
    /// - Note: Source: event logging, recommended design.
    case delivered
    /// The PSP refused this message.
    case refused
    /// There was no response, or one that requests a retry.
    case failed
}

/// How client telemetry is delivered; each limit has a default.
///
/// - Note: Source: event logging, recommended design.
public struct EventLoggingOptions: Sendable {
    /// The maximum number of messages that wait for one session; beyond that the oldest ones about
    /// requests are dropped first.
    public var queueLimit = 500
    /// The pause after the first failure; it doubles with each further one.
    public var firstPause: Duration = .seconds(1)
    /// The maximum pause.
    public var longestPause: Duration = .seconds(60)
    /// The time after a session's end in which its messages are tried.
    public var afterlife: Duration = .seconds(24 * 3600)
    /// The maximum number of tries of a message that the PSP refuses.
    public var refusalTries = 4
    /// The maximum number of concurrent requests, over all sessions.
    public var requestsAtOnce = 8
    /// The maximum number of sessions processed at the same time.
    public var sessionsAtOnce = 256
    /// The maximum number of further sessions in the queue; others are found again by scanning the
    /// store.
    public var waitingSessions = 10_000
    /// The interval at which the store is scanned for sessions that were not announced.
    public var scanInterval: Duration = .seconds(30)
    /// The maximum number of sessions that one scan returns.
    public var scanBatch = 256
    /// The maximum age of the sessions that a scan finds: the longest life of a session, and its
    /// afterlife.
    public var scanReach: Duration = .seconds(3 * 24 * 3600)
    /// The maximum delay of writing progress, so that the progress of many sessions is written
    /// together.
    public var writingInterval: Duration = .milliseconds(200)
    /// The duration of a claim, after which the sessions of a crashed worker are available to
    /// others.
    public var claim: Duration = .seconds(120)
    /// The number of records that are read at once.
    public var readBatch = 512

    /// Creates options with the default values.
    public init() {}
}
