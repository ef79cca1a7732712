/// An HTTP transport that uses libcurl on an event loop.
///
/// TLS is always verified, redirects are not followed, cookies and the proxies of the environment
/// are not used, and only permitted hosts are contacted. A request other than `GET` or `HEAD` is
/// never sent twice: libcurl's own repetition after a dead kept-alive connection is stopped before
/// it sends anything.
///
/// - Note: Isolation: any; the work is done on the loop.
public final class CurlTransport: Transport {
    private let driver: CurlDriver
    private let configuration: TransportConfiguration

    /// Creates a transport on a loop; it ends with ``shutdown()``, with the loop, or on
    /// deallocation.
    public init(on loop: UVLoop, configuration: TransportConfiguration) {
        self.configuration = configuration
        driver = CurlDriver(on: loop, configuration: configuration)
        loop.run { [driver] in driver.assumeIsolated { $0.begin() } }
    }

    deinit {
        driver.loop.run { [driver] in driver.assumeIsolated { $0.shutdown() } }
    }

    /// Performs a request; see ``Transport/perform(_:)``.
    public func perform(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let prepared = try PreparedRequest(request, under: configuration)
        return try await driver.perform(prepared).get()
    }

    /// Fails all requests under way and closes all connections; later requests fail at once.
    public func shutdown() async {
        await driver.shutdown()
    }
}
