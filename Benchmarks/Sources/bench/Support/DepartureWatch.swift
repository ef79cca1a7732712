internal import Adapters
internal import Measuring

/// A transport that records when each request is handed to HTTP and when its response arrives.
final class DepartureWatch: Transport {
    private struct Times {
        var departures: [Double] = []
        var responses: [Double] = []
    }

    private let next: any Transport
    private let times = SharedValue(Times())

    init(over transport: any Transport) { next = transport }

    /// The times of requests, in order.
    var departures: [Double] { times.withLock { $0.departures } }
    /// When responses arrived, in order.
    var responses: [Double] { times.withLock { $0.responses } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        times.withLock { $0.departures.append(Machine.seconds()) }
        let response = try await next.perform(request)
        times.withLock { $0.responses.append(Machine.seconds()) }
        return response
    }
}
