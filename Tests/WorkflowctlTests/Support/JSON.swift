import Foundation

/// A JSON value for tests.
struct JSON: @unchecked Sendable, Equatable {
    // Unchecked: the value is never changed.
    let value: Any

    init(_ value: Any) { self.value = value }

    init(parsing text: String) throws {
        value = try JSONSerialization.jsonObject(
            with: Data(text.utf8),
            options: [.fragmentsAllowed]
        )
    }

    subscript(name: String) -> JSON {
        JSON((value as? [String: Any])?[name] ?? NSNull())
    }

    subscript(index: Int) -> JSON {
        let list = value as? [Any] ?? []
        return JSON(list.indices.contains(index) ? list[index] : NSNull())
    }

    var text: String? { value as? String }
    var number: Int? { value as? Int }
    var flag: Bool? { value as? Bool }
    var isNull: Bool { value is NSNull }
    var list: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
    var names: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }

    static func == (left: JSON, right: JSON) -> Bool {
        (left.value as? NSObject) == (right.value as? NSObject)
    }
}
