import Foundation
import Testing

@testable import Console

/// The type from which pages are made.
@Suite struct HTMLTests {
    @Test func `text cannot become markup, wherever it is put`() {
        let hostile = "\"><script>steal()</script>'`&"
        let html: HTML = "<p title=\"\(hostile)\">\(hostile)</p>"
        #expect(
            html.text.replacingOccurrences(of: "<p title=\"", with: "")
                .replacingOccurrences(of: "</p>", with: "").filter { "<\"'`".contains($0) } == "\""
        )
        #expect(!html.text.contains("<script"))
    }

    @Test func `characters that reverse or hide text are visible`() {
        let html: HTML = "<b>\("order-\u{202E}1\u{0}\u{7}")</b>"
        #expect(html.text == "<b>order-\u{FFFD}1\u{FFFD}\u{FFFD}</b>")
    }

    @Test func `markup is put into markup unchanged, and once`() {
        let inner: HTML = "<i>\("a & b")</i>"
        #expect(("<b>\(inner)</b>" as HTML).text == "<b><i>a &amp; b</i></b>")
        #expect([1, 2].html { "<li>\($0)</li>" }.text == "<li>1</li><li>2</li>")
        #expect(("\(nil as HTML?)" as HTML).text == "")
    }

    @Test func `a form's fields are read as browsers write them, each once and none empty`() {
        let fields = BrowserInput.fields(in: "a=1+%2B2&b=&c&a=3&d=%FF&e=%C3%A5".utf8)
        #expect(fields == ["a": "1 +2", "e": "å"])
    }

    @Test(
        arguments: [
            ("/console/payments?turn=support", "/console/payments?turn=support"),
            ("//evil.example/", "/console/payments"), ("/consoles", "/console/payments"),
            ("https://evil.example", "/console/payments"),
            ("/console/a\r\nSet-Cookie: x", "/console/payments"),
            ("/console/sign-out", "/console/payments"),
        ]
    )
    func `nobody is led away after signing in`(wanted: String, path: String) {
        #expect(Console.ownPath(wanted) == path)
    }

    @Test(
        arguments: [
            ("sv-SE,sv;q=0.9,en;q=0.8", Language.swedish), ("en-GB", .english),
            ("de, sv", .swedish),
            ("fr", .english), ("", .english),
        ]
    )
    func `the language is the first that the browser prefers and the console has`(
        field: String,
        language: Language
    ) {
        #expect(Language(preferred: field) == language)
    }
}
