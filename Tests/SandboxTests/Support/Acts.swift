import Testing

@testable import Sandbox

extension SessionDriver {
    /// Performs another party's act on the order, over HTTP.
    func act(_ act: JSON, expecting status: Int = 200) async throws {
        let response = try await HTTPClient.send(
            "POST",
            "\(sandbox.baseURL)/sandbox/orders/\(order.id)/acts",
            json: act
        )
        try #require(response.status == status, "\(response.status) \(response.text)")
    }
}

extension MerchantDriver {
    /// Performs another party's act on the order, over HTTP.
    func act(_ act: JSON, expecting status: Int = 200) async throws {
        let response = try await HTTPClient.send(
            "POST",
            "\(sandbox.baseURL)/sandbox/orders/\(id)/acts",
            json: act
        )
        try #require(response.status == status, "\(response.status) \(response.text)")
    }
}
