internal import Adapters
internal import HTTPTypes

/// The HTTP exchanges of one session, to be repeated for another session without engine and log.
///
/// Responses to the same request differ between sessions only in their addresses. So the address of
/// each request is found as the address with the same number in the same response.
struct ExchangeScript: Sendable {
    /// The origin of a request's address.
    private enum Source {
        case session
        case response(Int, link: Int)
    }

    private struct Step {
        var method: HTTPRequest.Method
        var headers: HTTPFields
        var body: [UInt8]?
        var source: Source
    }

    /// The exchanges do not follow from each other.
    struct Failure: Error {}

    private var steps: [Step] = []

    /// The number of exchanges.
    var count: Int { steps.count }

    /// Creates the script from exchanges that began with reading a session.
    init(_ exchanges: [ExchangeRecorder.Exchange], session: String) throws {
        for (place, exchange) in exchanges.enumerated() {
            steps.append(
                Step(
                    method: exchange.request.method,
                    headers: exchange.request.headers,
                    body: exchange.request.body,
                    source: try Self.source(
                        of: exchange.request.url,
                        session,
                        exchanges[..<place]
                    )
                )
            )
        }
    }

    private static func source(
        of url: String,
        _ session: String,
        _ earlier: ArraySlice<ExchangeRecorder.Exchange>
    ) throws -> Source {
        if url == session { return .session }
        for (place, exchange) in earlier.enumerated().reversed() {
            var link = 0
            while let found = Self.link(link, in: exchange.response.body) {
                if found == url { return .response(place, link: link) }
                link += 1
            }
        }
        throw Failure()
    }

    /// Performs the exchanges for another session.
    func run(_ session: String, over transport: CurlTransport) async throws {
        var bodies: [[UInt8]] = []
        for step in steps {
            let url =
                switch step.source {
                case .session: session
                case .response(let place, let link): Self.link(link, in: bodies[place])
                }
            guard let url else { throw Failure() }
            let response = try await transport.perform(
                TransportRequest(
                    method: step.method,
                    url: url,
                    headers: step.headers,
                    body: step.body
                )
            )
            guard (200...299).contains(response.status) else { throw Failure() }
            bodies.append(response.body)
        }
        guard let last = bodies.last, Self.isOver(last) else { throw Failure() }
    }

    /// Returns whether a response redirects the payer.
    private static func isOver(_ body: [UInt8]) -> Bool {
        String(decoding: body, as: UTF8.self).contains("redirect-payer")
    }

    /// Returns the n-th address in a response, without parsing it.
    private static func link(_ number: Int, in body: [UInt8]) -> String? {
        let mark = Array(#""href":""#.utf8)
        var left = number
        var place = 0
        while place + mark.count < body.count {
            if body[place] == mark[0], body[place..<place + mark.count].elementsEqual(mark) {
                let start = place + mark.count
                if left == 0 {
                    let text = body[start...].prefix { $0 != UInt8(ascii: "\"") }
                    return String(decoding: text, as: UTF8.self)
                        .replacing(#"\/"#, with: "/")
                }
                left -= 1
                place = start
            } else {
                place += 1
            }
        }
        return nil
    }
}
