import EventLog
import LogFixtures
import SwedbankPay
import Testing

@testable import Settlement

/// Rows of reports and transactions of ours, with every difference that there can be.
@Suite struct JoiningTests {
    private static let day: Int64 = 86_400_000_000
    private static let begin = Instant(microseconds: 1_788_861_600_000_000)

    private func own(
        _ number: Int64,
        _ amount: Int64,
        _ reference: String? = nil,
        session: UInt64? = nil,
        order: String? = nil,
        day: Int64 = 0,
        vat: Int64? = nil,
        currency: String = "SEK"
    ) -> OwnTransaction {
        let session = SessionID(at: Self.begin, random: (0, session ?? UInt64(number)))
        return OwnTransaction(
            session: session,
            order: "/psp/paymentorders/\(session)",
            orderReference: order,
            kind: amount < 0 ? .reversal : .capture,
            number: number,
            payeeReference: reference,
            amount: Amount(amount),
            vatAmount: vat.map { Amount($0) },
            currency: currency,
            at: Instant(microseconds: Self.begin.microseconds + day * Self.day),
            authorization: number + 1_000
        )
    }

    private func join(
        _ rows: [MadeList.Row],
        _ own: [OwnTransaction],
        date: String = "2026-09-14"
    ) throws -> Reconciliation {
        try join([MadeList(date: date, rows: rows)], own)
    }

    private func join(_ lists: [MadeList], _ own: [OwnTransaction]) throws -> Reconciliation {
        var ledger = OwnLedger()
        for transaction in own { ledger.add(transaction) }
        return Reconciliation(
            SettlementReport.joining(try lists.map { try $0.file() }),
            with: ledger
        )
    }

    private func results(_ joined: Reconciliation) -> [String] { joined.lines.map(\.result.name) }

    @Test func `captures and reversals match by number, and nothing else is reported`() throws {
        let joined = try join(
            [.init(number: 1, amount: 12_500), .init(number: 2, amount: -500)],
            [own(1, 12_500), own(2, -500)]
        )
        #expect(
            joined.lines.map(\.result)
                == Array(repeating: .matched(by: .number, lateDays: nil), count: 2)
        )
        #expect(joined.isClean && joined.waiting.isEmpty && joined.missing.isEmpty)
    }

    @Test func `a reference matches where the number is not known`() throws {
        var unnumbered = own(1, 100, "REF1")
        unnumbered.number = nil
        let joined = try join([.init(number: 77, amount: 100, identity: "REF1")], [unnumbered])
        #expect(joined.lines[0].result == .matched(by: .orderIdentity, lateDays: nil))
    }

    @Test func `a full refund with the reference of its debit is no duplicate`() throws {
        var (debit, credit) = (own(1, 100, "REF1"), own(2, -100, "REF1"))
        (debit.number, credit.number) = (nil, nil)
        let joined = try join(
            [
                .init(number: 7, amount: 100, identity: "REF1"),
                .init(number: 8, amount: -100, identity: "REF1"),
            ],
            [debit, credit]
        )
        #expect(results(joined) == ["matched", "matched"])
        #expect(joined.isClean)
    }

    @Test func `a credit is never taken for the debit of the same reference`() throws {
        var debit = own(1, 100, "REF1")
        debit.number = nil
        let joined = try join([.init(number: 8, amount: -100, identity: "REF1")], [debit])
        #expect(results(joined) == ["creditWithoutDebit"])
    }

    @Test func `another amount, another tax and another currency differ`() throws {
        let joined = try join(
            [
                .init(number: 1, amount: 12_501), .init(number: 2, amount: 100, vat: 20),
                .init(number: 3, amount: 100, currency: "NOK"), .init(number: 4, amount: -100),
            ],
            [own(1, 12_500), own(2, 100, vat: 25), own(3, 100), own(4, 100)]
        )
        let byNumber = Dictionary(
            uniqueKeysWithValues: joined.lines.map { ($0.row.number, $0.result.name) }
        )
        #expect(
            byNumber == [
                1: "amountDiffers", 2: "vatDiffers", 3: "wrongCurrency", 4: "amountDiffers",
            ]
        )
        #expect(!joined.isClean && joined.differences.count == 4)
    }

    @Test func `keys that name two transactions are no match`() throws {
        let joined = try join(
            [.init(number: 1, amount: 100, identity: "REF2")],
            [own(1, 100, "REF1"), own(2, 100, "REF2")]
        )
        #expect(joined.lines[0].result == .keysDisagree)
    }

    @Test func `a reference in a row with another number of the PSP is no match`() throws {
        let joined = try join(
            [.init(number: 9, amount: 100, identity: "REF1"), .init(number: 1, amount: 100)],
            [own(1, 100, "REF1")]
        )
        #expect(results(joined) == ["keysDisagree", "matched"])
    }

    @Test func `what no log has is unknown, with the payment that it refers to`() throws {
        let joined = try join(
            [
                .init(number: 50, amount: 300, referenced: 1_001),
                .init(number: 51, amount: 300), .init(number: 52, amount: -300, referenced: 999),
                .init(number: 53, amount: -40, referenced: 1),
            ],
            [own(1, 100)],
            date: "2026-09-08"
        )
        #expect(results(joined) == ["unknown", "unknown", "creditWithoutDebit", "unknown"])
        #expect(joined.lines.map(\.own?.number) == [1, nil, nil, 1])
    }

    @Test func `a transaction that was settled twice counts once`() throws {
        let row = MadeList.Row(number: 1, amount: 100)
        let within = try join([row, row], [own(1, 100)])
        #expect(results(within) == ["matched", "twice"])
        let across = try join(
            [MadeList(rows: [row]), MadeList(number: "R9001-0002", rows: [row])],
            [own(1, 100)]
        )
        #expect(
            across.lines[1].result == .twice(report: "R9001-0001", place: across.lines[0].row.place)
        )
        // Of which no log knows.
        let unknown = MadeList.Row(number: 9, amount: 100)
        #expect(results(try join([unknown, unknown], [])) == ["unknown", "twice"])
        // Under another number, found by our reference.
        let renumbered = try join(
            [.init(number: 1, amount: 100), .init(number: 9, amount: 100, identity: "REF1")],
            [own(1, 100, "REF1")]
        )
        #expect(results(renumbered) == ["matched", "twice"])
    }

    @Test func `what is in no report is missing after the days, and waits before`() throws {
        let joined = try join(
            [.init(number: 1, amount: 100), .init(number: 2, amount: 100, day: "2026-09-30")],
            [
                own(1, 100), own(2, 100, day: 22), own(3, 100, day: 10), own(4, 100, day: 11),
                // Before the first report that was read.
                own(5, 100, day: -1),
            ],
            date: "2026-10-02"
        )
        #expect(joined.missing.map(\.number) == [3])
        #expect(joined.waiting.map(\.number) == [4])
        #expect(joined.notCompared == 1 && !joined.isTooShort)
    }

    @Test func `each transaction that a week's report lacks is told, though not as missing`() throws
    {
        let week = try join(
            [.init(number: 1, amount: 100), .init(number: 2, amount: 100, day: "2026-09-11")],
            [own(1, 100), own(2, 100, day: 3), own(3, 100, day: 1), own(4, 100, day: -6)]
        )
        #expect(week.missing.isEmpty && week.isTooShort)
        #expect(week.waiting.map(\.number) == [3] && week.notCompared == 1)
    }

    @Test func `a row that comes late is matched, with its days`() throws {
        let joined = try join([.init(number: 1, amount: 100, day: "2026-09-30")], [own(1, 100)])
        #expect(joined.lines[0].result == .matched(by: .number, lateDays: 22))
        #expect(joined.isClean)
    }

    @Test func `two payments of an order are told, unless one was paid back`() throws {
        let both = [
            own(1, 100, session: 1, order: "1001"), own(2, 100, session: 2, order: "1001"),
            own(3, 100, session: 3, order: "1002"),
        ]
        let rows = both.map { MadeList.Row(number: $0.number ?? 0, amount: 100) }
        let joined = try join(rows, both)
        #expect(joined.doublePayments.map { $0.map(\.row.number) } == [[1, 2]])
        let refund = own(4, -100, session: 2, order: "1001")
        let refunded = try join(rows + [.init(number: 4, amount: -100)], both + [refund])
        #expect(refunded.doublePayments.isEmpty && refunded.isClean)
    }

    @Test func `a transaction that two logs show counts once`() throws {
        let joined = try join(
            [.init(number: 1, amount: 100)],
            [own(1, 100, session: 1), own(1, 100, session: 2)]
        )
        #expect(joined.isClean && joined.waiting.isEmpty && joined.missing.isEmpty)
    }

    @Test func `a report that was not read is named`() throws {
        let lists = ["R9001-0001", "R9001-0004", "R7-1"].map { MadeList(number: $0) }
        let joined = try join(lists, [])
        #expect(
            joined.reports.flatMap(\.faults) == [
                .missing(number: "R9001-0002"), .missing(number: "R9001-0003"),
            ]
        )
    }

    @Test func `a list whose rows are not its totals is told`() throws {
        let xml = MadeList(rows: [.init(number: 1, amount: 100)]).xml
        let lost = xml.replacing("Transactions=\"1\"", with: "Transactions=\"2\"")
            .replacing("Sum=\"1.00\"", with: "Sum=\"2.00\"")
        let reports = SettlementReport.joining([try SettlementFile.reading(Array(lost.utf8))])
        #expect(
            reports[0].faults == [
                .count(stated: 2, found: 1), .sum(currency: "SEK", stated: 200, found: 100),
            ]
        )
    }

    @Test func `another file of the same number is a conflict, the same one changes nothing`()
        throws
    {
        let first = MadeList(rows: [.init(number: 1, amount: 100)])
        let other = MadeList(rows: [.init(number: 1, amount: 200)])
        #expect(try join([first, first], [own(1, 100)]).isClean)
        #expect(try join([first, other], [own(1, 100)]).reports[0].faults == [.filesDiffer])
    }

    @Test func `the balance report must be that of its list`() throws {
        let balance = try Reports.text("R9001-0012.txt")
        let list = try SettlementFile.reading(try Reports.bytes("R9001-0012.xml"))
        func faults(_ from: String, _ to: String) throws -> [String] {
            let text = balance.replacing(from, with: to)
            let file = try SettlementFile.reading(Array(text.utf8))
            return SettlementReport.joining([list, file])[0].faults.map(\.name)
        }
        #expect(try faults("1 063.66", "1 063.67") == ["payout"])
        #expect(try faults("       31.97", "       31.98") == ["fees"])
        #expect(try faults("165.00              165.00", "166.00              165.00") == ["sales"])
        #expect(try faults("SEK", "NOK") == ["currency"])
    }

    @Test func `the captures of a log are those that the PSP confirmed`() throws {
        let refused = OwnTransaction.all(
            in: try GoldenLogs.log(in: try GoldenLogs.text("captures-refused"))
        )
        #expect(refused.map(\.payeeReference) == ["REF1", "CAP5"])
        #expect(refused.map(\.amount) == [10_000, 10_000])
        #expect(refused.map(\.kind) == [.authorization, .capture])
        #expect(refused[1].authorization == 4_711 && refused[1].currency == "SEK")
        // The list was read before the capture ended.
        let done = OwnTransaction.all(in: try GoldenLogs.log(in: try GoldenLogs.text("checkout")))
        #expect(done.map(\.payeeReference) == ["REF1", "CAP1"])
        #expect(done[1].vatAmount == 2_000 && done[1].orderReference == "1001")
        let reversed = OwnTransaction.all(
            in: try GoldenLogs.log(in: try GoldenLogs.text("answer-reversed-in-part"))
        )
        #expect(reversed.contains { $0.kind == .reversal && $0.amount < 0 })
        // A refund that failed later is not expected in any report.
        let failed = OwnTransaction.all(
            in: try GoldenLogs.log(in: try GoldenLogs.text("answer-refund-failed-later"))
        )
        #expect(failed.map(\.payeeReference) == ["REF1", "PORTAL0"])
    }
}
