import Foundation
import Testing

/// The scripts, styles and skeletons of pages, which are files of their own until they are built
/// into the program, as a browser's parsers read them.
@Suite struct ResourceTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let kinds = ["js", "css", "html"]

    /// Returns the files of pages in the sources.
    private static func files() -> [URL] {
        let walk = FileManager.default.enumerator(
            at: root.appending(path: "Sources"),
            includingPropertiesForKeys: nil
        )
        var found: [URL] = []
        while let url = walk?.nextObject() as? URL {
            if kinds.contains(url.pathExtension) { found.append(url) }
        }
        return found
    }

    /// Runs a test with the function that returns what is wrong with a text of a kind.
    private func withParsers(
        _ act: ((_ kind: String, _ text: String) async throws -> Answer) async throws -> Void
    ) async throws {
        let tool = Self.root.appending(path: "Tests/Tools/parsers.js")
        let parsers = try String(contentsOf: tool, encoding: .utf8)
        try await withBrowser { browser in
            _ = try await browser.evaluate(parsers + "undefined")
            try await act { kind, text in
                let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
                return try await browser.evaluate("parsers.\(kind)(\(quoted))")
            }
        }
    }

    @Test func `a browser reads the script, style or skeleton in every file without an error`()
        async throws
    {
        let files = Self.files()
        for (kind, least) in zip(Self.kinds, [15, 4, 7]) {
            #expect(files.count { $0.pathExtension == kind } >= least, "\(kind)")
        }
        try await withParsers { fault in
            for file in files {
                let text = try String(contentsOf: file, encoding: .utf8)
                let found = try await fault(file.pathExtension, text)
                #expect(found == .text(""), "\(file.lastPathComponent)")
            }
        }
    }

    @Test func `an error in a script, a style or a skeleton is found`() async throws {
        let wrong = [
            ("js", "const a = ;"), ("js", "const a = 1; const a = 2;"), ("js", "with (a) { b(); }"),
            ("css", "a { color: red"), ("css", "a { colour: red }"), ("css", "a >> b { top: 0 }"),
            ("html", "<p><b>text</p>"), ("html", "<title>text<p>text</p>"), ("html", "<p>{{</p>"),
        ]
        try await withParsers { fault in
            for (kind, text) in wrong {
                let found = try await fault(kind, text)
                #expect(!found.text.isEmpty, "\(text)")
            }
        }
    }
}
