public import EventLog

/// One message of client telemetry to the PSP: what happened in a session, without anything secret.
///
/// Values that the log seals are in it as a few digits of their fingerprints, so that two messages can be seen to be
/// about the same thing and nobody can act on the payment with either.
///
/// - Note: Source: event logging, body schema.
public struct Beacon: Hashable, Sendable {
    /// The place of the event that it tells of.
    public var sequence: Int64
    /// When that was recorded.
    public var created: Instant
    /// What kind of thing it tells of.
    public var action: Action
    /// How long it took, where that is recorded.
    public var durationMilliseconds: Int64?
    /// The request that was made, for requests and 3-D Secure.
    public var request: Request?
    /// The call between host and engine, for those.
    public var method: Method?
    /// Further texts; one that has no value is left out.
    public var values: [Value]

    /// A message with these members.
    public init(
        sequence: Int64,
        created: Instant,
        action: Action,
        durationMilliseconds: Int64? = nil,
        request: Request? = nil,
        method: Method? = nil,
        values: [Value] = []
    ) {
        self.sequence = sequence
        self.created = created
        self.action = action
        self.durationMilliseconds = durationMilliseconds
        self.request = request
        self.method = method
        self.values = values
    }

    /// What a message tells of.
    ///
    /// - Note: Source: event logging, event catalogue.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// The host asked for something.
        case methodInvoked = "SDKMethodInvoked"
        /// The host was told something.
        case callbackInvoked = "SDKCallbackInvoked"
        /// A request to the session API came to an end.
        case httpRequest = "HttpRequest"
        /// Another app was opened, or could not be.
        case launchClientApp = "LaunchClientApp"
        /// The payer came back through the payment URL.
        case clientAppCallback = "ClientAppCallback"
        /// The invisible 3-D Secure call ended.
        case scaMethodRequest = "SCAMethodRequest"
        /// The bank's challenge ended.
        case scaRedirectResult = "SCARedirectResult"
    }

    /// A request, with an address that leads nowhere: the host, the operation and digits of a fingerprint.
    public struct Request: Hashable, Sendable {
        /// Of which operation, in the form of an address.
        public var url: String
        /// The HTTP method.
        public var method: String
        /// The HTTP status; nil when there was no answer.
        public var status: Int?

        /// A request with these members.
        public init(url: String, method: String, status: Int?) {
            self.url = url
            self.method = method
            self.status = status
        }
    }

    /// A call between host and engine, by the name that the PSP's own kits give it.
    public struct Method: Hashable, Sendable {
        /// The name.
        public var name: String
        /// Whether it did what it was for.
        public var succeeded: Bool

        /// A call with these members.
        public init(name: String, succeeded: Bool) {
            self.name = name
            self.succeeded = succeeded
        }
    }

    /// A named text.
    public struct Value: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The text.
        public var text: String

        /// A text with that name.
        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }
}

extension Instant {
    /// RFC 3339 in UTC with three decimals, for example `2026-11-20T12:00:00.123Z`.
    ///
    /// - Note: Source: event logging, recommended design: UTC with milliseconds.
    package var millisecondText: String { String(description.prefix(23)) + "Z" }
}
