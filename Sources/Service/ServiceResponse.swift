internal import EventLog
public import HTTPTypes
internal import Inspection

/// The response that the server has to send.
public struct ServiceResponse: Sendable {
    /// What follows the head.
    public enum Body: Sendable {
        /// The whole body.
        case whole([UInt8])
        /// Parts that are sent as they come, until the reader leaves or the service stops.
        ///
        /// The next part is made when the server asks for it: a slow reader costs no memory.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The status and header fields.
    public var head: HTTPResponse
    /// What follows the head.
    public var body: Body

    /// Creates a response with these members.
    public init(head: HTTPResponse, body: Body = .whole([])) {
        self.head = head
        self.body = body
    }
}

extension ServiceResponse: CustomStringConvertible, CustomReflectable {
    /// The status, because the body may contain addresses that act for the payer.
    public var description: String { "\(head.status.code)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ServiceResponse {
    /// The media type of problem documents (RFC 9457).
    static let problemType = "application/problem+json"

    /// A JSON document.
    static func json(_ json: JSONValue, status: HTTPResponse.Status = .ok) -> ServiceResponse {
        text(JSONDocument.text(json), type: "application/json", status: status)
    }

    /// A text of a media type.
    static func text(
        _ text: String,
        type: String,
        status: HTTPResponse.Status = .ok
    ) -> ServiceResponse {
        make(status, type: type, .whole(Array(text.utf8)))
    }

    /// Parts of a media type.
    static func stream(_ parts: AsyncStream<[UInt8]>, type: String) -> ServiceResponse {
        make(.ok, type: type, .stream(parts))
    }

    /// A response without a body.
    static func empty(_ status: HTTPResponse.Status) -> ServiceResponse {
        make(status, type: nil, .whole([]))
    }

    private static func make(
        _ status: HTTPResponse.Status,
        type: String?,
        _ body: Body
    ) -> ServiceResponse {
        var head = HTTPResponse(status: status)
        head.headerFields[.contentType] = type
        head.headerFields[.cacheControl] = "no-store"
        head.headerFields[.xContentTypeOptions] = "nosniff"
        return ServiceResponse(head: head, body: body)
    }
}
