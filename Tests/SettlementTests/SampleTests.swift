import EventLog
import Foundation
import Settlement
import SwedbankPay
import Testing

/// The samples that the PSP publishes, in the folder that `SETTLEMENT_SAMPLES` names.
@Suite struct SampleTests {
    /// A sample, with what its balance report (PDF) states.
    struct Sample: Sendable {
        var file: String
        var rows: Int
        var sum: Amount
        /// What the file's own totals contradict.
        var faults: [String] = []
    }

    private static let samples = [
        Sample(file: "R1234-0001-Redovisningsservice.xml", rows: 134, sum: 12_495_000),
        Sample(file: "R1234-0001-Redovisningsservice.xlsx", rows: 134, sum: 12_495_000),
        Sample(file: "R1234-0002-Eget-konto.xml", rows: 756, sum: 5_452_700),
        Sample(file: "R1234-0002-Eget-konto.xlsx", rows: 756, sum: 5_452_700),
        // It lacks one row of its workbook.
        Sample(
            file: "transaction-list.xml",
            rows: 206,
            sum: 16_305_200,
            faults: ["sum", "service"]
        ),
        Sample(file: "transaction-list.xlsx", rows: 207, sum: 16_368_800),
        Sample(file: "transaktionsstatistik-redovisningsservice.xml", rows: 239, sum: 8_882_300),
        Sample(file: "transaktionsstatistik-redovisningsservice.xlsx", rows: 239, sum: 8_882_300),
    ]

    private func bytes(_ name: String) throws -> [UInt8]? {
        guard let folder = Reports.samples else {
            print("skipped: SETTLEMENT_SAMPLES names no folder with the PSP's samples")
            return nil
        }
        return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    @Test(arguments: samples)
    func `a published list is read to its last row, and agrees with its balance report`(
        sample: Sample
    ) throws {
        guard let bytes = try bytes(sample.file) else { return }
        let file = try SettlementFile.reading(bytes)
        let list = try #require(try Reports.list(bytes))
        #expect(list.rows.count == sample.rows)
        #expect(list.sum(of: "SEK") == sample.sum)
        #expect(list.currencies == ["SEK"])
        #expect(list.ignored == [])
        let faults = SettlementReport.joining([file])[0].faults
        #expect(faults.map(\.name) == sample.faults)
    }

    @Test(arguments: [
        ("R1234-0001-Redovisningsservice", ["xml", "xlsx"], "124950.00 121222.74"),
        ("R1234-0002-Eget-konto", ["xml", "xlsx"], "5912.50"),
        ("balance-report", [], "953.14"),
        ("r1234-0001-redov.service", [], "87334.00 84625.79"),
    ])
    func `a published balance report adds up, and agrees with its list`(
        name: String,
        lists: [String],
        amounts: String
    ) throws {
        guard let folder = Reports.samples else {
            print("skipped: SETTLEMENT_SAMPLES names no folder with the PSP's samples")
            return
        }
        guard let text = try extracted(folder.appendingPathComponent(name + ".pdf")) else {
            print("skipped: there is no pdftotext (package poppler-utils)")
            return
        }
        let file = try SettlementFile.reading(text)
        let balance = try #require(try Reports.balance(text))
        let shown: [Amount] =
            switch balance.payment {
            case .paidOut(let amount, let transferred, _): [amount, transferred]
            case .invoiced(let amount): [amount]
            }
        let words = shown.map { MinorUnits.text($0, of: "SEK") ?? "" }
        #expect(words.joined(separator: " ") == amounts)
        let files = try lists.map {
            try SettlementFile.reading(try #require(try bytes("\(name).\($0)")))
        }
        #expect(SettlementReport.joining(files + [file]).map(\.faults) == [[]])
    }

    private func extracted(_ pdf: URL) throws -> [UInt8]? {
        let tool = "/usr/bin/pdftotext"
        guard FileManager.default.isExecutableFile(atPath: tool) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["-layout", pdf.path, "-"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }
}
