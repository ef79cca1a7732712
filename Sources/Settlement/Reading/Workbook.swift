internal import EventLog

/// The value of a cell, or of an attribute of XML.
struct ReportCell: Hashable {
    /// The text, or the digits of a number as they are stored.
    var text: String
    /// Whether a workbook stores it as a number: without leading zeros, perhaps inexact.
    var isNumber = false
    /// Where it is: `line 12`, `cell D14`.
    var place: String
}

/// A row of a workbook's only sheet.
struct SheetRow {
    /// Its number, from 1.
    var number: Int
    /// The cells that are not empty, by column, from 0.
    var cells: [Int: ReportCell]
}

/// Reads the only sheet of a workbook (XLSX).
///
/// Formulas, macros and links to other files are refused: a report has none, and their values need
/// not be what a person sees.
///
/// - Note: Source: ECMA-376, part 1, 18.3 (worksheets) and 18.4 (shared strings).
enum Workbook {
    /// Whether bytes begin as a zip archive does.
    static func isRecognized(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
    }

    /// Returns the rows of the sheet that have values.
    static func rows(
        of bytes: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> [SheetRow] {
        let archive = try ZipArchive(bytes, within: limits)
        for name in archive.names {
            let name = name.lowercased()
            let unsafe = [
                "vbaproject", "externallinks/", "embeddings/", "activex/", "macrosheets/",
            ]
            if unsafe.contains(where: { name.utf8.firstRange(of: $0.utf8) != nil }) {
                throw UnreadableReport(
                    .unsafe,
                    "the workbook has a macro, a link or another file in it"
                )
            }
        }
        guard let book = try archive.content(of: "xl/workbook.xml") else {
            throw UnreadableReport(.unknownFormat, "it is a zip archive, but no workbook")
        }
        let relation = try onlySheet(in: book, within: limits)
        let links = try archive.content(of: "xl/_rels/workbook.xml.rels") ?? []
        guard let target = try target(of: relation, in: links, within: limits),
            let sheet = try archive.content(of: target)
        else { throw UnreadableReport(.malformed, "the workbook's sheet is missing") }
        let texts = try archive.content(of: "xl/sharedStrings.xml")
        var reader = SheetReader(limits: limits)
        if let texts { reader.texts = try sharedTexts(texts, within: limits) }
        try Markup.read(sheet, within: limits) { event throws(UnreadableReport) in
            try reader.receive(event)
        }
        return reader.rows
    }

    private static func onlySheet(
        in book: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> String {
        var relations: [String] = []
        try Markup.read(book, within: limits) { event throws(UnreadableReport) in
            guard case .start("sheet", let attributes, _) = event else { return }
            relations.append(attributes.first { $0.name == "id" }?.value ?? "")
        }
        guard relations.count == 1 else {
            throw UnreadableReport(
                .malformed,
                "the workbook has \(relations.count) sheets; a report has one"
            )
        }
        return relations[0]
    }

    private static func target(
        of relation: String,
        in links: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> String? {
        var target: String?
        try Markup.read(links, within: limits) { event throws(UnreadableReport) in
            guard case .start("Relationship", let attributes, _) = event else { return }
            func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
            guard value("TargetMode") != "External" else {
                throw UnreadableReport(.unsafe, "the workbook has a link to another file")
            }
            if value("Id") == relation { target = value("Target") }
        }
        return target.map {
            $0.utf8.first == UInt8(ascii: "/") ? String($0.dropFirst()) : "xl/" + $0
        }
    }

    private static func sharedTexts(
        _ part: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> [String] {
        var texts: [String] = []
        var current = ""
        var (isText, isPhonetic) = (false, false)
        try Markup.read(part, within: limits) { event throws(UnreadableReport) in
            switch event {
            case .start("si", _, _): current = ""
            case .start("rPh", _, _): isPhonetic = true
            case .start("t", _, _): isText = !isPhonetic
            case .text(let piece):
                if isText { current += piece }
                guard current.utf8.count <= limits.valueBytes else {
                    throw .limit("a text is too long", limits.valueBytes)
                }
            case .end("t"): isText = false
            case .end("rPh"): isPhonetic = false
            case .end("si"):
                guard texts.count < limits.sharedTexts else {
                    throw .limit("the workbook has too many texts", limits.sharedTexts)
                }
                texts.append(current)
            case .start, .end: break
            }
        }
        return texts
    }
}

/// Collects the rows of a sheet from the parts of its XML.
private struct SheetReader {
    let limits: SettlementLimits
    var texts: [String] = []
    var rows: [SheetRow] = []
    private var row = SheetRow(number: 0, cells: [:])
    private var column = 0
    private var type = ""
    private var value = ""
    private var isValue = false
    private var place: String { "cell \(Self.letters(column))\(row.number)" }

    init(limits: SettlementLimits) { self.limits = limits }

    mutating func receive(_ event: MarkupEvent) throws(UnreadableReport) {
        switch event {
        case .start("row", let attributes, _): try beginRow(attributes)
        case .start("c", let attributes, _): try beginCell(attributes)
        case .start("f", _, _):
            throw UnreadableReport(.unsafe, "a cell has a formula", at: place)
        case .start("v", _, _), .start("t", _, _): isValue = true
        case .text(let piece):
            if isValue { value += piece }
            guard value.utf8.count <= limits.valueBytes else {
                throw .limit("a value is too long", limits.valueBytes, at: place)
            }
        case .end("v"), .end("t"): isValue = false
        case .end("c"): try endCell()
        case .end("row"):
            guard rows.count < limits.rows else {
                throw .limit("the sheet has too many rows", limits.rows)
            }
            if !row.cells.isEmpty { rows.append(row) }
        case .start, .end: break
        }
    }

    /// The greatest number of a row that a workbook can have.
    ///
    /// - Note: Source: ECMA-376, worksheets.
    private static let greatestRow = 1_048_576

    private mutating func beginRow(
        _ attributes: [(name: String, value: String)]
    ) throws(UnreadableReport) {
        let stated = attributes.first { $0.name == "r" }.map { Int($0.value) }
        guard let number = stated ?? row.number + 1, number > row.number,
            number <= Self.greatestRow
        else {
            throw UnreadableReport(.malformed, "the rows are not in order", at: "row \(row.number)")
        }
        row = SheetRow(number: number, cells: [:])
        column = -1
    }

    private mutating func beginCell(
        _ attributes: [(name: String, value: String)]
    ) throws(UnreadableReport) {
        column += 1
        if let name = attributes.first(where: { $0.name == "r" })?.value {
            let letters = name.utf8.prefix { $0.isASCIILetter }
            column = letters.prefix(4).reduce(0) { $0 * 26 + Int($1.lowercasedASCII) - 0x60 } - 1
        }
        guard (0..<limits.columns).contains(column) else {
            throw .limit("the sheet has too many columns", limits.columns, at: "row \(row.number)")
        }
        type = attributes.first { $0.name == "t" }?.value ?? "n"
        value = ""
    }

    private mutating func endCell() throws(UnreadableReport) {
        var cell = ReportCell(text: value, place: place)
        switch type {
        case "n": cell.isNumber = true
        case "s":
            guard let index = Int(value), texts.indices.contains(index) else {
                throw UnreadableReport(.malformed, "a cell names no text", at: place)
            }
            cell.text = texts[index]
        case "inlineStr", "str": break
        default:
            throw UnreadableReport(
                .malformed,
                "a cell is neither a text nor a number",
                at: place
            )
        }
        guard !cell.text.isEmpty else { return }
        guard row.cells.updateValue(cell, forKey: column) == nil else {
            throw UnreadableReport(.malformed, "a cell occurs twice", at: place)
        }
    }

    private static func letters(_ column: Int) -> String {
        var (rest, name) = (column + 1, "")
        while rest > 0 {
            name = String(UnicodeScalar(UInt8(0x41 + (rest - 1) % 26))) + name
            rest = (rest - 1) / 26
        }
        return name
    }
}
