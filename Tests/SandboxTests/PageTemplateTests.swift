import Testing

@testable import Sandbox

@Suite struct PageTemplateTests {
    @Test func `text is escaped in every place with its name, and brings no place along`() {
        let template = PageTemplate(Array("<p title=\"{{a}}\">{{b}}{{a}}</p>".utf8))
        let page = template.filled(["a": .text("\"<{{b}}"), "b": .markup("<b>{{a}}</b>")])
        let text = "&quot;&lt;{{b}}"
        #expect(page == "<p title=\"\(text)\"><b>{{a}}</b>\(text)</p>")
    }

    @Test func `the automatic payer waits for its delay`() {
        let script = AutomaticPayer(delay: .milliseconds(1500)).script
        #expect(script.contains("milliseconds = 1500;"))
        #expect(script.contains("getElementById(\"pay\")"))
    }

    @Test func `a page opens the view that it is for`() {
        let page = CheckoutPage.html(script: "https://psp.example/a?b&c", "consumer")
        #expect(page.contains("payex.hostedView.consumer({"))
        #expect(page.contains("<script src=\"https://psp.example/a?b&amp;c\">"))
    }
}
