internal import EventLog
internal import SwedbankPay

/// The fields of a form as posted by a browser, in order.
///
/// - Note: Source: `application/x-www-form-urlencoded` of the WHATWG URL standard.
struct FormFields: Hashable, Sendable {
    /// A name and a value.
    struct Field: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// Why a form cannot be read.
    enum Obstacle: Error, Hashable {
        case tooLong
        case tooManyFields
        case notText
    }

    /// The maximum size of a form in bytes.
    static let maximumBytes = 256 * 1024
    /// The maximum number of fields.
    static let maximumFields = 64

    let fields: [Field]

    /// Parses a form.
    init(_ bytes: [UInt8]) throws(Obstacle) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLong }
        var fields: [Field] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            guard fields.count < Self.maximumFields else { throw .tooManyFields }
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            fields.append(
                Field(
                    name: try Self.text(pair[..<equals]),
                    value: try Self.text(pair[equals...].dropFirst())
                )
            )
        }
        self.fields = fields
    }

    /// The values of all fields of that name; case-insensitive.
    func values(named name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    private static func text(_ part: ArraySlice<UInt8>) throws(Obstacle) -> String {
        let spaced = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let text = String(validating: PercentEncoding.decoded(spaced), as: UTF8.self) else {
            throw .notText
        }
        return text
    }
}
