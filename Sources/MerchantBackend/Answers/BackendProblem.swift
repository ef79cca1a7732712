internal import Adapters
internal import HTTPTypes
internal import SwedbankPay

/// A problem document that a caller gets (RFC 9457).
///
/// - Note: Source: merchant backend, problems and content types.
struct BackendProblem: Error {
    /// What stands before the slug of a type.
    static let typePrefix = "https://api.payex.com/psp/errordetail/"
    /// The most fields that one refusal names.
    static let maximumFields = 50

    /// The status of the answer.
    var status: Int
    /// The members of the document.
    var members: [String: ProviderJSON]
    /// The method that the address knows, when the request had another.
    var allowedMethod: HTTPTypes.HTTPRequest.Method?
    /// When to come again.
    var retryAfterSeconds: Int?

    /// The document.
    var document: ProviderJSON { .object(members) }

    private init(_ slug: String, status: Int, title: String, detail: String) {
        self.status = status
        members = [
            "type": .string(Self.typePrefix + slug), "title": .string(title),
            "status": .integer(Int64(status)), "detail": .string(detail),
        ]
    }

    /// A refusal of the PSP, as it came; only a missing status is filled in.
    init(forwarding document: [String: ProviderJSON], status: Int) {
        self.status = status
        members = document
        if members["status"] == nil { members["status"] = .integer(Int64(status)) }
    }

    /// The request says something that it must not; each field by its path.
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

    /// The request is none that we understand.
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

    /// One field is wrong.
    static func badField(_ field: String, _ advice: String) -> BackendProblem {
        badRequest([FieldProblem(field, advice)])
    }

    /// Nobody is signed in.
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

    /// It may be there, but not for this caller; nobody learns which.
    static var notFound: BackendProblem {
        BackendProblem(
            "notfound",
            status: 404,
            title: "Not found",
            detail: "There is nothing of yours at this address."
        )
    }

    /// The address knows another method.
    static func wrongMethod(_ allowed: HTTPTypes.HTTPRequest.Method) -> BackendProblem {
        var problem = badRequest(
            "This address takes \(allowed.rawValue) only.",
            source: "method",
            status: 405
        )
        problem.allowedMethod = allowed
        return problem
    }

    /// The caller names what belongs to somebody else.
    static func forbidden(_ field: String, _ reason: String) -> BackendProblem {
        var problem = BackendProblem(
            "forbidden",
            status: 403,
            title: "Forbidden",
            detail: "The request names what is not the caller's."
        )
        problem.members["problems"] = .array([
            ["name": .string(field), "description": .string(reason)]
        ])
        return problem
    }

    /// The caller asks too often.
    static func tooOften(_ seconds: Int) -> BackendProblem {
        var problem = badRequest("Too many requests.", source: "caller", status: 429)
        problem.retryAfterSeconds = max(1, seconds)
        return problem
    }

    /// The PSP did not answer in time.
    static var gatewayTimeout: BackendProblem {
        BackendProblem(
            "mobilesdk/gatewaytimeout",
            status: 504,
            title: "Gateway timeout",
            detail: "The payment service did not answer in time."
        )
    }

    /// The PSP cannot be reached, or its answer cannot be used.
    ///
    /// What it said stays here: it may name what is none of the caller's business.
    static func badGateway(status: Int?) -> BackendProblem {
        var problem = BackendProblem(
            "mobilesdk/badgateway",
            status: 502,
            title: "Bad gateway",
            detail: status == nil
                ? "The payment service cannot be reached."
                : "The payment service answered something unexpected."
        )
        if let status { problem.members["gatewayStatus"] = .integer(Int64(status)) }
        return problem
    }

    /// A part of the host failed.
    static var internalError: BackendProblem {
        BackendProblem(
            "systemerror",
            status: 500,
            title: "Internal error",
            detail: "The request could not be processed."
        )
    }
}
