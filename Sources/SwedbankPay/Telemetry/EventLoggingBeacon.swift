public import EventLog

/// One message of client telemetry to the PSP: what happened in a session, without anything secret.
///
/// Sealed values appear as a few digits of their fingerprints, which shows that two messages
/// concern the same value, but does not permit anyone to act on the payment.
///
/// - Note: Source: event logging, body schema.
public struct Beacon: Hashable, Sendable {
    /// The sequence number of the event that it reports.
    public var sequence: SequenceNumber
    /// When that event was recorded.
    public var created: Instant
    /// The kind of message.
    public var action: Action
    /// The duration, if it is recorded.
    public var durationMilliseconds: Int64?
    /// The request, for messages about requests and 3-D Secure.
    public var request: Request?
    /// The call between host and engine, for messages about calls.
    public var method: Method?
    /// Further texts; one without a value is omitted.
    public var values: [Value]

    /// Creates a message with these members.
    public init(
        sequence: SequenceNumber,
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

    /// The kind of a message.
    ///
    /// - Note: Source: event logging, event catalogue.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// The host called a method.
        case methodInvoked = "SDKMethodInvoked"
        /// The host received a callback.
        case callbackInvoked = "SDKCallbackInvoked"
        /// A request to the session API ended.
        case httpRequest = "HttpRequest"
        /// Another app was opened, or could not be opened.
        case launchClientApp = "LaunchClientApp"
        /// The payer returned through the payment URL.
        case clientAppCallback = "ClientAppCallback"
        /// The invisible 3-D Secure method request ended.
        case scaMethodRequest = "SCAMethodRequest"
        /// The issuer's challenge ended.
        case scaRedirectResult = "SCARedirectResult"
    }

    /// A request, with an address that leads nowhere: the host, the operation and digits of a
    /// fingerprint.
    public struct Request: Hashable, Sendable {
        /// The operation, in the form of an address.
        public var url: String
        /// The HTTP method.
        public var method: String
        /// The HTTP status; `nil` when there was no response.
        public var status: Int?

        /// Creates a request with these members.
        public init(url: String, method: String, status: Int?) {
            self.url = url
            self.method = method
            self.status = status
        }
    }

    /// A call between host and engine, with the name that the PSP's own kits give it.
    public struct Method: Hashable, Sendable {
        /// The name.
        public var name: String
        /// Whether it succeeded.
        public var succeeded: Bool

        /// Creates a call with these members.
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

        /// Creates a text with that name.
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
