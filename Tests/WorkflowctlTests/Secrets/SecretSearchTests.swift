import Foundation
import Testing

/// The search for secrets finds all encodings.
@Suite struct SecretSearchTests {
    private func hits(_ text: String, for secrets: [String]) throws -> [SecretSearch.Hit] {
        let folder = NSTemporaryDirectory() + "search-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder + "/below",
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Between binary data, as in a database.
        let bytes = [0, 0xFF, 0xC0, 0x0A] + Array(text.utf8) + [0xFE, 0, 0x80]
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/below/file.db"))
        return try SecretSearch(secrets).hits(below: folder)
    }

    private static let secret = #"Ö. "Sven" & Söner/7f+3?x=1 ~"#

    /// The encodings of other programs, so that the search is not compared with itself.
    @Test(arguments: [
        "base64 -w0", "(printf a; cat) | base64 -w0", "(printf ab; cat; printf cd) | base64 -w0",
        "base64 -w0 | tr '+/' '-_'", "(printf ab; cat; printf c) | base64 -w0 | tr '+/' '-_'",
        "od -An -v -tx1 | tr -d ' \\n'", "od -An -v -tx1 | tr -d ' \\n' | tr a-f A-F",
        "od -An -v -tx1 | tr -d '\\n' | tr ' ' '%'",
        "python3 -c 'import sys,urllib.parse as u; print(u.quote(sys.stdin.read(), safe=str()))'",
        "python3 -c 'import sys,urllib.parse as u; print(u.quote_plus(sys.stdin.read()))'",
        "python3 -c 'import sys,json; print(json.dumps(sys.stdin.read()))'",
        "python3 -c 'import sys,json; print(json.dumps(sys.stdin.read(), ensure_ascii=False))'",
        "python3 -c 'import sys,json; print(json.dumps(json.dumps(sys.stdin.read(), ensure_ascii=False), ensure_ascii=False))'",
        "python3 -c 'import sys,html; print(html.escape(sys.stdin.read()).replace(\"&#x27;\", chr(39)))'",
        "cat",
    ])
    func `a planted secret is found in each encoding`(encoding: String) async throws {
        let tool = Tool(environment: ["PYTHONIOENCODING": "utf-8"], folder: NSTemporaryDirectory())
        let encoded = try await tool.shell("(\(encoding))", input: Self.secret)
        try #require(encoded.status == 0 && !encoded.output.isEmpty, "\(encoded.diagnostics)")
        let found = try hits(encoded.output, for: [Self.secret, "another-secret"])
        #expect(found.map(\.secret) == [Self.secret], "\(encoded.output)")
        #expect(found.first?.place == "/below/file.db")
    }

    @Test func `the secret search has no false hits and finds the right one of many secrets`()
        throws
    {
        let many = (0..<5000).map { "token-\($0)-\($0 * 7919)" }
        #expect(try hits("token-token-12-and-so-on", for: many).isEmpty)
        #expect(try hits("see token-4711-37306409.", for: many).map(\.secret) == [many[4711]])
        #expect(try hits("short", for: ["short"]).isEmpty, "too short to tell anything")
    }
}
