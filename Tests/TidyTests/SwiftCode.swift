/// Swift source without its comments and without the text of its string literals.
///
/// The line numbers are preserved, so that a finding can name its line.
enum SwiftCode {
    /// Returns the code of a source.
    static func only(of source: String) -> String {
        var source = source
        return source.withUTF8 { bytes in
            var scanner = Scanner(bytes: bytes)
            scanner.run()
            return String(decoding: scanner.code, as: UTF8.self)
        }
    }

    /// Examines bytes, not characters: all that matters is ASCII.
    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var place = 0
        var code: [UInt8] = []

        private static let (slash, star, quote, hash) = (
            UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "#")
        )
        private static let (lineEnd, backslash, opening, closing) = (
            UInt8(ascii: "\n"), UInt8(ascii: "\\"), UInt8(ascii: "("), UInt8(ascii: ")")
        )

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
            code.reserveCapacity(bytes.count)
        }

        private var isAtEnd: Bool { place >= bytes.count }

        /// Returns a byte from here on; 0 behind the end.
        private func next(_ offset: Int = 0) -> UInt8 {
            place + offset < bytes.count ? bytes[place + offset] : 0
        }

        mutating func run() {
            while !isAtEnd {
                let byte = bytes[place]
                if byte == Self.slash, next(1) == Self.slash {
                    while !isAtEnd, bytes[place] != Self.lineEnd { place += 1 }
                } else if byte == Self.slash, next(1) == Self.star {
                    skipBlock()
                } else if byte == Self.quote || byte == Self.hash, let hashes = literal() {
                    skipLiteral(hashes)
                } else {
                    code.append(byte)
                    place += 1
                }
            }
        }

        /// Returns the number of number signs of a literal that begins here.
        private func literal() -> Int? {
            var hashes = 0
            while next(hashes) == Self.hash { hashes += 1 }
            return next(hashes) == Self.quote ? hashes : nil
        }

        private mutating func skipBlock() {
            var depth = 0
            repeat {
                if next() == Self.slash, next(1) == Self.star {
                    depth += 1
                    place += 2
                } else if next() == Self.star, next(1) == Self.slash {
                    depth -= 1
                    place += 2
                } else {
                    keepLine()
                }
            } while depth > 0 && !isAtEnd
        }

        private mutating func skipLiteral(_ hashes: Int) {
            place += hashes
            let marks = next(1) == Self.quote && next(2) == Self.quote ? 3 : 1
            place += marks
            code.append(Self.quote)
            while !isAtEnd, !isEnd(marks, hashes) {
                if next() == Self.backslash, areHashes(hashes, from: 1) {
                    place += 1 + hashes
                    skipEscaped()
                } else {
                    keepLine()
                }
            }
            place = min(bytes.count, place + marks + hashes)
            code.append(Self.quote)
        }

        /// Returns whether a literal ends here.
        private func isEnd(_ marks: Int, _ hashes: Int) -> Bool {
            guard next() == Self.quote else { return false }
            guard marks == 1 || next(1) == Self.quote && next(2) == Self.quote else { return false }
            return areHashes(hashes, from: marks)
        }

        private func areHashes(_ count: Int, from start: Int) -> Bool {
            (start..<start + count).allSatisfy { next($0) == Self.hash }
        }

        /// Skips an escape: an interpolation is code; any other escape is one character.
        private mutating func skipEscaped() {
            guard next() == Self.opening else { return keepLine() }
            var depth = 0
            repeat {
                guard !isAtEnd else { return }
                if let hashes = literal() {
                    skipLiteral(hashes)
                    continue
                }
                let byte = bytes[place]
                depth += byte == Self.opening ? 1 : byte == Self.closing ? -1 : 0
                code.append(byte)
                place += 1
            } while depth > 0
        }

        private mutating func keepLine() {
            guard !isAtEnd else { return }
            if bytes[place] == Self.lineEnd { code.append(Self.lineEnd) }
            place += 1
        }
    }
}
