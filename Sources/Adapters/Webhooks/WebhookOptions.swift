public import Inspection

/// An endpoint, and the limits of sending to it.
public struct WebhookOptions: Sendable {
    /// The times between the tries of a message; after the last one it is given up.
    ///
    /// - Note: Source: Standard Webhooks, the recommended schedule.
    public static let usualSchedule: [Duration] = [
        .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600),
        .seconds(10 * 3600), .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
    ]

    /// The name of the endpoint in metrics and messages.
    public var name: String
    /// The address of the receiver; it may be secret and appears nowhere.
    public var url: String
    /// The kinds of messages that are sent.
    public var kinds: Set<PaymentNotice.Kind>
    /// The times between the tries of a message.
    public var schedule: [Duration] = usualSchedule
    /// The time limit for a response.
    ///
    /// - Note: Source: Standard Webhooks, 15 to 30 seconds.
    public var deadline: Duration = .seconds(20)
    /// The longest time that a receiver may ask to wait.
    public var maximumRetryAfter: Duration = .seconds(24 * 3600)
    /// The maximum number of messages that are sent at the same time, each of another session.
    public var maximumRequests: Int = 16
    /// The maximum number of sessions with messages that were not delivered; with more, no further
    /// records are read.
    public var maximumSessions: Int = 1000
    /// The maximum number of records that are read at once.
    public var maximumRecords: Int = 200
    /// How often the store is asked for new records.
    public var interval: Duration = .milliseconds(250)
    /// How often one of the sessions is tried early while there are as many as there may be: a
    /// receiver that responds again is found soon.
    public var probeInterval: Duration = .seconds(60)
    /// How long to wait before starting again when the store or the state's file cannot be used.
    public var pause: Duration = .seconds(10)

    /// An endpoint with the usual limits.
    ///
    /// - Parameters:
    ///   - name: The name of the endpoint.
    ///   - url: The address of the receiver.
    ///   - kinds: The kinds of messages that are sent; all by default.
    public init(
        name: String,
        url: String,
        kinds: Set<PaymentNotice.Kind> = Set(PaymentNotice.Kind.allCases)
    ) {
        (self.name, self.url, self.kinds) = (name, url, kinds)
    }
}
