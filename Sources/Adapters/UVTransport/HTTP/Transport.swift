public import HTTPTypes

/// Performs HTTP requests.
///
/// - Note: Isolation: any. Canceling the task aborts the transfer.
public protocol Transport: Sendable {
    /// Performs a request and returns its response, whatever the status.
    ///
    /// - Throws: ``TransportFailure`` when there is no complete response; it says how far the
    ///   request got.
    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// One HTTP request.
public struct TransportRequest: Sendable {
    /// The default time limit of a request.
    public static let defaultDeadline: Duration = .seconds(10)

    /// The default maximum size of a response body: 1 MiB.
    public static let defaultMaximumResponseBytes = 1_048_576

    /// The method; only methods in upper case are sent.
    public var method: HTTPRequest.Method
    /// The absolute address; it may be secret and never appears in a failure.
    ///
    /// It is text: the transport parses it strictly, and refuses what others may read differently.
    public var url: String
    /// The header fields in order; `Content-Type` is sent only when it is listed here.
    public var headers: HTTPFields
    /// The body; `nil` and empty differ only for `GET` and `HEAD`, which permit `nil` only.
    public var body: [UInt8]?
    /// The time limit for name lookup, connection and TLS together.
    public var connectDeadline: Duration
    /// The time limit for everything, including the wait for a free connection.
    public var overallDeadline: Duration
    /// The maximum size of the response body in bytes.
    public var maximumResponseBytes: Int

    /// Creates a request with these members.
    public init(
        method: HTTPRequest.Method,
        url: String,
        headers: HTTPFields = [:],
        body: [UInt8]? = nil,
        connectDeadline: Duration = TransportRequest.defaultDeadline,
        overallDeadline: Duration = TransportRequest.defaultDeadline,
        maximumResponseBytes: Int = TransportRequest.defaultMaximumResponseBytes
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectDeadline = connectDeadline
        self.overallDeadline = overallDeadline
        self.maximumResponseBytes = maximumResponseBytes
    }
}

/// A complete HTTP response.
public struct TransportResponse: Sendable {
    /// The status, 200 to 599; interim responses are skipped.
    ///
    /// A number suffices: callers compare it with ranges, a reason phrase means nothing, and
    /// `HTTPResponse.Status` traps on numbers of more than three digits.
    public var status: Int
    private let fields: HeaderFields
    /// The complete body.
    public var body: [UInt8]
    /// The protocol used, for example `HTTP/1.1` or `HTTP/2`.
    public var protocolVersion: String
    /// The time from the call to the last byte, including the wait for a free connection.
    public var duration: Duration

    /// Creates a response with these members.
    public init(
        status: Int,
        headers: HTTPFields,
        body: [UInt8],
        protocolVersion: String,
        duration: Duration
    ) {
        self.init(
            status: status,
            fields: HeaderFields(headers),
            body: body,
            protocolVersion: protocolVersion,
            duration: duration
        )
    }

    init(
        status: Int,
        fields: HeaderFields,
        body: [UInt8],
        protocolVersion: String,
        duration: Duration
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.protocolVersion = protocolVersion
        self.duration = duration
    }

    /// The header fields in the order of arrival, without trailers; parsed on each access.
    public var headers: HTTPFields { fields.all }

    /// Whether the body is empty or consists of white space.
    package var isBlank: Bool { body.allSatisfy { " \t\r\n".utf8.contains($0) } }
}
