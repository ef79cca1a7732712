internal import EventLog

/// A file that the PSP sends for a settlement, recognized by its content.
package enum SettlementFile: Hashable, Sendable {
    /// A transaction list.
    case list(TransactionList)
    /// A balance report.
    case balance(BalanceReport)

    /// Whether bytes begin as a PDF does, whose text has to be extracted first.
    package static func isPDF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "%PDF-".utf8) }

    /// Reads a file from its first byte to its last row.
    ///
    /// - Parameters:
    ///   - bytes: The file: XML, a workbook (XLSX), or the text of a balance report as `pdftotext
    ///     -layout` prints it.
    ///   - original: The file as the PSP sent it, if the text of a PDF is given.
    ///   - limits: The limits of the file.
    /// - Returns: The list or report; its totals are not compared yet.
    /// - Throws: ``UnreadableReport`` with the line or cell of the first defect.
    package static func reading(
        _ bytes: [UInt8],
        of original: [UInt8]? = nil,
        within limits: SettlementLimits = SettlementLimits()
    ) throws(UnreadableReport) -> SettlementFile {
        let digest = HashChain.hash(original ?? bytes)
        switch try recognized(bytes, within: limits) {
        case .list(var list):
            list.digest = digest
            return .list(list)
        case .balance(var balance):
            balance.digest = digest
            return .balance(balance)
        }
    }

    private static func recognized(
        _ bytes: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> SettlementFile {
        guard bytes.count <= limits.fileBytes else {
            throw .limit("the file has too many bytes", limits.fileBytes)
        }
        if Workbook.isRecognized(bytes) {
            return .list(try TransactionList.reading(workbook: bytes, within: limits))
        }
        guard !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]) else {
            throw UnreadableReport(.unsafe, "it is not encoded in UTF-8")
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if bytes.dropFirst(start).first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            return .list(try TransactionList.reading(xml: bytes, within: limits))
        }
        guard let text = String(validating: bytes.dropFirst(start), as: UTF8.self) else {
            throw UnreadableReport(.unsafe, "it is not encoded in UTF-8")
        }
        guard BalanceReport.isRecognized(text) else {
            throw UnreadableReport(
                .unknownFormat,
                "it is neither a transaction list (XML, XLSX) nor a balance report"
            )
        }
        return .balance(try BalanceReport.reading(text: text, within: limits))
    }

    /// The number of the report that it belongs to.
    package var number: String {
        switch self {
        case .list(let list): list.number
        case .balance(let balance): balance.number
        }
    }
}
