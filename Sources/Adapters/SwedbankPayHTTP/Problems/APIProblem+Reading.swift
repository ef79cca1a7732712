internal import HTTPTypes
internal import SwedbankPay
internal import UVTransport

extension APIProblem {
    /// Reads a response that does not contain what was requested.
    ///
    /// - Note: Source: problem catalogue, parsing rules; the type takes precedence over the status
    ///   of the response.
    init(_ response: TransportResponse, limits: ResponseLimits) {
        let headers = response.headers
        let retryAfter = RetryAfter.duration(in: headers, maximum: limits.retryAfter)
        let contentType = headers.lastValue(of: .contentType)
        let isSuccess = (200...299).contains(response.status)
        guard !isSuccess, let members = ProblemMembers(response.body, limits: limits),
            members.isProblem || ContentType.isProblem(contentType)
        else {
            self.init(unexpected: response, limits: limits, retryAfter: retryAfter)
            return
        }
        var details = ProblemDetails(
            type: members.type ?? "about:blank",
            status: members.status ?? response.status,
            httpStatus: response.status
        )
        details.title = members.title
        details.detail = members.detail
        details.instance = members.instance
        details.action = members.action
        details.problems = members.problems.map {
            ProblemDetails.FieldIssue(name: $0.name, description: $0.description)
        }
        details.retryAfter = retryAfter
        details.raw = Array(response.body.prefix(limits.rawBytes))
        if let known = APIProblem(details, members) {
            self = known
        } else if (400...499).contains(response.status) {
            self = .client(.unknown(details))
        } else if (500...599).contains(response.status) {
            self = .server(.unknown(details))
        } else {
            self.init(unexpected: response, limits: limits, retryAfter: retryAfter)
        }
    }

    /// Creates the problem of a response without the requested content.
    ///
    /// - Note: Source: problem catalogue, parsing rules, unexpected content.
    init(
        unexpected response: TransportResponse,
        limits: ResponseLimits,
        retryAfter: Duration? = nil
    ) {
        let content = UnexpectedContent(
            status: response.status,
            contentType: response.headers.lastValue(of: .contentType),
            body: Array(response.body.prefix(limits.rawBytes)),
            retryAfter: retryAfter
        )
        self =
            (400...499).contains(response.status)
            ? .client(.unexpectedContent(content)) : .server(.unexpectedContent(content))
    }

    /// Creates a problem of a type that has its own case.
    private init?(_ details: ProblemDetails, _ members: ProblemMembers) {
        guard let slug = ProblemCatalogue.slug(of: details.type) else { return nil }
        switch ProblemCatalogue.key(of: slug) {
        case "mobilesdk/unauthorized": self = .client(.mobileSDK(.unauthorized(details)))
        case "mobilesdk/badrequest": self = .client(.mobileSDK(.invalidRequest(details)))
        case "mobilesdk/gatewaytimeout":
            self = .server(.mobileSDK(.backendConnectionTimeout(details)))
        case "mobilesdk/badgateway":
            if let status = members.gatewayStatus {
                let gateway = GatewayResponse(status: status, body: members.gatewayBody)
                self = .server(.mobileSDK(.invalidBackendResponse(details, gateway: gateway)))
            } else {
                self = .server(.mobileSDK(.backendConnectionFailure(details)))
            }
        case "inputerror": self = .client(.swedbankPay(.inputError(details)))
        case "forbidden": self = .client(.swedbankPay(.forbidden(details)))
        case "notfound": self = .client(.swedbankPay(.notFound(details)))
        case "systemerror": self = .server(.swedbankPay(.systemError(details)))
        case "configurationerror": self = .server(.swedbankPay(.configurationError(details)))
        default: return nil
        }
    }
}

/// Interprets a declared content type.
enum ContentType {
    /// Whether the content may be JSON; undeclared content may be.
    static func isJSON(_ declared: String?) -> Bool {
        guard let type = main(declared) else { return true }
        return type.hasSuffix("/json") || type.hasSuffix("+json")
    }

    /// Whether the content is a problem document.
    static func isProblem(_ declared: String?) -> Bool {
        main(declared) == "application/problem+json"
    }

    /// The type without its parameters, in lower case.
    private static func main(_ declared: String?) -> String? {
        guard let declared else { return nil }
        let type = String(declared.unicodeScalars.prefix { $0 != ";" })
            .filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type.lowercased()
    }
}
