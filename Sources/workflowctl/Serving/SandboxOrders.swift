internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// Creates orders at a running sandbox, and performs other parties' acts on them.
enum SandboxOrders {
    /// Creates an order from JSON and returns its session URL.
    ///
    /// `base` is the URL of the sandbox.
    static func create(
        at base: String,
        _ body: [UInt8],
        on loop: UVLoop
    ) async throws(Failure) -> String {
        let response = try await post(body, to: base + "/psp/paymentorders", on: loop)
        guard response.status == 201 else {
            let words = String(decoding: response.body.prefix(2000), as: UTF8.self)
            throw Failure(
                .refused,
                "sandbox.order-refused",
                "the sandbox responded with status \(response.status): \(Screen.safe(words))"
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
                "the response has no view-paymentsession link"
            )
        }
        return url
    }

    /// Performs another party's action on an order, and returns the order's identifier and its new
    /// status.
    ///
    /// `order` is the order's identifier, or its session URL; `act` is JSON.
    static func act(
        at base: String,
        order: String,
        _ act: JSONValue,
        on loop: UVLoop
    ) async throws(Failure) -> JSONValue {
        let path = order.pieces(between: "?", omittingEmptySubsequences: false)[0]
        let name = path.pieces(between: "/").last ?? ""
        guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
            throw .usage("order", "invalid order; use its id or its session URL")
        }
        let response = try await post(
            Array(JSONDocument.text(act).utf8),
            to: base + "/sandbox/orders/\(name)/acts",
            on: loop
        )
        guard response.status == 200, let document = try? JSONValue(parsing: response.body) else {
            throw Failure(
                .refused,
                "sandbox.act-refused",
                "the sandbox responded with status \(response.status): \(reason(of: response))",
                hint: response.status == 404
                    ? "'curl -sS URL/sandbox/ledger' lists the sandbox's orders" : nil
            )
        }
        return document
    }

    /// Returns why the sandbox refused, without anything that could be a secret.
    private static func reason(of response: TransportResponse) -> String {
        guard let problem = try? JSONValue(parsing: response.body) else { return "no reason given" }
        var words: [String] = []
        if case .string(let detail)? = problem["detail"] { words.append(detail) }
        if case .array(let fields)? = problem["problems"] {
            for field in fields {
                guard case .string(let name)? = field["name"],
                    case .string(let rule)? = field["description"]
                else { continue }
                words.append("\(name) \(rule)")
            }
        }
        return Screen.safe(words.joined(separator: "; "))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func post(
        _ body: [UInt8],
        to url: String,
        on loop: UVLoop
    ) async throws(Failure) -> TransportResponse {
        var configuration = TransportConfiguration()
        configuration.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: configuration)
        let result: Result<TransportResponse, Failure>
        do {
            result = .success(
                try await transport.perform(
                    TransportRequest(
                        method: .post,
                        url: url,
                        headers: [.contentType: "application/json"],
                        body: body
                    )
                )
            )
        } catch {
            result = .failure(
                Failure(
                    .unavailable,
                    error.code,
                    "the sandbox cannot be reached",
                    hint: "start it with 'workflowctl sandbox --port 8093' and use its URL"
                )
            )
        }
        await transport.shutdown()
        return try result.get()
    }
}
