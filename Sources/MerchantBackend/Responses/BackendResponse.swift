internal import Adapters
internal import EventLog
public import HTTPTypes

/// The response that the server has to send.
public struct BackendResponse: Hashable, Sendable {
    /// The status and header fields.
    public var head: HTTPResponse
    /// The whole body.
    public var body: [UInt8]

    /// Creates a response with these members.
    public init(head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}

extension BackendResponse: CustomStringConvertible, CustomReflectable {
    /// The status and size, because the body may contain addresses that act for the payer.
    public var description: String { "\(head.status.code), \(body.count) bytes" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension BackendResponse {
    /// A JSON document.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - status: The status.
    ///   - caching: The value of `Cache-Control`.
    /// - Returns: The response.
    static func json(
        _ json: ForeignJSON,
        status: HTTPResponse.Status = .ok,
        caching: String = "no-store"
    ) -> BackendResponse {
        make(status, type: "application/json", caching: caching, body: Array(json.text.utf8))
    }

    /// A problem document.
    static func problem(_ problem: BackendProblem) -> BackendResponse {
        var response = make(
            HTTPResponse.Status(code: problem.status),
            type: "application/problem+json",
            caching: "no-store",
            body: Array(problem.document.text.utf8)
        )
        if let allowed = problem.allowedMethod {
            response.head.headerFields[.allow] = allowed.rawValue
        }
        if let seconds = problem.retryAfterSeconds {
            response.head.headerFields[.retryAfter] = String(seconds)
        }
        return response
    }

    /// Redirects a browser, this time only.
    ///
    /// It uses 302 and forbids caching, because a browser remembers a 301 forever.
    static func redirect(to address: String) -> BackendResponse {
        var response = make(.found, type: nil, caching: "no-store", body: [])
        response.head.headerFields[.location] = address
        response.head.headerFields[.referrerPolicy] = "no-referrer"
        return response
    }

    /// A page of the session's pages, with its own header fields.
    static func page(
        _ page: Page,
        status: HTTPResponse.Status = .ok
    ) -> BackendResponse {
        BackendResponse(
            head: HTTPResponse(status: status, headerFields: page.headers),
            body: Array(page.html.utf8)
        )
    }

    /// A page without scripts.
    static func page(
        _ page: PlainPage,
        status: HTTPResponse.Status = .ok
    ) -> BackendResponse {
        var response = make(
            status,
            type: "text/html; charset=utf-8",
            caching: "no-store",
            body: Array(page.html.utf8)
        )
        response.head.headerFields[.contentSecurityPolicy] = PlainPage.policy
        response.head.headerFields[.referrerPolicy] = "no-referrer"
        return response
    }

    /// A response without a body.
    static func empty(_ status: HTTPResponse.Status) -> BackendResponse {
        make(status, type: nil, caching: "no-store", body: [])
    }

    private static func make(
        _ status: HTTPResponse.Status,
        type: String?,
        caching: String,
        body: [UInt8]
    ) -> BackendResponse {
        var head = HTTPResponse(status: status)
        head.headerFields[.contentType] = type
        head.headerFields[.cacheControl] = caching
        head.headerFields[.xContentTypeOptions] = "nosniff"
        return BackendResponse(head: head, body: body)
    }
}
