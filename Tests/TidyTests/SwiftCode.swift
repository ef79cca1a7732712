/// Swift source without its comments and without the text of its string literals.
///
/// The line numbers are preserved, so that a finding can name its line.
enum SwiftCode {
    /// Returns the code of a source.
    static func only(of source: String) -> String {
        var scanner = Scanner(rest: Substring(source))
        scanner.run()
        return scanner.code
    }

    private struct Scanner {
        var rest: Substring
        var code = ""

        mutating func run() {
            while let next = rest.first {
                if rest.hasPrefix("//") {
                    rest = rest.drop { $0 != "\n" }
                } else if rest.hasPrefix("/*") {
                    skipBlock()
                } else if let hashes = literal() {
                    skipLiteral(hashes)
                } else {
                    code.append(next)
                    rest.removeFirst()
                }
            }
        }

        /// Returns the number of number signs of a literal that begins here.
        private func literal() -> Int? {
            let hashes = rest.prefix { $0 == "#" }.count
            return rest.dropFirst(hashes).first == "\"" ? hashes : nil
        }

        private mutating func skipBlock() {
            var depth = 0
            repeat {
                if rest.hasPrefix("/*") {
                    depth += 1
                    rest.removeFirst(2)
                } else if rest.hasPrefix("*/") {
                    depth -= 1
                    rest.removeFirst(2)
                } else {
                    keepLine()
                }
            } while depth > 0 && !rest.isEmpty
        }

        private mutating func skipLiteral(_ hashes: Int) {
            rest.removeFirst(hashes)
            let marks = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
            let signs = String(repeating: "#", count: hashes)
            rest.removeFirst(marks.count)
            code += "\""
            while !rest.isEmpty, !rest.hasPrefix(marks + signs) {
                if rest.hasPrefix("\\" + signs) {
                    rest.removeFirst(1 + hashes)
                    skipEscaped()
                } else {
                    keepLine()
                }
            }
            rest = rest.dropFirst(marks.count + hashes)
            code += "\""
        }

        /// Skips an escape: an interpolation is code; any other escape is one character.
        private mutating func skipEscaped() {
            guard rest.first == "(" else { return keepLine() }
            var depth = 0
            repeat {
                guard let next = rest.first else { return }
                if let hashes = literal() {
                    skipLiteral(hashes)
                    continue
                }
                depth += next == "(" ? 1 : next == ")" ? -1 : 0
                code.append(next)
                rest.removeFirst()
            } while depth > 0
        }

        private mutating func keepLine() {
            guard let next = rest.popFirst() else { return }
            if next == "\n" { code.append("\n") }
        }
    }
}
