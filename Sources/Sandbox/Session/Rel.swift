/// The operations of the payment session API.
///
/// - Note: Source: payment session API, operation catalogue.
enum Rel: String, Sendable, Hashable, CaseIterable {
    case preparePayment = "prepare-payment"
    case expandMethod = "expand-method"
    case startPaymentAttempt = "start-payment-attempt"
    case createAuthentication = "create-authentication"
    case completeAuthentication = "complete-authentication"
    case attemptPayload = "attempt-payload"
    case failPaymentAttempt = "fail-payment-attempt"
    case customizePayment = "customize-payment"
    case getPayment = "get-payment"
    case redirectPayer = "redirect-payer"
    case acknowledgeFailedAttempt = "acknowledge-failed-attempt"
    case abortPayment = "abort-payment"
    case viewPayment = "view-payment"
    case eventLogging = "event-logging"

    /// The HTTP method with which the operation is offered.
    var httpMethod: String {
        switch self {
        case .getPayment, .redirectPayer, .viewPayment: "GET"
        case .preparePayment, .expandMethod, .startPaymentAttempt, .createAuthentication,
            .completeAuthentication, .attemptPayload, .failPaymentAttempt, .customizePayment,
            .acknowledgeFailedAttempt, .abortPayment, .eventLogging:
            "POST"
        }
    }

    /// Whether the request carries a JSON body.
    var takesBody: Bool {
        switch self {
        case .preparePayment, .expandMethod, .startPaymentAttempt, .createAuthentication,
            .completeAuthentication, .attemptPayload, .failPaymentAttempt, .customizePayment,
            .eventLogging:
            true
        case .getPayment, .redirectPayer, .viewPayment, .acknowledgeFailedAttempt, .abortPayment:
            false
        }
    }
}

/// One operation at one point of a session: what an opaque href refers to.
struct OperationKey: Sendable, Hashable {
    let rel: Rel
    /// The payment method in whose list it is; `nil` for the session's own list.
    var method: String?
    /// The attempt that it belongs to, or the number of earlier attempts; 0 for operations of the
    /// whole session.
    var round = 0
}

/// An operation as shown in a snapshot.
struct Offer: Sendable {
    let key: OperationKey
    var next = false
    var tasks: [JSON] = []
    var expects: [JSON] = []
}
