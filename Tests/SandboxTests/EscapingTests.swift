import Testing

@testable import Sandbox

/// The sandbox's functions that escape text, with marks that a scalar behind them makes another
/// character of.
@Suite struct EscapingTests {
    private static let texts: [String] = "'\"`\\<>&+%{}\n\u{2028}".unicodeScalars.flatMap { mark in
        (["\u{301}", "\u{200D}", "\u{FE0F}"] as [Unicode.Scalar]).map { joined in
            var text = String.UnicodeScalarView("a".unicodeScalars)
            text += [mark, joined, "b", mark, mark, joined]
            return String(text)
        }
    }

    @Test func `text on a page has no mark of HTML`() {
        for text in Self.texts {
            let page = PlainPage.html(text, "").pieces(between: "</title>")[0]
            let shown = HTMLText.escaped(text) + (page.pieces(between: "<title>").last ?? "<")
            #expect(!shown.utf8.contains { "<>\"'`".utf8.contains($0) }, "\(text)")
        }
    }

    @Test func `text in a script is a string that cannot end it`() {
        for text in Self.texts {
            let script = JSON.script(text)
            #expect(!script.utf8.contains(UInt8(ascii: "<")))
            #expect(!script.unicodeScalars.contains("\u{2028}"))
            let read = JSON(bytes: Array(script.utf8))
            #expect(read?.text?.utf8.elementsEqual(text.utf8) == true, "\(script)")
        }
    }

    @Test func `a field of a form has no mark of its encoding`() {
        for text in Self.texts {
            let form = "\(FormText.escaped(text))=\(FormText.escaped(text))"
            let fields = FormText.fields(form.utf8)
            #expect(fields.first?.key.utf8.elementsEqual(text.utf8) == true)
            #expect(fields.first?.value.utf8.elementsEqual(text.utf8) == true)
            #expect(FormText.pathStep(text.rewriting("%", as: "%25")).utf8.elementsEqual(text.utf8))
        }
    }

    @Test func `a form is divided at its marks, whatever follows them`() {
        let fields = FormText.fields("a=\u{301}1&\u{301}b=2".utf8)
        #expect(fields == ["a": "\u{301}1", "\u{301}b": "2"])
    }
}
