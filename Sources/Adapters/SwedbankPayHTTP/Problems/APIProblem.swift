/// A problem reported by a merchant backend or the PSP, classified by the side that must act.
///
/// The kind follows from the problem's type or, for any other type, from the status of the
/// response.
///
/// ```swift
/// switch problem {
/// case .client(.mobileSDK(.unauthorized)): signInAgain()
/// case .client(.swedbankPay(.inputError(let problem))): show(problem.problems)
/// case .server(.swedbankPay(.configurationError)): callTheMerchant()
/// case .server: tryLater()
/// case .client: stop()
/// }
/// ```
///
/// - Note: Source: problem catalogue, problem hierarchy.
@nonexhaustive
public enum APIProblem: Hashable, Sendable {
    /// The request is at fault: sent again, it fails again.
    case client(Client)
    /// The other side is at fault: the problem must be fixed there, or is temporary.
    case server(Server)

    /// Problems of the request.
    public enum Client: Hashable, Sendable {
        /// The merchant backend itself refused the request.
        case mobileSDK(MobileSDK)
        /// The PSP refused the request.
        case swedbankPay(SwedbankPay)
        /// A problem of another type.
        case unknown(ProblemDetails)
        /// An unsuccessful status without a problem document.
        case unexpectedContent(UnexpectedContent)

        /// Problems reported by a merchant backend itself.
        public enum MobileSDK: Hashable, Sendable {
            /// The backend could not authenticate or authorize the request
            /// (`mobilesdk/unauthorized`).
            case unauthorized(ProblemDetails)
            /// The backend cannot process the request (`mobilesdk/badrequest`).
            case invalidRequest(ProblemDetails)
        }

        /// Problems reported by the PSP.
        public enum SwedbankPay: Hashable, Sendable {
            /// The request has invalid parts, listed in ``ProblemDetails/problems`` (`inputerror`).
            case inputError(ProblemDetails)
            /// The access token or the contract does not allow the request (`forbidden`).
            case forbidden(ProblemDetails)
            /// The resource does not exist (`notfound`).
            case notFound(ProblemDetails)
        }
    }

    /// Problems of the other side.
    public enum Server: Hashable, Sendable {
        /// The merchant backend could not reach the PSP.
        case mobileSDK(MobileSDK)
        /// The PSP failed.
        case swedbankPay(SwedbankPay)
        /// A problem of another type.
        case unknown(ProblemDetails)
        /// Any other content than what was requested, also with a successful status.
        case unexpectedContent(UnexpectedContent)

        /// Problems between a merchant backend and the PSP.
        public enum MobileSDK: Hashable, Sendable {
            /// The PSP did not respond to the backend in time (`mobilesdk/gatewaytimeout`).
            case backendConnectionTimeout(ProblemDetails)
            /// The backend did not reach the PSP (`mobilesdk/badgateway` without a status).
            case backendConnectionFailure(ProblemDetails)
            /// The backend could not process the PSP's response (`mobilesdk/badgateway` with the
            /// response's status).
            case invalidBackendResponse(ProblemDetails, gateway: GatewayResponse)
        }

        /// Failures of the PSP.
        public enum SwedbankPay: Hashable, Sendable {
            /// An internal error (`systemerror`).
            case systemError(ProblemDetails)
            /// The merchant's contract or configuration lacks something (`configurationerror`).
            case configurationError(ProblemDetails)
        }
    }
}

/// The content of a problem document.
public struct ProblemDetails: Hashable, Sendable {
    /// The identifier of the type of problem; `about:blank` when there was none.
    public var type: String
    /// A short text for operators.
    public var title: String?
    /// The status in the document, or that of the response when it has none; for display only.
    public var status: Int
    /// The status of the response, which decides what to do.
    public var httpStatus: Int
    /// An explanation for operators; never shown to the payer.
    ///
    /// For a merchant backend, it is the message.
    public var detail: String?
    /// The resource concerned.
    public var instance: String?
    /// The action that the PSP recommends, for example `RetryNewData`.
    public var action: String?
    /// Problems with single parts of the request.
    public var problems: [FieldIssue] = []
    /// The delay that the response requests.
    public var retryAfter: Duration?
    /// The whole document as received, truncated to a limit.
    public var raw: [UInt8] = []

    /// A problem with one part of a request.
    public struct FieldIssue: Hashable, Sendable {
        /// The part, for example `paymentOrder.amount`.
        public var name: String?
        /// The problem.
        public var description: String?
    }

    /// Whether the document's status differs from the response's.
    public var isStatusContradicted: Bool { status != httpStatus }
}

/// A response that a merchant backend received and could not process.
public struct GatewayResponse: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The body, if the backend forwards it.
    public var body: String?
}

/// A response that is neither what was requested nor a problem document.
public struct UnexpectedContent: Hashable, Sendable {
    /// The response's status.
    public var status: Int
    /// The declared content type.
    public var contentType: String?
    /// The body, truncated to a limit.
    public var body: [UInt8]
    /// The delay that the response requests.
    public var retryAfter: Duration?
}
