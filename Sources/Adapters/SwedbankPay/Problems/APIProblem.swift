/// What a merchant backend or the PSP refused, by who has to do something about it.
///
/// The kind follows from the problem's type; of a type that is not among these, from the status of the answer.
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
public enum APIProblem: Hashable, Sendable {
    /// The request is at fault: sent again, it fails again.
    case client(Client)
    /// The other side is at fault: it has to be mended there, or passes.
    case server(Server)

    /// Problems of the request.
    public enum Client: Hashable, Sendable {
        /// The merchant backend itself refuses.
        case mobileSDK(MobileSDK)
        /// The PSP refuses.
        case swedbankPay(SwedbankPay)
        /// A problem of another type.
        case unknown(ProblemDetails)
        /// A status that refuses, without a problem document.
        case unexpectedContent(UnexpectedContent)

        /// What a merchant backend refuses by itself.
        public enum MobileSDK: Hashable, Sendable {
            /// The backend does not know who asks, or does not allow it (`mobilesdk/unauthorized`).
            case unauthorized(ProblemDetails)
            /// The backend can't use the request (`mobilesdk/badrequest`).
            case invalidRequest(ProblemDetails)
        }

        /// What the PSP refuses.
        public enum SwedbankPay: Hashable, Sendable {
            /// Something in the request is wrong; ``ProblemDetails/problems`` says what (`inputerror`).
            case inputError(ProblemDetails)
            /// The access token or the contract does not allow it (`forbidden`).
            case forbidden(ProblemDetails)
            /// There is no such thing (`notfound`).
            case notFound(ProblemDetails)
        }
    }

    /// Problems of the other side.
    public enum Server: Hashable, Sendable {
        /// The merchant backend did not get through to the PSP.
        case mobileSDK(MobileSDK)
        /// The PSP failed.
        case swedbankPay(SwedbankPay)
        /// A problem of another type.
        case unknown(ProblemDetails)
        /// Anything else that is not what was asked for, also with a status of success.
        case unexpectedContent(UnexpectedContent)

        /// What lies between a merchant backend and the PSP.
        public enum MobileSDK: Hashable, Sendable {
            /// The PSP did not answer the backend in time (`mobilesdk/gatewaytimeout`).
            case backendConnectionTimeout(ProblemDetails)
            /// The backend did not reach the PSP (`mobilesdk/badgateway` without a status).
            case backendConnectionFailure(ProblemDetails)
            /// The backend could not use the PSP's answer (`mobilesdk/badgateway` with the answer's status).
            case invalidBackendResponse(ProblemDetails, gateway: GatewayAnswer)
        }

        /// What the PSP fails at.
        public enum SwedbankPay: Hashable, Sendable {
            /// Something broke (`systemerror`).
            case systemError(ProblemDetails)
            /// The merchant's contract or set-up lacks something (`configurationerror`).
            case configurationError(ProblemDetails)
        }
    }
}

/// What a problem document says.
public struct ProblemDetails: Hashable, Sendable {
    /// The identifier of the kind of problem; `about:blank` when there was none.
    public var type: String
    /// A short text, for operators.
    public var title: String?
    /// The status in the document, or that of the answer when it has none; for display.
    public var status: Int
    /// The status of the answer, which decides what to do.
    public var httpStatus: Int
    /// An explanation, for operators; never shown to the payer.
    ///
    /// Of a merchant backend it is the message.
    public var detail: String?
    /// What it happened to.
    public var instance: String?
    /// What the PSP advises to do, for example `RetryNewData`.
    public var action: String?
    /// What is wrong with single parts of the request.
    public var problems: [FieldIssue] = []
    /// How long the answer asks to wait.
    public var retryAfter: Duration?
    /// The whole document as it came, cut to a bound.
    public var raw: [UInt8] = []

    /// Something that is wrong with one part of a request.
    public struct FieldIssue: Hashable, Sendable {
        /// The part, for example `paymentOrder.amount`.
        public var name: String?
        /// What is wrong with it.
        public var description: String?
    }

    /// Whether the document's status is another than the answer's.
    public var isStatusContradicted: Bool { status != httpStatus }
}

/// The answer that a merchant backend got and could not use.
public struct GatewayAnswer: Hashable, Sendable {
    /// Its status.
    public var status: Int
    /// Its body, if the backend tells.
    public var body: String?
}

/// An answer that is neither what was asked for nor a problem document.
public struct UnexpectedContent: Hashable, Sendable {
    /// The answer's status.
    public var status: Int
    /// The declared content type.
    public var contentType: String?
    /// The body, cut to a bound.
    public var body: [UInt8]
    /// How long the answer asks to wait.
    public var retryAfter: Duration?
}
