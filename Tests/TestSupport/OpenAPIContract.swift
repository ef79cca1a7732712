internal import Foundation

/// A description of an HTTP service (OpenAPI) in the folder of schemas, with which a validator in
/// another language compares exchanges.
public struct OpenAPIContract: Sendable {
    /// The path of the document.
    public let path: String
    private let validator: AnsweringProcess

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The description with a name, such as `service` for `Schemas/service.openapi.json`.
    public init(_ name: String) {
        path = Self.root.appending(path: "Schemas/\(name).openapi.json").path
        let tool = Self.root.appending(path: "Tests/Tools/validate_openapi.py").path
        validator = AnsweringProcess("python3", [tool, path])
    }

    /// Returns what in an exchange violates the description; `nil` when nothing does.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path below the root of the document's server, without the query.
    ///   - asked: The body of the request.
    ///   - status: The status of the response.
    ///   - fields: The header fields of the response.
    ///   - body: The body of the response.
    /// - Returns: The misfit in words.
    /// - Throws: Why the validator did not answer.
    public func misfit(
        _ method: String,
        _ path: String,
        asked: String,
        _ status: Int,
        fields: [String: String],
        body: String
    ) throws -> String? {
        let exchange: [String: Any] = [
            "method": method, "path": path, "status": status, "headers": fields, "body": body,
            "request": asked,
        ]
        let line = try JSONSerialization.data(withJSONObject: exchange)
        let verdict = String(decoding: try validator.answer(to: line), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
        return verdict == "ok" ? nil : verdict
    }
}
