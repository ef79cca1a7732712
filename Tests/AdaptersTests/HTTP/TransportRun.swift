import HTTPTypes

@testable import UVTransport

/// Runs a test with a loop and a transport.
func withTransport<Value>(
    _ configure: (inout TransportConfiguration) -> Void = { _ in },
    _ body: (CurlTransport, UVLoop) async throws -> Value
) async throws -> Value {
    let loop = try UVLoop(name: "http-test")
    defer { loop.shutdown() }
    var configuration = TransportConfiguration(allowedHostSuffixes: ["payex.com"])
    configuration.allowsInsecureLoopback = true
    configure(&configuration)
    return try await body(CurlTransport(on: loop, configuration: configuration), loop)
}

extension CurlTransport {
    /// Returns the failure of a request; `nil` when it succeeded.
    func failure(_ request: TransportRequest) async -> TransportFailure? {
        do throws(TransportFailure) {
            _ = try await perform(request)
            return nil
        } catch {
            return error
        }
    }
}

extension TransportResponse {
    /// Returns the last value of a field; `nil` when it is absent.
    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers.lastValue(of: $0) }
    }
}

/// Returns a request with a short time limit, but long enough for a busy machine.
func request(
    _ method: HTTPRequest.Method,
    _ url: String,
    body: String? = nil,
    within: Duration = .seconds(20)
) -> TransportRequest {
    TransportRequest(
        method: method,
        url: url,
        body: body.map { Array($0.utf8) },
        connectDeadline: within,
        overallDeadline: within
    )
}
