import EventLog
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores
@testable import Inspection

/// Every function that escapes text for a syntax, with the syntax's marks followed by scalars that
/// make one character of both: `"'\u{301}"` is one `Character`, which is not `'`.
@Suite(.threat("T-30")) struct EscapingTests {
    /// A combining accent, the joiner, and the selector of pictures.
    private static let joining: [Unicode.Scalar] = ["\u{301}", "\u{200D}", "\u{FE0F}"]

    /// A text for each mark and each joining scalar, with the mark alone, too.
    private static let texts: [String] = "'\"`\\<>&{}[]()#;:|$!*?~%=+-@,/ \n\r\t".unicodeScalars
        .flatMap { mark in
            joining.map { joined in
                var text = String.UnicodeScalarView("a".unicodeScalars)
                text += [mark, joined, "b", mark, mark, joined]
                return String(text)
            }
        }

    private func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    @Test func `a shell reads each text as the word that was quoted`() async throws {
        try await World.with { world in
            let words = Self.texts.map { ShellText.word($0) }.joined(separator: " ")
            let path = try world.write("printf '%s\\0' \(words)\n", to: "words.sh")
            for shell in ["sh", "bash"] {
                let read = try await world.tool.shell("\(shell) \(path)")
                #expect(read.status == 0 && read.diagnostics.isEmpty, "\(read.diagnostics)")
                let found = read.output.utf8.split(
                    separator: 0,
                    omittingEmptySubsequences: false
                )
                #expect(found.count == Self.texts.count + 1)
                #expect(zip(found, Self.texts).allSatisfy { $0.elementsEqual($1.utf8) })
            }
        }
    }

    @Test func `an identifier of SQL ends where the name does`() {
        for text in Self.texts {
            let quoted = Array(PostgreSQLGrants.quoted(text).utf8)
            let inner = quoted.dropFirst().dropLast()
            #expect(quoted.first == 0x22 && quoted.last == 0x22)
            #expect(inner.count { $0 == 0x22 } == 2 * text.utf8.count { $0 == 0x22 })
            let read = Array(inner).replacing([0x22, 0x22], with: [0x22])
            #expect(read.elementsEqual(text.utf8))
        }
    }

    @Test func `markup contains no mark of HTML, and reads as the text`() {
        for text in Self.texts {
            for escaped in [Markup.escaped(text), DocumentText.escaped(text)] {
                #expect(!escaped.utf8.contains { "<>\"'`".utf8.contains($0) }, "\(text)")
                var read = escaped
                for scalar in "<>\"'`\t\n\r".unicodeScalars {
                    read = read.rewriting("&#\(scalar.value);", as: String(scalar))
                }
                for (name, mark) in [("lt", "<"), ("gt", ">"), ("quot", "\""), ("amp", "&")] {
                    read = read.rewriting("&\(name);", as: mark)
                }
                #expect(isSame(read, text), "\(escaped)")
            }
        }
    }

    @Test func `JSON reads as the text, in an element of a script, too`() throws {
        for text in Self.texts {
            let document = JSONDocument.text(.string(text))
            for written in [
                document, Markup.escaped(json: document), Screen.escaped(json: document),
            ] {
                let read = try JSONValue(parsing: Array(written.utf8))
                #expect(read == .string(text), "\(written)")
            }
            #expect(!Markup.escaped(json: document).utf8.contains { "<>&".utf8.contains($0) })
        }
    }

    @Test func `a label of Prometheus ends where its value does`() {
        for text in Self.texts {
            let escaped = Array(PrometheusText.escaped(text).utf8)
            var (read, place): ([UInt8], Int) = ([], 0)
            while place < escaped.count {
                #expect(escaped[place] != 0x22 && escaped[place] != 0x0A, "\(text)")
                if escaped[place] == 0x5C {
                    place += 1
                    read.append(escaped[place] == UInt8(ascii: "n") ? 0x0A : escaped[place])
                } else {
                    read.append(escaped[place])
                }
                place += 1
            }
            #expect(read.elementsEqual(text.utf8))
        }
    }

    @Test func `a text of Mermaid has no mark of its language`() {
        for text in Self.texts {
            let escaped = MermaidText.escaped(text)
            // What remains of # and ; are those of character codes.
            let codes = escaped.replacing(/#[0-9]+;/.matchingSemantics(.unicodeScalar), with: "")
            #expect(!codes.utf8.contains { "\"`\\<>&{}[]#;:|$*~%=+@\n\r\t".utf8.contains($0) })
        }
    }

    @Test func `a cell is one cell of one line, and no formula`() {
        for text in Self.texts {
            let line = Table.tabSeparated([[text, String(text.unicodeScalars.dropFirst())]])
            #expect(line.utf8.count { $0 == 0x09 } == 1, "\(text)")
            #expect(line.utf8.count { $0 == 0x0A } == 1 && !line.utf8.contains(0x0D))
            let second = line.utf8.split(separator: 0x09).last?.first
            #expect(second.map { "=+-@".utf8.contains($0) } == false, "\(text)")
        }
    }

    @Test func `what opens a session prints no command that runs a folder's name`() async throws {
        try await World.with { world in
            let folder = world.folder + "/case'\u{301};touch PWNED;'"
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            let store = "sqlite:\(folder)/payments.db"
            let address = try await world.sandbox.createOrder().sessionURL
            let opened = try await world.tool.run(
                ["--allow-insecure-loopback", "--store", store, "open", address]
            )
            try #require(opened.status == 0, "\(opened.diagnostics)")
            let commands = opened.output.split(separator: "\n").filter { $0.contains("--store") }
            #expect(!commands.isEmpty)
            for command in commands {
                let start = command.firstRange(of: "workflowctl ")?.lowerBound
                let words = start.map { command[$0...] } ?? command
                _ = try await world.tool.shell(String(words).rewriting("workflowctl", as: "echo"))
            }
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/PWNED"))
        }
    }
}
