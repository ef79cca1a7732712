import HTTPTypes
import MerchantBackend
import TestSupport

/// The published description of the merchant backend.
enum Contract {
    static let shared = OpenAPIContract("merchant-backend")
}

extension OpenAPIContract {
    /// Returns what violates the contract in an exchange; `nil` when nothing does.
    func misfit(
        _ request: HTTPRequest,
        path: String,
        asked: String,
        _ response: BackendResponse
    ) throws -> String? {
        var fields: [String: String] = [:]
        for field in response.head.headerFields { fields[field.name.rawName] = field.value }
        return try misfit(
            request.method.rawValue,
            path,
            asked: asked,
            response.head.status.code,
            fields: fields,
            body: String(decoding: response.body, as: UTF8.self)
        )
    }
}
