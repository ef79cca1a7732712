/// An invalid field of a request, named so that the sender can find it.
struct FieldProblem: Sendable, Equatable {
    let name: String
    let description: String
}

/// The PSP's response to a refused request, and its description of a failed attempt.
///
/// - Note: Source: problem documents of RFC 9457 with the PSP's `action` and `problems` members.
struct ProblemDetail: Error, Sendable, Equatable {
    /// The prefix of all of the PSP's problem types.
    static let typePrefix = "https://api.payex.com/psp/errordetail/"

    /// The part of the type after ``typePrefix``; a whole URI for foreign types.
    let slug: String
    let status: Int
    let title: String
    let detail: String
    var action: String?
    var fields: [FieldProblem] = []
    /// Members that only this problem has.
    var extensions: [String: JSON] = [:]

    /// The type URI of the problem.
    var type: String { slug.utf8.contains("://".utf8) ? slug : Self.typePrefix + slug }

    /// The members as JSON, without the null ones.
    var document: JSON {
        var members: [String: JSON] = [
            "type": .string(type), "title": .string(title), "status": .integer(status),
            "detail": .string(detail),
        ]
        if let action { members["action"] = .string(action) }
        if !fields.isEmpty {
            members["problems"] = .array(
                fields.map {
                    ["name": .string($0.name), "description": .string($0.description)]
                }
            )
        }
        return .object(members.merging(extensions) { own, _ in own })
    }
}

extension ProblemDetail {
    /// The request's body or parameters are invalid.
    static func inputError(_ fields: [FieldProblem]) -> ProblemDetail {
        ProblemDetail(
            slug: "inputerror",
            status: 400,
            title: "Error in input data",
            detail: "Input validation failed, error description in problems node!",
            action: "RetryNewData",
            fields: fields
        )
    }

    /// The order violates a rule of payment orders.
    static func orderInputError(_ fields: [FieldProblem]) -> ProblemDetail {
        ProblemDetail(
            slug: "paymentorders/inputerror",
            status: 400,
            title: "Error in input data",
            detail: "The payment order cannot be accepted, see the problems node.",
            action: "RetryNewData",
            fields: fields
        )
    }

    /// There is no such token.
    static let unknownToken = ProblemDetail(
        slug: "paymentorders/inputerror",
        status: 404,
        title: "Error in input data",
        detail: "The token does not exist."
    )

    /// The token was deleted.
    static let inactiveToken = ProblemDetail(
        slug: "paymentorders/paymenttokeninactive",
        status: 422,
        title: "Token inactive",
        detail: "The token was deleted."
    )

    /// The merchant did not send the token that the sandbox requires.
    static let unauthorized = ProblemDetail(
        slug: "unauthorized",
        status: 401,
        title: "Unauthorized",
        detail: "The Authorization header holds no valid bearer token."
    )

    /// The session is not in a state that allows the operation.
    static func operationNotAllowed(_ detail: String) -> ProblemDetail {
        ProblemDetail(
            slug: "paymentsessions/operationnotallowed",
            status: 409,
            title: "Operation not allowed",
            detail: detail
        )
    }

    /// There is nothing at this address.
    static let notFound = ProblemDetail(
        slug: "notfound",
        status: 404,
        title: "Not found",
        detail: "The requested resource does not exist."
    )

    /// The order's state does not permit the request.
    static func forbidden(_ detail: String) -> ProblemDetail {
        ProblemDetail(slug: "forbidden", status: 403, title: "Forbidden", detail: detail)
    }

    /// The address does not support this HTTP method.
    static func methodNotAllowed(_ allowed: String) -> ProblemDetail {
        ProblemDetail(
            slug: "methodnotallowed",
            status: 405,
            title: "Method not allowed",
            detail: "Use \(allowed)."
        )
    }

    /// The content type is not that of JSON.
    static let unsupportedMediaType = ProblemDetail(
        slug: "unsupportedmediatype",
        status: 415,
        title: "Unsupported media type",
        detail: "Send application/json."
    )

    /// The body exceeds the maximum size.
    static let contentTooLarge = ProblemDetail(
        slug: "contenttoolarge",
        status: 413,
        title: "Content too large",
        detail: "The body exceeds the limit."
    )

    /// The sandbox has reached the configured maximum number of orders.
    static let tooManyOrders = ProblemDetail(
        slug: "systemerror",
        status: 503,
        title: "Too many orders",
        detail: "The sandbox cannot keep more orders; restart it or raise its limit."
    )
}
