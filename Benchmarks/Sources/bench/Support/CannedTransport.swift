internal import Adapters
internal import HTTPTypes

/// Recorded responses, without a network: for measuring what is kept, not what is exchanged.
struct CannedTransport: Transport {
    private let responses: [String: TransportResponse]

    /// Creates a transport with the newest response to each request of a recording.
    init(_ exchanges: [ExchangeRecorder.Exchange]) {
        responses = Dictionary(
            exchanges.map { ($0.request.method.rawValue + $0.request.url, $0.response) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns another address for the recorded session: a store has one session per address.
    static func copy(_ number: Int, of address: String) -> String {
        address + (address.contains("?") ? "&" : "?") + copyMark + "\(number)"
    }

    private static let copyMark = "copy-of-recording="

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var url = request.url
        if let mark = url.firstRange(of: Self.copyMark) {
            url = String(url[..<mark.lowerBound].dropLast())
        }
        guard let response = responses[request.method.rawValue + url] else {
            throw TransportFailure(reach: .notSent, kind: .other)
        }
        return response
    }
}
