internal import HTTPTypes

/// A request that was checked and may be given to libcurl.
struct PreparedRequest: Sendable {
    /// Header fields that only libcurl writes: two of them could disagree about where a request
    /// ends.
    static let reservedHeaders: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te",
        "trailer", "proxy-authorization", "proxy-connection", "keep-alive", "http2-settings",
    ]

    /// The original request.
    let request: TransportRequest
    /// The parsed and permitted address.
    let url: RequestURL
    /// When the request was made, on the monotonic clock in nanoseconds.
    let start: Int64
    /// When the request is abandoned, on the same clock.
    let deadline: Int64

    /// Checks a request; when this throws, no request has been sent.
    init(
        _ request: TransportRequest,
        under configuration: TransportConfiguration
    ) throws(TransportFailure) {
        self.request = request
        start = LoopClock.monotonicNanoseconds()
        let limit = min(request.overallDeadline.millisecondsRoundedUp, Self.longestMilliseconds)
        deadline = start &+ Int64(limit) * 1_000_000
        do throws(URLRefusal) {
            url = try RequestURL(reading: request.url)
            try configuration.check(url)
        } catch {
            throw TransportFailure(reach: .notSent, kind: .refusedURL(error))
        }
        if let reason = Self.objection(to: request) {
            throw .refusing(reason)
        }
    }

    /// The longest deadline, a century: about three fit into 64 bits of nanoseconds.
    private static let longestMilliseconds: UInt64 = 100 * 365 * 86_400 * 1000

    /// Whether the server may receive the request twice without harm.
    var isRepeatable: Bool { request.method == .get || request.method == .head }

    private static func objection(to request: TransportRequest) -> String? {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let method = request.method.rawValue.utf8
        guard method.count <= 16, method.allSatisfy(letters.contains), request.method != .connect
        else { return "method" }
        if request.method == .get || request.method == .head, request.body != nil {
            return "body"
        }
        if request.maximumResponseBytes < 0 { return "maximumResponseBytes" }
        for field in request.headers {
            guard !reservedHeaders.contains(field.name.canonicalName) else {
                return "reserved header"
            }
            guard HTTPFields.isValue(field.value) else { return "header value" }
        }
        return nil
    }
}
