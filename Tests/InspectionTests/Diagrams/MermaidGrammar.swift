import Foundation

/// A strict parser of Mermaid's sequence diagrams, as far as the program uses them.
///
/// `make check-diagrams` compares the accepted sources with Mermaid's own parser.
struct MermaidGrammar {
    /// One statement after the head.
    enum Statement: Equatable {
        case message(from: String, sign: String, to: String, text: String)
        case note(over: [String], text: String)
    }

    var title = ""
    var participants: [String: String] = [:]
    var statements: [Statement] = []

    /// Parses a source; returns `nil` when a line does not fit the grammar.
    init?(_ source: String) {
        guard source.hasSuffix("\n") else { return nil }
        var lines = source.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == "sequenceDiagram" else { return nil }
        lines.removeFirst()
        for line in lines {
            guard line.hasPrefix("    ") else { return nil }
            guard read(String(line.dropFirst(4))) else { return nil }
        }
    }

    private mutating func read(_ line: String) -> Bool {
        if let match = line.wholeMatch(of: /title (.+)/) {
            guard title.isEmpty, participants.isEmpty, let text = Self.decoded(match.1) else {
                return false
            }
            title = text
            return true
        }
        if let match = line.wholeMatch(of: /participant ([a-z]+) as (.+)/) {
            guard statements.isEmpty, let text = Self.decoded(match.2) else { return false }
            return participants.updateValue(text, forKey: String(match.1)) == nil
        }
        if let match = line.wholeMatch(of: /Note over ([a-z]+)(?:,([a-z]+))?: (.+)/) {
            let names = [match.1] + (match.2.map { [$0] } ?? [])
            guard let text = Self.decoded(match.3), names.allSatisfy(isKnown) else { return false }
            statements.append(.note(over: names.map(String.init), text: text))
            return true
        }
        guard let match = line.wholeMatch(of: /([a-z]+)(->>|-->>|-x)([a-z]+): (.+)/),
            isKnown(match.1), isKnown(match.3), let text = Self.decoded(match.4)
        else { return false }
        statements.append(
            .message(
                from: String(match.1),
                sign: String(match.2),
                to: String(match.3),
                text: text
            )
        )
        return true
    }

    private func isKnown(_ name: Substring) -> Bool { participants[String(name)] != nil }

    /// Returns the text with its character codes decoded; `nil` when it contains a special
    /// character.
    private static func decoded(_ text: Substring) -> String? {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "#" {
                let digits = rest.prefix { $0.properties.numericType == .decimal && $0.isASCII }
                rest = rest.dropFirst(digits.count)
                guard rest.popFirst() == ";", let number = UInt32(String(digits)),
                    let named = Unicode.Scalar(number)
                else { return nil }
                result.append(named)
            } else if scalar.isASCII {
                guard
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-/_'()!?"
                        .unicodeScalars.contains(scalar)
                else { return nil }
                result.append(scalar)
            } else {
                guard scalar.properties.isAlphabetic else { return nil }
                result.append(scalar)
            }
        }
        return String(result)
    }
}
