internal import Adapters
internal import Workflow

/// Orders at a sandbox that is running.
enum SandboxOrders {
    /// Creates an order.
    ///
    /// - Parameters:
    ///   - base: Where the sandbox listens.
    ///   - body: The order as JSON.
    /// - Returns: The address of its payment session.
    static func create(
        at base: String,
        _ body: [UInt8],
        on loop: UVLoop
    ) async throws(Failure) -> String {
        var configuration = TransportConfiguration()
        configuration.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: configuration)
        let result: Result<String, Failure>
        do throws(Failure) {
            result = .success(try await create(at: base, body, by: transport))
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        return try result.get()
    }

    private static func create(
        at base: String,
        _ body: [UInt8],
        by transport: CurlTransport
    ) async throws(Failure) -> String {
        let response: HTTPResponse
        do {
            response = try await transport.perform(
                HTTPRequest(
                    method: "POST",
                    url: base + "/psp/paymentorders",
                    headers: [("Content-Type", "application/json")],
                    body: body
                )
            )
        } catch {
            throw Failure(
                .unavailable,
                error.code,
                "the sandbox is out of reach",
                hint: "start it with 'workflowctl sandbox --port 8093' and give its URL"
            )
        }
        guard response.status == 201 else {
            let words = String(decoding: response.body.prefix(2000), as: UTF8.self)
            throw Failure(
                .refused,
                "sandbox.order-refused",
                "the sandbox answered \(response.status): \(Screen.safe(words))"
            )
        }
        guard
            case .array(let operations)? = (try? JSONValue(parsing: response.body))?["operations"],
            case .string(let url)? = operations.first(where: {
                $0["rel"] == .string("view-paymentsession")
            })?["href"]
        else {
            throw Failure(
                .unavailable,
                "sandbox.no-session",
                "the answer has no view-paymentsession link"
            )
        }
        return url
    }
}
