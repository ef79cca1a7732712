internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import SwedbankPay

/// A problem document returned to a caller (RFC 9457).
///
/// - Note: Source: merchant backend, problems and content types.
struct BackendProblem: Error {
    /// The prefix of a type, before its slug.
    static let typePrefix = "https://api.payex.com/psp/errordetail/"
    /// The maximum number of fields named in one refusal.
    static let maximumFields = 50

    /// The status of the response.
    var status: Int
    /// The members of the document.
    var members: [String: ForeignJSON]
    /// The method that the address supports, when the request had another.
    var allowedMethod: HTTPRequest.Method?
    /// After how many seconds to try again.
    var retryAfterSeconds: Int?

    /// The document.
    var document: ForeignJSON { .object(members) }

    private init(_ slug: String, status: Int, title: String, detail: String) {
        self.status = status
        members = [
            "type": .string(Self.typePrefix + slug), "title": .string(title),
            "status": .integer(Int64(status)), "detail": .string(detail),
        ]
    }

    /// Creates a problem from a refusal of the PSP, unchanged except that a missing status is
    /// added.
    init(forwarding document: [String: ForeignJSON], status: Int) {
        self.status = status
        members = document
        if members["status"] == nil { members["status"] = .integer(Int64(status)) }
    }

    /// The request is invalid; each field is named by its path.
    static func badRequest(
        _ objections: [FieldProblem],
        source: String = "body"
    ) -> BackendProblem {
        var problem = badRequest("The request is not valid; see 'problems'.", source: source)
        let named = objections.prefix(maximumFields)
        problem.members["errors"] = .array(
            named.map { .string($0.description) }
        )
        problem.members["problems"] = .array(
            named.map { ["name": .string($0.path), "description": .string($0.advice)] }
        )
        return problem
    }

    /// The request can't be understood.
    static func badRequest(
        _ detail: String,
        source: String = "body",
        status: Int = 400
    ) -> BackendProblem {
        var problem = BackendProblem(
            "mobilesdk/badrequest",
            status: status,
            title: "Bad request",
            detail: detail
        )
        problem.members["source"] = .string(source)
        return problem
    }

    /// One field is invalid.
    static func badField(_ field: String, _ advice: String) -> BackendProblem {
        badRequest([FieldProblem(field, advice)])
    }

    /// The caller is not authenticated.
    static var unauthorized: BackendProblem {
        BackendProblem(
            "mobilesdk/unauthorized",
            status: 401,
            title: "Unauthorized",
            detail: "The request has no valid credentials."
        )
    }

    /// The service does not offer this.
    static func switchedOff(_ feature: String) -> BackendProblem {
        BackendProblem(
            "mobilesdk/unauthorized",
            status: 401,
            title: "Unauthorized",
            detail: "The feature \(feature) is switched off."
        )
    }

    /// It does not exist, or not for this caller; the response does not say which.
    static var notFound: BackendProblem {
        BackendProblem(
            "notfound",
            status: 404,
            title: "Not found",
            detail: "There is no such resource, or it belongs to another caller."
        )
    }

    /// The address supports another method.
    static func wrongMethod(_ allowed: HTTPRequest.Method) -> BackendProblem {
        var problem = badRequest(
            "This URL accepts \(allowed.rawValue) only.",
            source: "method",
            status: 405
        )
        problem.allowedMethod = allowed
        return problem
    }

    /// The request names something that belongs to another caller.
    static func forbidden(_ field: String, _ reason: String) -> BackendProblem {
        var problem = BackendProblem(
            "forbidden",
            status: 403,
            title: "Forbidden",
            detail: "The request refers to a resource of another caller."
        )
        problem.members["problems"] = .array([
            ["name": .string(field), "description": .string(reason)]
        ])
        return problem
    }

    /// The caller sends too many requests.
    static func tooOften(_ seconds: Int) -> BackendProblem {
        var problem = badRequest("Too many requests.", source: "caller", status: 429)
        problem.retryAfterSeconds = max(1, seconds)
        return problem
    }

    /// The PSP did not respond in time.
    static var gatewayTimeout: BackendProblem {
        BackendProblem(
            "mobilesdk/gatewaytimeout",
            status: 504,
            title: "Gateway timeout",
            detail: "The payment service did not respond in time."
        )
    }

    /// The PSP can't be reached, or its response can't be used.
    ///
    /// Its message is not passed on, because it may contain information that does not concern the
    /// caller.
    static func badGateway(status: Int?) -> BackendProblem {
        var problem = BackendProblem(
            "mobilesdk/badgateway",
            status: 502,
            title: "Bad gateway",
            detail: status == nil
                ? "The payment service cannot be reached."
                : "The payment service returned an unexpected response."
        )
        if let status { problem.members["gatewayStatus"] = .integer(Int64(status)) }
        return problem
    }

    /// A part of the host application failed.
    static var internalError: BackendProblem {
        BackendProblem(
            "systemerror",
            status: 500,
            title: "Internal error",
            detail: "The request could not be processed."
        )
    }
}
