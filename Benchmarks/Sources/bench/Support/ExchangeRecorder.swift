internal import Adapters
internal import Measuring

/// A transport that forwards everything and records it.
final class ExchangeRecorder: Transport {
    /// One request and its response.
    struct Exchange: Sendable {
        var request: TransportRequest
        var response: TransportResponse
    }

    private let next: any Transport
    private let recorded = SharedValue([Exchange]())

    init(over transport: any Transport) { next = transport }

    /// The exchanges, in the order of the responses.
    var exchanges: [Exchange] { recorded.withLock { $0 } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let response = try await next.perform(request)
        recorded.withLock { $0.append(Exchange(request: request, response: response)) }
        return response
    }
}
