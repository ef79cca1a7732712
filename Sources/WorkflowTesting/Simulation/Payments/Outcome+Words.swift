import SwedbankPay

extension ProviderResponse.Outcome {
    /// The request was certainly not sent.
    static func notSent(_ code: String) -> Self {
        .failed(reach: .notSent, code: code, isTransient: true)
    }

    /// The request may have been sent, and no response arrived.
    static func lost(_ code: String) -> Self {
        .failed(reach: .maybeSent, code: code, isTransient: true)
    }

    /// A status of 500 or above, without a problem document of the PSP.
    static func unavailable(_ status: Int) -> Self {
        .refused(
            status: status,
            document: ProblemDocument(type: "about:blank", status: status),
            retryAfter: nil
        )
    }

    /// A response with status 429 and a retry time.
    static func tooManyRequests(_ wait: Duration) -> Self {
        .refused(
            status: 429,
            document: ProblemDocument(type: "about:blank", status: 429),
            retryAfter: wait
        )
    }

    /// Whether the PSP processed the request successfully.
    var isSuccess: Bool {
        switch self {
        case .snapshot, .endpoints, .consumer, .order: true
        case .empty, .undecodable, .refused, .failed: false
        }
    }

    /// The outcome in a few words.
    var words: String {
        switch self {
        case .snapshot: "a snapshot"
        case .empty(let status): "\(status) without a body"
        case .undecodable: "a body that can't be read"
        case .endpoints: "endpoints"
        case .consumer: "a check-in"
        case .order: "an order"
        case .refused(let status, _, _): "\(status)"
        case .failed(let reach, let code, _): "\(code) (\(reach.rawValue))"
        }
    }
}
