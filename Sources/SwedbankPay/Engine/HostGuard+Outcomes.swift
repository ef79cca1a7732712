public import Workflow

extension HostGuard {
    /// Records the outcome of an admitted request.
    ///
    /// - Returns: Whether the host is back.
    @discardableResult
    public mutating func record(
        _ outcome: ProviderResponse.Outcome,
        of admission: CircuitBreaker.Admission,
        to host: String,
        at now: CircuitBreaker.Time
    ) -> Bool {
        record(
            Self.result(of: outcome),
            isFree: Self.isFree(outcome),
            of: admission,
            to: host,
            at: now
        )
    }

    /// Whether the outcome of a retry does not count against further ones, or the retry was never
    /// sent.
    private static func isFree(_ outcome: ProviderResponse.Outcome) -> Bool {
        switch outcome {
        case .snapshot, .empty, .undecodable, .endpoints, .consumer, .order: true
        case .refused(let status, _, _): status < 500 && status != 429
        case .failed(_, let code, _): code == "http.queue-full"
        }
    }

    /// What an outcome means for the health of the host.
    public static func result(of outcome: ProviderResponse.Outcome) -> CircuitBreaker.Result {
        switch outcome {
        case .snapshot, .empty, .undecodable, .endpoints, .consumer, .order: .responded
        case .refused(let status, _, _): (502...504).contains(status) ? .failed : .responded
        case .failed(_, "http.queue-full", _): .unknown
        case .failed(_, _, let isTransient): isTransient ? .failed : .unknown
        }
    }
}
