internal import EventLog
public import SwedbankPay

extension APIProblem {
    /// The content of the problem document; `nil` when there was none.
    public var details: ProblemDetails? {
        switch self {
        case .client(.mobileSDK(.unauthorized(let details))),
            .client(.mobileSDK(.invalidRequest(let details))),
            .client(.swedbankPay(.inputError(let details))),
            .client(.swedbankPay(.forbidden(let details))),
            .client(.swedbankPay(.notFound(let details))),
            .client(.unknown(let details)),
            .server(.mobileSDK(.backendConnectionTimeout(let details))),
            .server(.mobileSDK(.backendConnectionFailure(let details))),
            .server(.mobileSDK(.invalidBackendResponse(let details, _))),
            .server(.swedbankPay(.systemError(let details))),
            .server(.swedbankPay(.configurationError(let details))),
            .server(.unknown(let details)):
            details
        case .client(.unexpectedContent), .server(.unexpectedContent): nil
        }
    }

    /// The content received instead of a problem document.
    public var unexpectedContent: UnexpectedContent? {
        switch self {
        case .client(.unexpectedContent(let content)), .server(.unexpectedContent(let content)):
            content
        case .client, .server: nil
        }
    }

    /// The status of the response.
    public var httpStatus: Int { details?.httpStatus ?? unexpectedContent?.status ?? 0 }

    /// The delay that the response requests.
    public var retryAfter: Duration? { details?.retryAfter ?? unexpectedContent?.retryAfter }

    /// Whether the same request may succeed later; this does not mean that repeating it is safe.
    ///
    /// - Note: Source: problem catalogue, problem hierarchy: server problems are temporary, except
    ///   for configuration errors.
    public var isTransient: Bool {
        switch self {
        case .client: false
        case .server(.swedbankPay(.configurationError)): false
        case .server(.unexpectedContent(let content)): content.status >= 500
        case .server: true
        }
    }

    /// The advice of a catalogue.
    public func advice(in catalogue: ProblemCatalogue) -> ProblemAdvice {
        catalogue.advice(
            type: details?.type,
            status: httpStatus,
            instrument: nil,
            instance: details?.instance
        )
    }
}

extension APIProblem: CustomStringConvertible {
    /// Kind, status and type, without texts and content from outside, which may quote secrets.
    public var description: String {
        let side =
            switch self {
            case .client: "client"
            case .server: "server"
            }
        guard let details else { return "\(side) problem, unexpected content, HTTP \(httpStatus)" }
        let type = OutsideTextScreen.isProblemType(details.type) ? details.type : "of another type"
        return "\(side) problem \(type), HTTP \(details.httpStatus)"
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// Type and status, without texts from outside, which may quote secrets.
    public var description: String {
        let type = OutsideTextScreen.isProblemType(type) ? type : "of another type"
        return "problem \(type), status \(status)"
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnexpectedContent: CustomStringConvertible, CustomReflectable {
    /// The status only.
    public var description: String { "unexpected content, HTTP \(status)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension GatewayResponse: CustomStringConvertible, CustomReflectable {
    /// The status only.
    public var description: String { "HTTP \(status)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
