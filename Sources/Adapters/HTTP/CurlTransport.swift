/// HTTP over libcurl, on a loop.
///
/// TLS is always verified, redirects are not followed, cookies and the environment's proxies are not
/// used, and only permitted hosts are called. A request that is not `GET` or `HEAD` never leaves twice:
/// libcurl's own repetition on a kept connection that turns out dead is stopped before it sends.
///
/// - Note: Isolation: any; the work is done on the loop.
public final class CurlTransport: Transport {
    private let driver: CurlDriver
    private let configuration: TransportConfiguration

    /// A transport on a loop; it ends with ``shutdown()``, with the loop, or when nobody keeps it.
    public init(on loop: UVLoop, configuration: TransportConfiguration = .init()) {
        self.configuration = configuration
        driver = CurlDriver(on: loop, configuration: configuration)
        loop.run { [driver] in driver.assumeIsolated { $0.begin() } }
    }

    deinit {
        driver.loop.run { [driver] in driver.assumeIsolated { $0.shutdown() } }
    }

    /// Performs a request; see ``Transport/perform(_:)``.
    public func perform(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let prepared = try PreparedRequest(request, under: configuration)
        return try await driver.perform(prepared).get()
    }

    /// Fails everything under way and closes all connections; later requests fail at once.
    public func shutdown() async {
        await driver.shutdown()
    }
}
