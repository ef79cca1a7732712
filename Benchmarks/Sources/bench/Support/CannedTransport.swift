internal import Adapters

/// Answers that were recorded, without a network: for measuring what is kept, not what is exchanged.
struct CannedTransport: Transport {
    private let answers: [String: HTTPResponse]

    /// The newest answer to each request of a recording.
    init(_ exchanges: [ExchangeRecorder.Exchange]) {
        answers = Dictionary(
            exchanges.map { ($0.request.method + $0.request.url, $0.response) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func perform(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard let answer = answers[request.method + request.url] else {
            throw TransportFailure(reach: .notSent, kind: .other)
        }
        return answer
    }
}
