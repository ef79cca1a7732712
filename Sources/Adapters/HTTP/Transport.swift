/// The way to the network: performs one HTTP request.
///
/// - Note: Isolation: any. Cancelling the task aborts the transfer.
public protocol Transport: Sendable {
    /// Performs a request; every status is an answer, not a failure.
    ///
    /// - Throws: ``TransportFailure`` when there is no complete answer; it says how far the request got.
    func perform(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}

/// One HTTP request.
public struct HTTPRequest: Sendable {
    /// The time that a request may take unless the operation says otherwise.
    ///
    /// Source: payment session API, timeouts: 10 s for a request.
    public static let defaultDeadline: Duration = .seconds(10)

    /// The most bytes of a body that are accepted unless the operation says otherwise: 1 MiB.
    public static let defaultMaximumResponseBytes = 1_048_576

    /// The method in capitals, for example `POST`.
    public var method: String
    /// The absolute address; it may be secret and is never part of a failure.
    public var url: String
    /// Header fields in order; `Content-Type` is sent only when it stands here.
    public var headers: [(name: String, value: String)]
    /// What to send; nothing and empty differ only in that `GET` and `HEAD` allow nothing alone.
    public var body: [UInt8]?
    /// The time for name lookup, connection and TLS together.
    public var connectDeadline: Duration
    /// The time for everything, waiting for a free connection included.
    public var overallDeadline: Duration
    /// The most bytes of a body that are accepted.
    public var maximumResponseBytes: Int

    /// A request with these members.
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

/// A complete answer.
public struct HTTPResponse: Sendable {
    /// The status, 200 to 599; interim answers are skipped.
    public var status: Int
    private let fields: HeaderFields
    /// The whole body.
    public var body: [UInt8]
    /// The protocol that was spoken, for example `HTTP/1.1` or `HTTP/2`.
    public var protocolVersion: String
    /// From the call to the last byte, waiting for a free connection included.
    public var duration: Duration

    /// An answer with these members.
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

    /// The header fields as they came, in order, without trailers.
    public var headers: [(name: String, value: String)] { fields.all }

    /// The value of a field; capitals do not matter, and the last one wins.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.last { $0.name.lowercased() == name }?.value
    }
}
