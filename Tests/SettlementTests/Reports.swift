import CZlib
import EventLog
import Foundation
import Settlement
import SwedbankPay

/// The files that tests read.
enum Reports {
    /// The folder of the golden files.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/Settlement")

    /// The samples that the PSP publishes, in the folder that `SETTLEMENT_SAMPLES` names: the
    /// repository does not carry them.
    static let samples: URL? = {
        let named = ProcessInfo.processInfo.environment["SETTLEMENT_SAMPLES"]
        guard let named, FileManager.default.fileExists(atPath: named) else { return nil }
        return URL(fileURLWithPath: named)
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    /// Reads a list.
    static func list(_ bytes: [UInt8]) throws -> TransactionList? {
        if case .list(let list) = try SettlementFile.reading(bytes) { list } else { nil }
    }

    static func list(_ text: String) throws -> TransactionList? { try list(Array(text.utf8)) }

    /// Reads a balance report.
    static func balance(_ bytes: [UInt8]) throws -> BalanceReport? {
        if case .balance(let balance) = try SettlementFile.reading(bytes) { balance } else { nil }
    }
}

/// A list of version 2 with these rows, whose own totals are right.
struct MadeList {
    var number = "R9001-0001"
    var date = "2026-09-14"
    var rows: [Row] = []

    struct Row {
        var number: Int64
        var amount: Int64
        var currency = "SEK"
        var identity: String?
        var referenced: Int64?
        var vat: Int64?
        var day = "2026-09-08"
    }

    var xml: String {
        func decimal(_ units: Int64) -> String {
            let sign = units < 0 ? "-" : ""
            let cents = units.magnitude % 100
            return "\(sign)\(units.magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
        }
        let groups = Dictionary(grouping: rows, by: \.currency).sorted { $0.key < $1.key }
        let body = groups.map { currency, rows in
            let sum = rows.reduce(0) { $0 + $1.amount }
            return "<Currency Sum=\"\(decimal(sum))\" Currency=\"\(currency)\">"
                + rows.map { row in
                    "<Transaction Amount=\"\(decimal(row.amount))\" Currency=\"\(currency)\""
                        + " PayexTransactionNo=\"\(row.number)\" ServiceName=\"Swish\""
                        + " DateCreated=\"\(row.day) 10:00:00\" DateModified=\"\(row.day) 23:59:59\""
                        + (row.identity.map { " OrderIdentity=\"\($0)\"" } ?? "")
                        + (row.referenced.map { " ReferencedTransaction=\"\($0)\"" } ?? "")
                        + (row.vat.map { " VATAmount=\"\(decimal($0))\"" } ?? "") + " />"
                }.joined(separator: "\n") + "</Currency>"
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <SalesAccountedTransactions AccountingNo="\(number)" AccountingDate="\(date)" \
            TotalNoOfTransactions="\(rows.count)" Version="2.0">
            \(body.joined(separator: "\n"))
            </SalesAccountedTransactions>
            """
    }

    func file() throws -> SettlementFile { try SettlementFile.reading(Array(xml.utf8)) }
}

/// A zip archive that a test makes.
struct MadeArchive {
    var parts: [(name: String, content: [UInt8])]
    /// What the directory says of a part, instead of the truth.
    var statedSize: UInt32?
    var flags: UInt16 = 0
    var isDeflated = false

    var bytes: [UInt8] {
        var (file, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in parts {
            let packed = isDeflated ? Self.deflated(content) : content
            let sum = UInt32(
                content.withUnsafeBufferPointer {
                    crc32(0, $0.baseAddress, UInt32($0.count))
                }
            )
            let method: UInt16 = isDeflated ? 8 : 0
            let head =
                Self.little(flags) + Self.little(method) + Self.little(UInt32(0))
                + Self.little(sum) + Self.little(UInt32(packed.count))
                + Self.little(statedSize ?? UInt32(content.count))
                + Self.little(UInt16(name.utf8.count)) + Self.little(UInt16(0))
            directory +=
                [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + head
                + [UInt8](repeating: 0, count: 10) + Self.little(UInt32(file.count))
                + Array(name.utf8)
            file += [0x50, 0x4B, 3, 4, 20, 0] + head + Array(name.utf8) + packed
        }
        let count = Self.little(UInt16(parts.count))
        return file + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
            + Self.little(UInt32(directory.count)) + Self.little(UInt32(file.count)) + [0, 0]
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func deflated(_ content: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        _ = czlib_begin_writing(&stream, 9)
        var content = content
        let bound = content.count / 500 + 1 << 16
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            content.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(bound)
                _ = deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
        deflateEnd(&stream)
        // Without the head and the end of the gzip format.
        return Array(packed.dropFirst(10).dropLast(8))
    }
}

/// A workbook that a test makes of the XML of its sheet.
func workbook(
    sheet: String,
    more: [(String, String)] = [],
    links: String = ""
) -> MadeArchive {
    MadeArchive(
        parts: ([
            ("xl/workbook.xml", "<workbook><sheets><sheet id=\"r1\"/></sheets></workbook>"),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/>\(links)"
                    + "</Relationships>"
            ),
            ("xl/worksheets/sheet1.xml", "<worksheet><sheetData>\(sheet)</sheetData></worksheet>"),
        ] + more).map { ($0.0, Array($0.1.utf8)) }
    )
}
