internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Why a request was not carried out, as a problem document (RFC 9457).
///
/// No text quotes the request, which may contain secrets.
package struct ServiceProblem: Error, Hashable {
    /// The status of the response.
    package var status: Int
    /// The error's code; the problem's type is the address of its page.
    package var code: String
    /// What happened, for people.
    package var detail: String
    /// What to do.
    package var hint: String?
    /// The commands that the session's rules accept now.
    package var allowed: [String]?
    /// After how many seconds to try again.
    package var retryAfterSeconds: Int?
    /// The methods of the address, when the request had another one.
    var allowedMethods: [HTTPRequest.Method] = []

    package init(_ status: Int, _ code: String, _ detail: String, hint: String? = nil) {
        (self.status, self.code, self.detail, self.hint) = (status, code, detail, hint)
    }

    /// The response with the document.
    func response(for session: SessionID?) -> ServiceResponse {
        var members: [JSONValue.Member] = [
            .init("type", .string("/errors/\(code)")),
            .init("title", .string(title)),
            .init("status", .integer(Int64(status))),
            .init("code", .string(code)),
            .init("detail", .string(detail)),
        ]
        if let session {
            members.append(.init("instance", .string("/v1/sessions/\(session)")))
        }
        if let hint { members.append(.init("hint", .string(hint))) }
        if let allowed {
            members.append(.init("allowed", .array(allowed.map { .string($0) })))
        }
        var response = ServiceResponse.text(
            JSONDocument.text(.object(members)),
            type: ServiceResponse.problemType,
            status: HTTPResponse.Status(code: status)
        )
        if !allowedMethods.isEmpty {
            let names = allowedMethods.map(\.rawValue)
            response.head.headerFields[.allow] = names.joined(separator: ", ")
        }
        response.head.headerFields[.retryAfter] = retryAfterSeconds.map(String.init)
        if status == 401 { response.head.headerFields[.wwwAuthenticate] = "Bearer" }
        return response
    }

    private var title: String {
        switch status {
        case 400: "The request is not valid"
        case 401: "The request has no valid credentials"
        case 403: "The caller may not do this"
        case 404: "There is no such thing"
        case 405: "The address does not have this method"
        case 409: "The state does not allow it"
        case 412: "The session has changed"
        case 413: "The request is too large"
        case 415: "The media type is not supported"
        case 422: "The content is not valid"
        case 429: "Too many requests"
        case 503: "Not available now"
        default: "The request failed"
        }
    }
}

// MARK: - The service's own refusals

extension ServiceProblem {
    /// The path leads nowhere.
    static let noAddress = ServiceProblem(404, "request.no-address", "the path leads nowhere")
    /// There are no valid credentials.
    static let unauthenticated = ServiceProblem(
        401,
        "request.unauthenticated",
        "the request has no token, or one that is unknown, expired or revoked",
        hint: "send 'Authorization: Bearer TOKEN'; 'workflowctl serve token create --role driver' "
            + "makes one"
    )
    /// The caller's roles do not include this.
    static let forbidden = ServiceProblem(
        403,
        "request.forbidden",
        "no role of this caller may do this",
        hint: "the table of roles is in the documentation of the service"
    )
    /// The body is not said to be JSON.
    static let wrongMediaType = ServiceProblem(
        415,
        "request.media-type",
        "the body must be application/json"
    )
    /// The body is too large.
    static let tooLarge = ServiceProblem(413, "request.too-large", "the body is too large")
    /// The session is at a host that may not be contacted.
    static let foreignHost = ServiceProblem(
        422,
        "usage.host",
        "the host of the session is not an allowed host of the PSP",
        hint: "if you trust it, add it to 'allowedHosts' in the configuration"
    )

    /// The caller has sent too many requests.
    static let tooManyRequests = tooMany("too many requests in the last second")
    /// The caller, or all callers together, have too many streams.
    static let tooManyStreams = tooMany("too many streams are open")

    private static func tooMany(_ detail: String) -> ServiceProblem {
        var problem = ServiceProblem(429, "request.too-many", detail)
        problem.retryAfterSeconds = 1
        return problem
    }

    /// The session is not the one that the caller was shown (`If-Match`).
    static let changed = ServiceProblem(
        412,
        "session.changed",
        "the session has changed since it was read",
        hint: "read it again, and decide again"
    )
    /// Nothing has followed from a request of the caller with the key.
    static let unknownKey = ServiceProblem(
        404,
        "request.unknown-key",
        "no request with this key has changed the session, or one with the reference"
    )
    /// Another request had the key.
    static let keyReused = ServiceProblem(
        422,
        "request.key-reused",
        "another request of this caller had this Idempotency-Key",
        hint: "use a new key for each request"
    )

    /// The same request is being carried out.
    static let requestUnderWay: ServiceProblem = {
        var problem = ServiceProblem(
            409,
            "request.under-way",
            "a request with this Idempotency-Key is being carried out"
        )
        problem.retryAfterSeconds = 1
        return problem
    }()
    /// A part of the service failed in an unforeseen way.
    static let defect = ServiceProblem(500, "service.defect", "the request failed unexpectedly")
    /// The service is stopping.
    static let stopping = ServiceProblem(
        503,
        "service.stopping",
        "the service is stopping; another one continues its payments"
    )

    /// The body or a parameter is malformed.
    static func malformed(_ detail: String) -> ServiceProblem {
        ServiceProblem(400, "request.malformed", detail)
    }

    /// The address has other methods.
    static func wrongMethod(_ allowed: [HTTPRequest.Method]) -> ServiceProblem {
        let names = allowed.map(\.rawValue).joined(separator: " and ")
        var problem = ServiceProblem(
            405,
            "request.wrong-method",
            "this address accepts \(names) only"
        )
        problem.allowedMethods = allowed
        return problem
    }
}

// MARK: - Errors of the layers below

extension ServiceProblem {
    /// Creates the problem for an engine's error.
    init(_ error: EngineError) {
        switch error {
        case .rejected(let rejection): self.init(rejection)
        case .unknownSession: self.init(404, error.code, error.description)
        case .erased, .imported: self.init(409, error.code, error.description)
        case .damaged, .notAuthentic, .misfiled: self.init(500, error.code, error.description)
        case .store(let failure): self.init(failure)
        case .vault(let failure): self.init(503, failure.code, "the keys are not available")
        case .badAddress: self.init(422, error.code, error.description)
        case .overloaded:
            self.init(503, error.code, error.description)
            retryAfterSeconds = 1
        case .stopping: self = .stopping
        }
    }

    /// Creates the problem for a rejection by the session's rules.
    init(_ rejection: Rejection) {
        let status =
            switch rejection {
            case .unknownAction: 404
            case .malformedStatement, .malformedTransaction, .currencyDiffers: 422
            default: 409
            }
        self.init(status, rejection.code, rejection.description)
    }

    /// Creates the problem for a store's error.
    init(_ error: EventStoreError) {
        switch error {
        case .conflict, .leaseLost: self.init(409, error.code, error.description)
        case .cursorRefused: self.init(410, error.code, error.description)
        case .corrupt, .foreign, .alteredSchema: self.init(500, error.code, error.description)
        default:
            self.init(503, error.code, error.description)
            retryAfterSeconds = 1
        }
    }
}
