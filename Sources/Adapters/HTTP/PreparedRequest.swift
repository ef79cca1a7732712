/// A request that was checked and may be given to libcurl.
struct PreparedRequest: Sendable {
    /// Header fields that only libcurl writes: two of them could disagree about where a request
    /// ends.
    static let reservedHeaders: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te",
        "trailer", "proxy-authorization", "proxy-connection", "keep-alive", "http2-settings",
    ]

    /// The original request.
    let request: HTTPRequest
    /// The parsed and permitted address.
    let url: RequestURL
    /// When the request was made, on the monotonic clock in nanoseconds.
    let start: Int64
    /// When the request is abandoned, on the same clock.
    let deadline: Int64

    /// Checks a request; when this throws, no request has been sent.
    init(
        _ request: HTTPRequest,
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
            throw TransportFailure(reach: .notSent, kind: .refusedRequest(reason))
        }
    }

    /// The longest deadline, a century: about three fit into 64 bits of nanoseconds.
    private static let longestMilliseconds: UInt64 = 100 * 365 * 86_400 * 1000

    /// Whether the server may receive the request twice without harm.
    var isRepeatable: Bool { request.method == "GET" || request.method == "HEAD" }

    private static func objection(to request: HTTPRequest) -> String? {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard (1...16).contains(request.method.utf8.count),
            request.method.utf8.allSatisfy(letters.contains), request.method != "CONNECT"
        else { return "method" }
        if request.method == "GET" || request.method == "HEAD", request.body != nil {
            return "body"
        }
        if request.maximumResponseBytes < 0 { return "maximumResponseBytes" }
        for (name, value) in request.headers {
            guard !name.isEmpty, name.utf8.allSatisfy(isToken) else { return "header name" }
            guard !reservedHeaders.contains(name.lowercased()) else { return "reserved header" }
            // Tabs and visible characters; never a line end, which would begin another field.
            guard value.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else {
                return "header value"
            }
        }
        return nil
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
