/// A place in a text, for messages about files that people write.
struct TextPlace: Hashable, Sendable {
    /// The line, from 1.
    let line: Int
    /// The character in that line, from 1.
    let column: Int

    /// Finds the place of a byte.
    init(of offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<offset]
        let begin = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = String(decoding: before[begin...], as: UTF8.self).count + 1
    }
}
