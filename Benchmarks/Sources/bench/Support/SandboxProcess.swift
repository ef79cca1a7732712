internal import Adapters
internal import Foundation
internal import HTTPTypes
internal import Measuring

/// The sandbox in another process.
final class SandboxProcess {
    /// Its address.
    let baseURL: String
    private let process: ChildProcess

    init() throws {
        process = try ChildProcess.helper(["sandbox"])
        baseURL = try process.line()
    }

    func stop() { process.stop() }

    /// Creates orders, and returns their session URLs.
    ///
    /// `scenario` is the order's `sandbox` member as JSON.
    static func orders(
        _ count: Int,
        at baseURL: String,
        scenario: String = #"{"swishApprovalMilliseconds":0}"#,
        amount: Int = 10_000,
        over transport: CurlTransport,
        on loop: UVLoop
    ) async throws -> [String] {
        let urls = SharedValue([String]())
        try await sharing(count, among: 32, on: loop) { number in
            let response = try await transport.perform(
                TransportRequest(
                    method: .post,
                    url: baseURL + "/psp/paymentorders",
                    headers: [.contentType: "application/json"],
                    body: Array(order(number, amount: amount, scenario: scenario).utf8),
                    overallDeadline: .seconds(60)
                )
            )
            let document = try JSONSerialization.jsonObject(with: Data(response.body))
            let operations = (document as? [String: Any])?["operations"] as? [[String: Any]]
            guard
                let url = operations?.first(where: {
                    $0["rel"] as? String == "view-paymentsession"
                })?["href"] as? String
            else { throw ChildProcess.Failure(description: "the sandbox made no order") }
            urls.withLock { $0.append(url) }
        }
        return urls.withLock { $0 }
    }

    private static func order(_ number: Int, amount: Int, scenario: String) -> String {
        """
        {"paymentorder":{"operation":"Purchase","currency":"SEK","amount":\(amount),\
        "vatAmount":\(amount / 5),"description":"Order","userAgent":"shop/1","language":"sv-SE",\
        "urls":{"hostUrls":["https://shop.example/"],\
        "completeUrl":"https://shop.example/complete","cancelUrl":"https://shop.example/cancel",\
        "paymentUrl":"https://shop.example/pay"},"payeeInfo":{"payeeId":"shop",\
        "payeeReference":"b\(number)x\(UInt32.random(in: 0...UInt32.max))"},\
        "payer":{"payerReference":"payer-\(number)"}},"sandbox":\(scenario)}
        """
    }
}
