public import EventLog

/// Performs requests to the payment service provider: the port that the HTTP adapter implements.
///
/// - Note: Isolation: any. Canceling the task that performs a request really cancels the request.
public protocol PaymentProvider: Sendable {
    /// Performs one request and returns its outcome; never throws, because a failure is an outcome.
    func perform(_ request: ProviderRequest) async -> ProviderResponse
}

/// One request to the PSP, with the secrets that it needs in the clear.
public struct ProviderRequest: Sendable {
    /// The kind of request.
    public var rel: Rel
    /// The HTTP method that the operation specifies; `nil` to use the one implied by the rel.
    public var method: String?
    /// The address to send the request to.
    public var address: String
    /// The body to send.
    public var body: OperationBody
    /// The language to send, from the newest snapshot.
    public var culture: String?
    /// How the engine presents itself.
    public var client: ClientProfile
    /// The plaintext of each sealed value in `body`.
    public var secrets: SecretTable
    /// The session's keys, used to seal values in the response.
    public var keys: SessionKeys
    /// The order's addresses from the newest snapshot, used for redirects in a response without
    /// any.
    public var knownURLs: OrderURLs?
    /// The number of the try for the same step, from 1.
    public var tryNumber: Int
    /// For payment orders: who receives the request, and where.
    public var gateway: GatewayAccess?

    /// Creates a request with these members.
    public init(
        rel: Rel,
        method: String?,
        address: String,
        body: OperationBody,
        culture: String?,
        client: ClientProfile,
        secrets: SecretTable,
        keys: SessionKeys,
        knownURLs: OrderURLs? = nil,
        tryNumber: Int = 1,
        gateway: GatewayAccess? = nil
    ) {
        self.rel = rel
        self.method = method
        self.address = address
        self.body = body
        self.culture = culture
        self.client = client
        self.secrets = secrets
        self.keys = keys
        self.knownURLs = knownURLs
        self.tryNumber = tryNumber
        self.gateway = gateway
    }
}

/// The body of a request, from which the adapter creates the JSON.
///
/// - Note: Source: payment session API, operations: one case for each body.
public enum OperationBody: Hashable, Sendable {
    /// No body (`get-payment`, `abort-payment`, `acknowledge-failed-attempt`, reading the session).
    case none
    /// The client's environment (`prepare-payment`).
    case environment
    /// The method to open (`expand-method`).
    case method(PaymentMethodName)
    /// An attempt with Swish, or another instrument that takes a number (`start-payment-attempt`);
    /// for this device explicitly without a number.
    case swishAttempt(msisdn: Sealed?)
    /// A saved-card attempt (`start-payment-attempt`).
    case cardAttempt(token: Sealed)
    /// A wallet attempt (`start-payment-attempt`).
    case walletAttempt
    /// The start of 3-D Secure (`create-authentication`).
    case authentication(indicator: CompletionIndicator, notificationURL: Sealed)
    /// The challenge's result (`complete-authentication`).
    case challengeResult(cRes: Sealed)
    /// The wallet's token (`attempt-payload`); the adapter encodes it.
    case walletPayload(method: PaymentMethodName, payload: Sealed)
    /// A failure on the client's side (`fail-payment-attempt`).
    case clientFailure(ClientFailure, errorCode: OutsideText?)
    /// How the session should be presented (`customize-payment`).
    case presentation(Presentation)
    /// The terms of the check-in (`consumers`).
    case consumer(language: String, shippingCountries: [String])
    /// A payment order (`paymentorders`).
    case order(OrderSubmission)
    /// Which order to read, and which parts of it to expand (`order`).
    case orderQuery(id: String, expanding: [String])
    /// The method to lock the order to (`set-instrument`).
    case instrument(PaymentMethodName)
    /// Why the order is aborted (`abort`).
    case abortReason(String)
    /// A transaction on a paid order: `capture`, `cancel` or `reversal`.
    case transaction(TransactionRequest)
}

/// Why the client could not continue.
///
/// - Note: Source: payment session API, fail-payment-attempt.
public enum ClientFailure: String, Hashable, Sendable {
    /// The payer closed the wallet.
    case userCancelled = "UserCancelled"
    /// The wallet could not be presented.
    case technicalError = "TechnicalError"
    /// The other app could not be opened.
    case appLaunchFailed = "ClientAppLaunchFailed"
}

/// The ways in which a session can be presented.
///
/// - Note: Source: payment session API, customize-payment.
public enum Presentation: Hashable, Sendable {
    /// All methods.
    case all
    /// Only these methods.
    case restricted([PaymentMethodName])
    /// Only one method.
    case instrument(PaymentMethodName)
    /// A new card, without the saved ones.
    case newCard(showsConsent: Bool)
}

/// The result of a request.
public struct ProviderResponse: Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// The plaintexts of the sealed values in the outcome.
    public var secrets: SecretTable
    /// The duration of the request.
    public var durationMilliseconds: Int64

    /// The possible outcomes of a request.
    public enum Outcome: Hashable, Sendable {
        /// A snapshot.
        case snapshot(Snapshot, status: Int)
        /// Success without a body.
        case empty(status: Int)
        /// Success with a body that is not a snapshot; the raw text, truncated to a limit.
        case undecodable(status: Int, raw: Sealed?)
        /// The merchant backend's addresses for orders.
        case endpoints(BackendEndpoints, status: Int)
        /// The check-in page; `nil` when the response names none.
        case consumer(view: Operation?, status: Int)
        /// A payment order.
        indirect case order(OrderSnapshot, status: Int)
        /// A refusal, with the delay that it requests, if any.
        case refused(status: Int, document: ProblemDocument, retryAfter: Duration?)
        /// No complete response; a refusal of our own, such as an address that is not allowed, is
        /// not transient.
        case failed(reach: Reach, code: String, isTransient: Bool)
    }

    /// Creates a response with these members.
    public init(outcome: Outcome, secrets: SecretTable, durationMilliseconds: Int64) {
        self.outcome = outcome
        self.secrets = secrets
        self.durationMilliseconds = durationMilliseconds
    }
}
