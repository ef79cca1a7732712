import Foundation
import TestSupport
import Testing

/// Checks JSON against the project's schemas with a validator in another language.
enum SchemaCheck {
    /// The directory of the project.
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().resolvingSymlinksInPath()

    /// The directory of the schemas.
    static let folder = root.appendingPathComponent("Schemas").path

    /// The validator, which starts with the first check.
    private static let validator = AnsweringProcess(
        "python3",
        [root.appendingPathComponent("Tests/Tools/validate_documents.py").path, folder]
    )

    /// Expects a text to be a valid document, or to have a valid one on every line.
    static func expect(
        _ text: String,
        fits schema: String,
        in world: World,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let wrong = try faults(of: text, against: schema)
        #expect(
            wrong.isEmpty,
            "\(wrong.joined(separator: "\n"))",
            sourceLocation: sourceLocation
        )
        #expect(!text.isEmpty, sourceLocation: sourceLocation)
    }

    /// Returns what is wrong with a document, or with the documents on the lines of a text.
    static func faults(of text: String, against schema: String) throws -> [String] {
        try ask(["schema": schema, "text": text])
    }

    /// Returns what is wrong with the schemas themselves.
    static func faultsOfSchemas() throws -> [String] { try ask(["schemas": true]) }

    private static func ask(_ check: [String: Any]) throws -> [String] {
        let line = try JSONSerialization.data(withJSONObject: check)
        let answer = try validator.answer(to: line)
        return try #require(try JSONSerialization.jsonObject(with: answer) as? [String])
    }
}
