import EventLog
import Foundation
import Settlement
import Testing

/// Files that are made to harm their reader.
@Suite struct HostileFileTests {
    private func refusal(
        _ bytes: [UInt8],
        within limits: SettlementLimits = SettlementLimits()
    )
        -> UnreadableReport.Kind?
    {
        do throws(UnreadableReport) {
            _ = try SettlementFile.reading(bytes, within: limits)
            return nil
        } catch {
            return error.kind
        }
    }

    private func refusal(_ text: String) -> UnreadableReport.Kind? { refusal(Array(text.utf8)) }

    @Test(arguments: [
        // Entities that expand to a billion.
        """
        <!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
        <SALES AccountingNo="&b;"/>
        """,
        // A file of the machine.
        "<!DOCTYPE a [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><SALES AccountingNo=\"1\">&a;</SALES>",
        // A document type elsewhere.
        "<!DOCTYPE SALES SYSTEM \"http://127.0.0.1/a.dtd\"><SALES AccountingNo=\"1\"/>",
        "<!DOCTYPE SALES><SALES AccountingNo=\"1\"/>",
    ])
    func `a document type is refused where it begins`(text: String) {
        #expect(refusal("<?xml version=\"1.0\"?>\n" + text) == .unsafe)
    }

    @Test func `an entity that nobody defined is refused`() {
        #expect(refusal("<SALES AccountingNo=\"1\">&a;</SALES>") == .malformed)
    }

    @Test func `only UTF-8 is read`() throws {
        let text = try Reports.text("R9001-0012.xml")
        let named = text.replacingOccurrences(of: "utf-8", with: "ISO-8859-1")
        #expect(refusal(named) == .unsafe)
        #expect(refusal(text.replacingOccurrences(of: "utf-8", with: "UTF-16")) == .unsafe)
        let wide = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(refusal([0xFF, 0xFE] + wide) == .unsafe)
        #expect(refusal(wide) != nil)
        let latin = Array(text.replacingOccurrences(of: "Lamps", with: "L?mps").utf8).map {
            $0 == 0x3F ? 0xE4 : $0
        }
        #expect(refusal(latin) != nil)
        #expect(refusal([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == nil)
    }

    @Test func `depth, attributes and values have limits`() {
        let deep = String(repeating: "<a>", count: 100)
        #expect(refusal("<SALES AccountingNo=\"1\">\(deep)") == .tooLarge)
        let many = (0..<200).map { "a\($0)=\"\"" }.joined(separator: " ")
        #expect(refusal("<SALES \(many)/>") == .tooLarge)
        let long = String(repeating: "1", count: 10_000)
        #expect(refusal("<SALES AccountingNo=\"\(long)\"/>") == .tooLarge)
    }

    @Test func `rows and bytes have limits`() throws {
        var limits = SettlementLimits()
        limits.rows = 4
        #expect(refusal(try Reports.bytes("R9001-0012.xml"), within: limits) == .tooLarge)
        #expect(refusal(try Reports.bytes("R9001-0012.xlsx"), within: limits) == .tooLarge)
        #expect(refusal(try Reports.bytes("R9001-0012.txt"), within: limits) == .tooLarge)
        limits = SettlementLimits()
        limits.fileBytes = 1000
        #expect(refusal(try Reports.bytes("R9001-0012.xml"), within: limits) == .tooLarge)
        limits = SettlementLimits()
        limits.services = 2
        #expect(refusal(try Reports.bytes("R9001-0012.xml"), within: limits) == .tooLarge)
        #expect(refusal(try Reports.bytes("R9001-0012.xlsx"), within: limits) == .tooLarge)
    }

    @Test func `a part that unpacks to a thousand times its size is refused before it is unpacked`()
    {
        var bomb = workbook(sheet: "")
        bomb.parts.append(("xl/sharedStrings.xml", [UInt8](repeating: 0x20, count: 16 << 20)))
        bomb.isDeflated = true
        #expect(refusal(bomb.bytes) == .tooLarge)
        // With a directory that lies about the size, too.
        bomb.statedSize = 1_000
        #expect(refusal(bomb.bytes) == .malformed)
    }

    @Test func `a part that was changed after it was packed is refused`() throws {
        let sheet = "<row r=\"1\"><c r=\"A1\"><v>2</v></c></row>"
        let bytes = workbook(sheet: sheet).bytes
        let place = try #require(bytes.firstRange(of: Array("<v>2".utf8)))
        var changed = bytes
        changed[place.upperBound - 1] = UInt8(ascii: "3")
        #expect(refusal(bytes) == .unknownFormat)
        #expect(refusal(changed) == .malformed)
    }

    @Test func `the number of parts, and what they unpack to, have limits`() {
        var large = workbook(sheet: "")
        large.parts += (0..<300).map { ("a\($0)", []) }
        #expect(refusal(large.bytes) == .tooLarge)
        var limits = SettlementLimits()
        limits.unpackedBytes = 100
        #expect(refusal(workbook(sheet: "").bytes, within: limits) == .tooLarge)
    }

    @Test func `a formula is refused, whatever value is stored with it`() {
        let sheet = "<row r=\"1\"><c r=\"A1\"><f>1+1</f><v>2</v></c></row>"
        #expect(refusal(workbook(sheet: sheet).bytes) == .unsafe)
        let remote = "<row r=\"1\"><c r=\"A1\" t=\"str\"><f>WEBSERVICE(\"http://a\")</f></c></row>"
        #expect(refusal(workbook(sheet: remote).bytes) == .unsafe)
    }

    @Test func `a row beyond the last one that a workbook can have is refused`() {
        let sheet = "<row r=\"9223372036854775807\"/><row/>"
        #expect(refusal(workbook(sheet: sheet).bytes) == .malformed)
    }

    @Test(arguments: [
        "xl/vbaProject.bin", "xl/externalLinks/externalLink1.xml", "xl/embeddings/a.bin",
        "xl/activeX/activeX1.xml", "XL/MacroSheets/sheet1.xml",
    ])
    func `a macro, a link and an embedded file are refused`(part: String) {
        #expect(refusal(workbook(sheet: "", more: [(part, "")]).bytes) == .unsafe)
    }

    @Test func `a document type in a part of a workbook is refused`() {
        let texts = "<!DOCTYPE a [<!ENTITY a \"b\">]><sst><si><t>&a;</t></si></sst>"
        #expect(
            refusal(workbook(sheet: "", more: [("xl/sharedStrings.xml", texts)]).bytes) == .unsafe
        )
    }

    @Test func `a sheet elsewhere is not followed`() {
        let links = "<Relationship Id=\"r2\" TargetMode=\"External\" Target=\"http://a\"/>"
        #expect(refusal(workbook(sheet: "", links: links).bytes) == .unsafe)
    }

    @Test func `an encrypted workbook, and parts of the same name, are refused`() {
        var archive = workbook(sheet: "")
        archive.flags = 1
        #expect(refusal(archive.bytes) == .unsafe)
        #expect(refusal(workbook(sheet: "", more: [("xl/workbook.xml", "")]).bytes) == .malformed)
    }

    @Test func `no change of a single byte stops the program`() throws {
        for name in ["R9001-0003.xlsx", "R9001-0003.xml", "R9001-0003.txt"] {
            let bytes = try Reports.bytes(name)
            for index in stride(from: 0, to: bytes.count, by: 3) {
                var changed = bytes
                changed[index] ^= UInt8(truncatingIfNeeded: 1 << (index % 8))
                _ = refusal(changed)
            }
        }
    }
}
