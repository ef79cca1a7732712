internal import EventLog
internal import HTTPTypes
internal import SwedbankPay

/// The HTTP request for an operation.
///
/// - Note: Source: payment session API, transport rules and operations.
struct EncodedRequest {
    /// `GET` or `POST`.
    let method: HTTPRequest.Method
    /// The address to send it to.
    let address: String
    /// The body as JSON; `nil` when the operation has none.
    let json: ForeignJSON?
    /// The time limit for the request.
    let deadline: Duration
    /// The secrets that the request carries.
    let plaintexts: [String]

    /// Why a request cannot be created.
    enum Refusal: String, Error {
        /// The operation requires a method other than `GET` and `POST`, or a body with `GET`.
        case unsupportedMethod = "session.unsupported-method"
        /// The address is not permitted.
        case unsupportedAddress = "session.unsupported-address"
        /// The plaintext of a value that must be sent is not available.
        case secretMissing = "session.secret-missing"
    }

    init(_ request: ProviderRequest, options: SwedbankPayOptions) throws(Refusal) {
        switch request.method?.uppercased() {
        case nil: method = request.rel.onlyReads ? .get : .post
        case "GET"?: method = .get
        case "POST"?: method = .post
        default: throw .unsupportedMethod
        }
        guard
            let address = APIAddress.upgraded(
                request.address,
                allowsInsecureLoopback: options.allowsInsecureLoopback
            )
        else { throw .unsupportedAddress }
        self.address = address
        let body = try request.bodyJSON()
        guard body.json == nil || method == .post else { throw .unsupportedMethod }
        json = body.json
        plaintexts = body.plaintexts + [request.address] + Self.tokens(in: request.address)
        deadline =
            Self.asksIssuer(request) ? options.cardRequestDeadline : options.requestDeadline
    }

    /// The body as bytes: an operation without a body is posted with an empty one.
    var bytes: [UInt8]? {
        if let json { return Array(json.text.utf8) }
        return method == .post ? [] : nil
    }

    /// The headers of every request.
    static let headers: HTTPFields = [
        .accept: "application/json", .contentType: "application/json",
    ]

    private static func asksIssuer(_ request: ProviderRequest) -> Bool {
        switch request.body {
        case .cardAttempt, .authentication, .challengeResult, .walletPayload: true
        case .none, .environment, .method, .swishAttempt, .walletAttempt, .clientFailure,
            .presentation, .consumer, .order, .orderQuery, .instrument, .abortReason, .transaction:
            false
        }
    }

    /// The parts of an address that could be its token.
    private static func tokens(in address: String) -> [String] {
        address.utf8.split(whereSeparator: { "/?&=#:".utf8.contains($0) })
            .filter { $0.count >= 8 && $0.contains(where: \.isASCIIDigit) }
            .map { String(Substring($0)) }
    }
}
