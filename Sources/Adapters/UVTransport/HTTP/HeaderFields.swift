internal import HTTPTypes

/// The header fields of a response.
///
/// They are kept as the received bytes and parsed on access: most responses are used without
/// reading them.
struct HeaderFields: Sendable {
    /// The maximum number of fields; `HTTPFields` traps beyond it.
    static let maximumCount = Int(UInt16.max) - 1

    /// The lines without their line ends, each followed by a line feed.
    private var lines: [UInt8] = []

    /// Creates an empty list.
    init() {}

    /// Creates fields that were not received.
    init(_ fields: HTTPFields) {
        for field in fields {
            lines += field.name.rawName.utf8
            lines.append(UInt8(ascii: ":"))
            field.withUnsafeBytesOfValue { lines += $0 }
            lines.append(UInt8(ascii: "\n"))
        }
    }

    /// Appends a line as received, with or without its line end.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        let end = line.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let end else { return }
        lines.append(contentsOf: line[...end])
        lines.append(UInt8(ascii: "\n"))
    }

    /// Removes all fields.
    mutating func removeAll() { lines.removeAll(keepingCapacity: true) }

    /// The fields in order, with whitespace around the values removed; lines without a colon or a
    /// name, and lines beyond the maximum, are skipped.
    var all: HTTPFields {
        var fields = HTTPFields()
        for line in lines.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumCount) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { continue }
            fields.append(HTTPField(name: name, value: line[(colon + 1)...]))
        }
        return fields
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    /// The value of a `Content-Length` line; `nil` for other lines.
    static func contentLength(in line: UnsafeRawBufferPointer) -> [UInt8]? {
        let name = "content-length"
        guard line.count > name.utf8.count, line[name.utf8.count] == UInt8(ascii: ":"),
            // Lower-case and upper-case letters differ in one bit.
            zip(line, name.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        else { return nil }
        return Array(trimmed(Array(line.dropFirst(name.utf8.count + 1))[...]))
    }

    /// Whether a byte is whitespace between the parts of a header line.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
