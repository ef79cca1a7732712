public import EventLog

/// The way to the payment service provider: the port that the HTTP adapter implements.
///
/// - Note: Isolation: any. Cancelling the task that performs a request really cancels the request.
public protocol PaymentProvider: Sendable {
    /// Performs one request and reports what came of it; never throws, since a failure is an outcome.
    func perform(_ request: ProviderRequest) async -> ProviderAnswer
}

/// One request to the PSP, with the secrets that it needs in the clear.
public struct ProviderRequest: Sendable {
    /// What it does.
    public var rel: Rel
    /// The HTTP method as the operation said it; nothing means the one that the rel implies.
    public var method: String?
    /// The address to call.
    public var address: String
    /// What to send.
    public var body: OperationBody
    /// The language to send, from the newest snapshot.
    public var culture: String?
    /// How the engine presents itself.
    public var client: ClientProfile
    /// The plaintext of each sealed value in `body`.
    public var secrets: SecretTable
    /// The session's keys, to seal what the answer holds.
    public var keys: SessionKeys
    /// The order's addresses of the newest snapshot, for redirects in an answer that has none.
    public var knownURLs: OrderURLs?
    /// Counted from 1 for the same step.
    public var tryNumber: Int
    /// For payment orders: who is asked, and where they are found.
    public var gateway: GatewayAccess?

    /// A request with these members.
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

/// What a request sends; the adapter makes the JSON of it.
///
/// Source: payment session API, operations: one case for each body.
public enum OperationBody: Hashable, Sendable {
    /// Nothing (`get-payment`, `abort-payment`, `acknowledge-failed-attempt`, reading the session).
    case none
    /// The client's environment (`prepare-payment`).
    case environment
    /// The method to open (`expand-method`).
    case method(PaymentMethodName)
    /// A Swish attempt (`start-payment-attempt`): explicitly no number for this device.
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
    /// The way the session shall be presented (`customize-payment`).
    case presentation(Presentation)
    /// Who checks in (`consumers`).
    case consumer(language: String, shippingCountries: [String])
    /// A payment order (`paymentorders`).
    case order(OrderSubmission)
    /// Which order to read, and what of it in full (`order`).
    case orderQuery(id: String, expanding: [String])
    /// The method to lock the order to (`set-instrument`).
    case instrument(PaymentMethodName)
    /// Why the order is given up (`abort`).
    case abortReason(String)
    /// What to do with the money of a paid order (`capture`, `cancel`, `reversal`).
    case transaction(TransactionRequest)
}

/// Why the client could not go on.
///
/// Source: payment session API, fail-payment-attempt.
public enum ClientFailure: String, Hashable, Sendable {
    /// The payer closed the wallet.
    case userCancelled = "UserCancelled"
    /// The wallet could not be presented.
    case technicalError = "TechnicalError"
    /// The other app could not be opened.
    case appLaunchFailed = "ClientAppLaunchFailed"
}

/// The ways a session can be presented.
///
/// Source: payment session API, customize-payment.
public enum Presentation: Hashable, Sendable {
    /// All methods.
    case all
    /// These methods only.
    case restricted([PaymentMethodName])
    /// One method only.
    case instrument(PaymentMethodName)
    /// A new card, without the saved ones.
    case newCard(showsConsent: Bool)
}

/// What came of a request.
public struct ProviderAnswer: Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// The plaintext of each sealed value in the outcome.
    public var secrets: SecretTable
    /// From the start to the end of the request.
    public var durationMilliseconds: Int64

    /// The outcomes that a request can have.
    public enum Outcome: Hashable, Sendable {
        /// A snapshot.
        case snapshot(Snapshot, status: Int)
        /// Success without a body.
        case empty(status: Int)
        /// Success with a body that is no snapshot; the raw text, cut to a bound.
        case undecodable(status: Int, raw: Sealed?)
        /// Where a merchant backend takes orders.
        case endpoints(BackendEndpoints, status: Int)
        /// Where the payer checks in; nil when the answer names no such page.
        case consumer(view: Operation?, status: Int)
        /// A payment order.
        indirect case order(OrderSnapshot, status: Int)
        /// An answer that refuses; the wait that it asks for, if any.
        case refused(status: Int, document: ProblemDocument, retryAfter: Duration?)
        /// No whole answer. A refusal of our own (address not allowed) is not transient.
        case failed(reach: Reach, code: String, isTransient: Bool)
    }

    /// An answer with these members.
    public init(outcome: Outcome, secrets: SecretTable, durationMilliseconds: Int64) {
        self.outcome = outcome
        self.secrets = secrets
        self.durationMilliseconds = durationMilliseconds
    }
}
