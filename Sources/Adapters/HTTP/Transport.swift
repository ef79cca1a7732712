/// Performs HTTP requests.
///
/// - Note: Isolation: any. Cancelling the task aborts the transfer.
public protocol Transport: Sendable {
    /// Performs a request and returns its response, whatever the status.
    ///
    /// - Throws: ``TransportFailure`` when there is no complete response; it says how far the
    ///   request got.
    func perform(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}

/// One HTTP request.
public struct HTTPRequest: Sendable {
    /// The default time limit of a request.
    ///
    /// Source: payment session API, timeouts: 10 s for a request.
    public static let defaultDeadline: Duration = .seconds(10)

    /// The default maximum size of a response body: 1 MiB.
    public static let defaultMaximumResponseBytes = 1_048_576

    /// The method in upper case, for example `POST`.
    public var method: String
    /// The absolute address; it may be secret and never appears in a failure.
    public var url: String
    /// The header fields in order; `Content-Type` is sent only when it is listed here.
    public var headers: [(name: String, value: String)]
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
        method: String,
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        connectDeadline: Duration = HTTPRequest.defaultDeadline,
        overallDeadline: Duration = HTTPRequest.defaultDeadline,
        maximumResponseBytes: Int = HTTPRequest.defaultMaximumResponseBytes
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
public struct HTTPResponse: Sendable {
    /// The status, 200 to 599; interim responses are skipped.
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
        headers: [(name: String, value: String)],
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

    /// The header fields as received, in order, without trailers.
    public var headers: [(name: String, value: String)] { fields.all }

    /// Returns the value of a field; the name is case-insensitive, and the last value wins.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.last { $0.name.lowercased() == name }?.value
    }
}
