/// The header fields of an answer.
///
/// They are kept as the bytes that came, and read when somebody asks: most answers are used without a look at them.
struct HeaderFields: Sendable {
    /// The lines without their ends, one after the other, each with a line feed behind it.
    private var lines: [UInt8] = []

    /// No fields.
    init() {}

    /// Fields that were made rather than received.
    init(_ fields: [(name: String, value: String)]) {
        for field in fields {
            lines += Array("\(field.name):\(field.value)".utf8)
            lines.append(UInt8(ascii: "\n"))
        }
    }

    /// Takes in a line as it came, with or without its end.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        let end = line.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let end else { return }
        lines.append(contentsOf: line[...end])
        lines.append(UInt8(ascii: "\n"))
    }

    /// Forgets all fields.
    mutating func removeAll() { lines.removeAll(keepingCapacity: true) }

    /// The fields in order, blanks around the values left out; what has no colon is no field.
    var all: [(name: String, value: String)] {
        lines.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self)
            )
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    /// The value of a line that announces the length of a body; nothing for other lines.
    static func contentLength(in line: UnsafeRawBufferPointer) -> [UInt8]? {
        let name = "content-length"
        guard line.count > name.utf8.count, line[name.utf8.count] == UInt8(ascii: ":"),
            // Small letters differ from capitals in one bit.
            zip(line, name.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        else { return nil }
        return Array(trimmed(Array(line.dropFirst(name.utf8.count + 1))[...]))
    }

    /// Whether a byte is what stands between the parts of a header line.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
