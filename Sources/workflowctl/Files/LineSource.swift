internal import Glibc

/// Reads the lines of a source, each of a limited length.
struct LineSource {
    /// A line, without its terminator.
    struct Line {
        /// The line number, from 1.
        var number: Int
        /// Its bytes; empty for a line that is too long.
        var bytes: [UInt8]
        /// Whether it ends with a line feed; only the last line may lack one.
        var isEnded: Bool
        /// Whether it exceeds the limit.
        var isTooLong = false
    }

    private let source: any ByteSource
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var number = 0
    private var isAtEnd = false

    /// Creates a reader of a source's lines.
    ///
    /// `limit` is the maximum number of bytes in a line; nothing is kept of a longer one.
    init(_ source: any ByteSource, limit: Int) {
        self.source = source
        self.limit = limit
    }

    /// Returns the next line; `nil` at the end.
    mutating func next() throws(Failure) -> Line? {
        var searched = start
        var isTooLong = false
        while true {
            if let end = lineFeed(from: searched) {
                number += 1
                let bytes = isTooLong || end - start > limit ? [] : Array(buffer[start..<end])
                let line = Line(
                    number: number,
                    bytes: bytes,
                    isEnded: true,
                    isTooLong: isTooLong || end - start > limit
                )
                start = end + 1
                return line
            }
            if buffer.count - start > limit {
                isTooLong = true
                start = buffer.count
            }
            guard !isAtEnd, let more = try source.next() else {
                isAtEnd = true
                guard buffer.count > start || isTooLong else { return nil }
                number += 1
                defer { start = buffer.count }
                return Line(
                    number: number,
                    bytes: Array(buffer[start...]),
                    isEnded: false,
                    isTooLong: isTooLong
                )
            }
            if start > 0 {
                buffer.removeSubrange(..<start)
                start = 0
            }
            searched = buffer.count
            buffer += more
        }
    }

    private func lineFeed(from offset: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, offset < bytes.count,
                let found = memchr(base + offset, 0x0A, bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
