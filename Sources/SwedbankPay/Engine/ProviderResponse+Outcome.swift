public import Workflow

extension ProviderResponse.Outcome: RequestOutcome {
    /// Whether the request may or may not have taken effect.
    public var isUnknown: Bool {
        switch self {
        case .failed(let reach, _, _): reach != .notSent
        case .refused(let status, _, _): status >= 500
        case .snapshot, .empty, .undecodable, .endpoints, .consumer, .order: false
        }
    }

    /// Whether there was no complete response.
    public var isLost: Bool { if case .failed = self { true } else { false } }

    /// The delay that the PSP requests, if any.
    public var requestedDelay: Duration? {
        if case .refused(_, _, let asked) = self { asked } else { nil }
    }

    /// The name in metrics.
    public var metricName: String {
        switch self {
        case .snapshot: "snapshot"
        case .empty: "empty"
        case .undecodable: "undecodable"
        case .endpoints: "endpoints"
        case .consumer: "consumer"
        case .order: "order"
        case .refused(let status, _, _): "status-\(status / 100)xx"
        case .failed(let reach, _, _): "failed-\(reach.rawValue)"
        }
    }
}
