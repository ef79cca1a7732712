import Testing

@testable import Sandbox

extension SessionDriver {
    /// Performs another party's act on the order, over HTTP.
    func act(_ act: JSON, expecting status: Int = 200) async throws {
        let answer = try await HTTPClient.send(
            "POST",
            "\(sandbox.baseURL)/sandbox/orders/\(order.id)/acts",
            json: act
        )
        try #require(answer.status == status, "\(answer.status) \(answer.text)")
    }
}

extension MerchantDriver {
    /// Performs another party's act on the order, over HTTP.
    func act(_ act: JSON, expecting status: Int = 200) async throws {
        let answer = try await HTTPClient.send(
            "POST",
            "\(sandbox.baseURL)/sandbox/orders/\(id)/acts",
            json: act
        )
        try #require(answer.status == status, "\(answer.status) \(answer.text)")
    }
}
