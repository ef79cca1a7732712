import Inspection
import Testing

@Suite struct MarkupTemplateTests {
    @Test func `text is escaped in every place with its name, and brings no place along`() {
        let template = MarkupTemplate(Array("<p title=\"{{a}}\">{{b}}{{a}}</p>".utf8))
        let document = template.filled(["a": .text("\"<{{b}}\u{1}"), "b": .markup("<b>{{a}}</b>")])
        let text = "&quot;&lt;{{b}}\u{FFFD}"
        #expect(document == "<p title=\"\(text)\"><b>{{a}}</b>\(text)</p>")
    }
}
