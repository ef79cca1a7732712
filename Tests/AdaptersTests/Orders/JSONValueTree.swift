import Foundation

/// Canonical JSON, produced by another parser than the one under test.
struct JSONValueTree {
    let text: String

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let data = try JSONSerialization.data(
            withJSONObject: value,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        self.text = String(decoding: data, as: UTF8.self)
    }
}
