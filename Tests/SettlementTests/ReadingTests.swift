import EventLog
import Foundation
import Settlement
import SwedbankPay
import Testing

/// The formats of the PSP's reports.
@Suite struct ReadingTests {
    private let expected: [(Int64, Amount, Amount?)] = [
        (40_990_000_101, 12_500, 2_500), (40_990_000_102, 4_000, 800),
        (74_990_000_201, 34_950, 6_990), (74_990_000_202, -4_950, nil),
        (71_990_000_301, 89_900, 17_980),
    ]

    @Test(arguments: ["R9001-0012.xml", "R9001-0012.xlsx"])
    func `a list of version 2 is read to its last row, exactly`(file: String) throws {
        let list = try #require(try Reports.list(try Reports.bytes(file)))
        #expect(list.number == "R9001-0012")
        #expect(list.date == ReportDay("2026-09-14"))
        #expect(list.company == "Swedbank Pay Demo AB")
        #expect(list.statedCount == 5)
        #expect(list.rows.map(\.number) == expected.map(\.0))
        #expect(list.rows.map(\.amount) == expected.map(\.1))
        #expect(list.rows.map(\.vatAmount) == expected.map(\.2))
        #expect(list.rows[3].referenced == 74_990_000_150)
        #expect(list.rows[0].texts[.orderIdentity] == "100000000017")
        #expect(list.services.map(\.amount) == [16_500, 30_000, 89_900])
        #expect(list.sum(of: "SEK") == 136_400)
        #expect(list.ignored.isEmpty)
        #expect(list.period == ReportDay("2026-09-08")!...ReportDay("2026-09-11")!)
    }

    @Test(arguments: ["R9001-0003.xml", "R9001-0003.xlsx"])
    func `a list of version 1 is read to its last row, exactly`(file: String) throws {
        let list = try #require(try Reports.list(try Reports.bytes(file)))
        #expect(list.number == "R9001-0003")
        #expect(list.rows.map(\.number) == [10_990_000_501, 10_990_000_502])
        #expect(list.rows.map(\.amount) == [12_500, -5_000])
        #expect(list.rows.map(\.currency) == ["SEK", "SEK"])
        #expect(list.services.map(\.credits) == [1])
        #expect(list.ignored.isEmpty)
        if file == "R9001-0003.xlsx" {
            // The workbook lost its zeros, if it had any.
            #expect(list.rows[0].texts[.orderIdentity] == "100000000001")
        }
    }

    @Test func `the same file read again changes nothing`() throws {
        let files = try ["R9001-0012.xml", "R9001-0012.txt"].map {
            try SettlementFile.reading(try Reports.bytes($0))
        }
        let once = SettlementReport.joining(files)
        #expect(SettlementReport.joining(files + files) == once)
        #expect(Set(once[0].files.map(\.digest.hexadecimal)).count == 2)
    }

    @Test func `XML and workbook of a report have the same rows`() throws {
        for name in ["R9001-0012", "R9001-0003"] {
            let files = try [".xml", ".xlsx", ".txt"].map {
                try SettlementFile.reading(try Reports.bytes(name + $0))
            }
            let reports = SettlementReport.joining(files)
            #expect(reports.map(\.number) == [name])
            #expect(reports[0].faults == [])
            #expect(reports[0].files.map(\.format).last == "balance")
        }
    }

    @Test func `a balance report of a payout adds up`() throws {
        let balance = try #require(try Reports.balance(try Reports.bytes("R9001-0012.txt")))
        #expect(balance.number == "R9001-0012")
        #expect(balance.merchant == "9001 Exempelhandel AB")
        #expect(
            balance.payment
                == .paidOut(amount: 136_400, transferred: 106_366, account: "9001001")
        )
        #expect(balance.fees == 24_027 && balance.vat == 6_007)
        #expect(
            balance.sales.map(\.service) == [
                "Consumer Debit Card EU", "Swish", "Swish", "Invoice SE",
            ]
        )
        #expect(balance.sales.map(\.isCredit) == [false, false, true, false])
        #expect(
            balance.salesTotal == 136_400
                && balance.sales.map(\.quantity) == [2, 1, 1, 1]
        )
        #expect(balance.feeLines.map(\.amount) == [19_900, 730, 200, 3_197])
        #expect(balance.feeLines[0].name == "Monthly fee - VISA-MasterCard")
    }

    @Test func `a balance report of an invoice adds up`() throws {
        let balance = try #require(try Reports.balance(try Reports.bytes("R9001-0003.txt")))
        #expect(balance.payment == .invoiced(625))
        #expect(balance.fees == 500 && balance.vat == 125)
        #expect(balance.salesTotal == 7_500 && balance.payoutTotal == 0)
    }

    @Test(
        arguments: [
            ("69.900000000000006", 6_990), ("64.599999999999994", 6_460), ("349.5", 34_950),
            ("-49.5", -4_950), ("0.29999999999999999", 30), ("13269", 1_326_900),
            ("0.99999999999999", 100),
        ] as [(String, Int64)]
    )
    func `a number of a workbook is read without its binary rest`(text: String, units: Int64) throws
    {
        let list = try #require(try Reports.list(sheet(amount: "<v>\(text)</v>").bytes))
        #expect(list.rows[0].amount == Amount(units))
    }

    @Test(arguments: ["1.495E3", "12,50", "1 495", "0.125", "1.001", "NaN", "", "--1", "1e400"])
    func `another number is refused with its cell`(text: String) throws {
        let error = #expect(throws: UnreadableReport.self) {
            try SettlementFile.reading(sheet(amount: "<v>\(text)</v>").bytes)
        }
        #expect(error?.kind == .malformed)
        #expect(error?.place == (text.isEmpty ? "row 5" : "cell B5"))
    }

    @Test func `a number that a spreadsheet program rounded is refused`() throws {
        let error = #expect(throws: UnreadableReport.self) {
            try SettlementFile.reading(sheet(amount: "<v>1</v>", number: "1.07284E+10").bytes)
        }
        #expect(error?.place == "cell A5" && error?.message.contains("rounded") == true)
        let other = #expect(throws: UnreadableReport.self) {
            try SettlementFile.reading(sheet(amount: "<v>1</v>", order: "1.5E+11").bytes)
        }
        #expect(other?.place == "cell F5" && other?.message.contains("rounded") == true)
    }

    private func sheet(amount: String, number: String = "10", order: String = "1") -> MadeArchive {
        func text(_ place: String, _ value: String) -> String {
            "<c r=\"\(place)\" t=\"inlineStr\"><is><t>\(value)</t></is></c>"
        }
        let body = [
            "Transaction Number", "Amount", "Date Created", "Date Modified", "Currency", "Order Id",
        ]
        let columns = ["A", "B", "C", "D", "E", "F"]
        return workbook(
            sheet: """
                <row r="1">\(text("A1", "Demo"))\(text("B1", "R1-1"))<c r="C1"><v>1</v></c></row>
                <row r="3">\(text("A3", "NoOfCredit"))\(text("B3", "Amount"))</row>
                <row r="4">\(zip(columns, body).map { text($0 + "4", $1) }.joined())</row>
                <row r="5"><c r="A5"><v>\(number)</v></c><c r="B5">\(amount)</c>\
                \(text("C5", "2022-03-01 00:00:00"))\(text("D5", "2022-03-01 00:00:00"))\
                \(text("E5", "SEK"))<c r="F5"><v>\(order)</v></c></row>
                """
        )
    }

    @Test(arguments: [
        ("PayexTransactionNo=\"40990000101\"", "PayexTransactionNo=\"x\"", "line 11"),
        ("Amount=\"125.00\"", "Amount=\"125.001\"", "line 11"),
        ("DateModified=\"2026-09-08 23:59:59\"", "DateModified=\"2026-02-30 23:59:59\"", "line 11"),
        ("Currency=\"SEK\" VATAmount=\"25.00\"", "Currency=\"XYZ\" VATAmount=\"25.00\"", "line 11"),
        ("NoOfDebit=\"2\"", "NoOfDebit=\"two\"", "line 5"),
        (
            "PayExAccountNo=\"90010001\" />", "payexaccountno=\"1\" PayExAccountNo=\"2\" />",
            "line 11"
        ),
    ])
    func `a malformed value is refused with its line`(
        from: String,
        to: String,
        line: String
    ) throws {
        let text = try Reports.text("R9001-0012.xml")
        let first = try #require(text.range(of: from))
        let error = #expect(throws: UnreadableReport.self) {
            try Reports.list(text.replacingCharacters(in: first, with: to))
        }
        #expect(error?.kind == .malformed && error?.place == line)
    }

    @Test func `what a later format may add is ignored and named`() throws {
        let text = try Reports.text("R9001-0012.xml")
            .replacingOccurrences(of: "PayExAccountNo=", with: "Fee=\"1.00\" PayExAccountNo=")
        let list = try #require(try Reports.list(text))
        #expect(list.ignored == ["Fee"] && list.rows.count == 5)
    }

    @Test(arguments: [
        "Version=\"3.0\"", "Version=\"\"",
    ])
    func `another version is refused`(version: String) throws {
        let text = try Reports.text("R9001-0012.xml")
            .replacingOccurrences(of: "Version=\"2.0\"", with: version)
        let error = #expect(throws: UnreadableReport.self) { try Reports.list(text) }
        #expect(error?.kind == .unknownFormat)
    }

    @Test(arguments: ["", "a;b;c\n1;2;3\n", "<html/>", "%PDF-1.4", "PK\u{3}\u{4}"])
    func `a file of another kind is refused`(text: String) {
        #expect(throws: UnreadableReport.self) { try SettlementFile.reading(Array(text.utf8)) }
    }

    @Test func `a truncated file is refused, wherever it ends`() throws {
        for name in ["R9001-0012.xml", "R9001-0012.xlsx"] {
            let bytes = try Reports.bytes(name)
            for end in stride(from: 0, to: bytes.count - 2, by: 61) {
                #expect(throws: UnreadableReport.self, "\(name) \(end)") {
                    try SettlementFile.reading(Array(bytes[..<end]))
                }
            }
        }
    }
}
