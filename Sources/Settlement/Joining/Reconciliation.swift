internal import EventLog
internal import SwedbankPay

/// The result of joining reports with our transactions, line by line.
///
/// It changes nothing: what somebody has to look at is listed, and everything else adds up.
package struct Reconciliation: Sendable {
    /// The reports, by number.
    package let reports: [SettlementReport]
    /// The rows of all reports, in their order.
    package private(set) var lines: [SettledLine] = []
    /// Which rows are those of a report.
    private var places: [String: Range<Int>] = [:]
    /// Our transactions that the reports should contain and do not, oldest first.
    package private(set) var missing: [OwnTransaction] = []
    /// Our transactions that a later report will contain, oldest first.
    package private(set) var waiting: [OwnTransaction] = []
    /// The number of our transactions that are in no row and are from before the first day of the
    /// reports: whether they were settled is not known.
    package private(set) var notCompared = 0
    /// Whether the reports span too few days for a transaction to be missing in them.
    package private(set) var isTooShort = false
    /// Orders of which two payments were settled, with the rows of each.
    package private(set) var doublePayments: [[SettledLine]] = []
    /// The newest day of a report, against which transactions are missing.
    package private(set) var asOf: ReportDay?

    /// The days after which a transaction should be in a report: a week's report and its delivery.
    package static let daysUntilMissing = 14

    /// Joins reports with transactions.
    ///
    /// - Parameters:
    ///   - reports: The reports.
    ///   - ledger: Our transactions.
    ///   - days: After how many days a transaction that is in no report is missing.
    package init(
        _ reports: [SettlementReport],
        with ledger: OwnLedger,
        missingAfter days: Int = daysUntilMissing
    ) {
        self.reports = reports
        var joining = Joining(ledger, days: days)
        for report in reports {
            let first = lines.count
            for row in report.list?.rows ?? [] {
                lines.append(joining.line(row, of: report))
            }
            places[report.number] = first..<lines.count
        }
        asOf = reports.compactMap(\.asOf).max()
        let begin = reports.compactMap(\.period?.lowerBound).min()
        for (index, own) in ledger.transactions.enumerated() where !joining.isSettled(index) {
            guard let begin, let asOf, own.day >= begin else {
                notCompared += 1
                continue
            }
            if own.day.days + Int64(days) <= asOf.days {
                missing.append(own)
            } else {
                waiting.append(own)
            }
        }
        if let begin, let asOf { isTooShort = asOf.days - begin.days < Int64(days) }
        missing.sort { ($0.at, $0.session) < ($1.at, $1.session) }
        waiting.sort { ($0.at, $0.session) < ($1.at, $1.session) }
        doublePayments = Self.doublePayments(in: lines)
    }

    /// The rows of a report.
    package func lines(of report: SettlementReport) -> ArraySlice<SettledLine> {
        lines[places[report.number] ?? 0..<0]
    }

    /// The rows that somebody has to look at.
    package var differences: [SettledLine] { lines.filter(\.result.isDifference) }

    /// Whether everything agrees: rows, our transactions, and the reports within themselves.
    package var isClean: Bool {
        missing.isEmpty && doublePayments.isEmpty && reports.allSatisfy { $0.faults.isEmpty }
            && !lines.contains { $0.result.isDifference }
    }

    /// Finds orders that were settled for several payments, none of which was paid back.
    private static func doublePayments(in lines: [SettledLine]) -> [[SettledLine]] {
        var byOrder: [String: [SettledLine]] = [:]
        for line in lines {
            guard let own = line.own, let order = own.orderReference, case .matched = line.result
            else { continue }
            byOrder[order, default: []].append(line)
        }
        return byOrder.sorted { $0.key < $1.key }.compactMap { _, lines in
            var net: [SessionID: Amount] = [:]
            for line in lines {
                if let own = line.own { net[own.session, default: 0] += own.amount }
            }
            let kept = lines.filter { line in
                line.own.map { (net[$0.session] ?? 0) > 0 && $0.amount > 0 } ?? false
            }
            return Set(kept.compactMap(\.own?.session)).count > 1 ? kept : nil
        }
    }
}

/// Our transactions, each once, found by the keys that reports have.
package struct OwnLedger: Sendable {
    /// The transactions, in the order in which they were added.
    package private(set) var transactions: [OwnTransaction] = []
    private var byNumber: [Int64: Int] = [:]
    private var byReference: [String: [Int]] = [:]
    private var byShortReference: [String: [Int]] = [:]
    private var byAuthorization: [Int64: [OwnTransaction]] = [:]

    /// Creates an empty ledger.
    package init() {}

    /// Adds a transaction; one that another log has already shown changes nothing.
    ///
    /// An authorization is never settled: it only tells which payment an unknown row belongs to.
    /// A checkout and its native session both show the transactions of their order.
    package mutating func add(_ own: OwnTransaction) {
        if own.kind == .authorization {
            if let number = own.number { byAuthorization[number, default: []].append(own) }
            return
        }
        if let number = own.number, byNumber[number] != nil { return }
        if let reference = own.payeeReference,
            (byReference[reference] ?? []).contains(where: {
                transactions[$0].order == own.order && transactions[$0].kind == own.kind
                    && (own.number == nil || transactions[$0].number == nil)
            })
        {
            return
        }
        let index = transactions.count
        transactions.append(own)
        if let number = own.number { byNumber[number] = index }
        if let reference = own.payeeReference {
            byReference[reference, default: []].append(index)
            byShortReference[Self.short(reference), default: []].append(index)
        }
        if let number = own.authorization { byAuthorization[number, default: []].append(own) }
    }

    /// Finds the transaction of a PSP's number.
    func find(number: Int64) -> Int? { byNumber[number] }

    /// Finds the transaction of one of our references, in the row's direction.
    ///
    /// Workbooks store references of digits as numbers, without leading zeros.
    func find(reference: String?, of row: ReportRow, isWorkbook: Bool) -> Int? {
        guard let reference else { return nil }
        let found =
            byReference[reference]
            ?? (isWorkbook ? byShortReference[Self.short(reference)] : nil) ?? []
        let same = found.filter { (transactions[$0].amount < 0) == row.isCredit }
        // A reference of an order can name several rows of it.
        return same.first { transactions[$0].amount == row.amount } ?? same.first
    }

    /// Finds the transactions of the payment that a row refers to: by the number of its
    /// authorization, or of a debit.
    func related(to number: Int64?) -> [OwnTransaction] {
        guard let number else { return [] }
        return byAuthorization[number] ?? byNumber[number].map { [transactions[$0]] } ?? []
    }

    private static func short(_ reference: String) -> String {
        guard reference.utf8.allSatisfy(\.isASCIIDigit) else { return reference }
        return String(decoding: reference.utf8.drop { $0 == 0x30 }, as: UTF8.self)
    }
}

/// The state of joining rows one by one.
private struct Joining {
    let ledger: OwnLedger
    let days: Int
    /// Where each of our transactions, and each number of the PSP, was settled first.
    private var settled: [Int: (report: String, place: String)] = [:]
    private var numbers: [Int64: (report: String, place: String)] = [:]

    init(_ ledger: OwnLedger, days: Int) { (self.ledger, self.days) = (ledger, days) }

    func isSettled(_ index: Int) -> Bool { settled[index] != nil }

    mutating func line(_ row: ReportRow, of report: SettlementReport) -> SettledLine {
        let isWorkbook = report.list?.format.isWorkbook ?? false
        func reference(_ field: ReportField) -> Int? {
            ledger.find(reference: row.texts[field], of: row, isWorkbook: isWorkbook)
        }
        let found: [(MatchKey, Int)] = [
            (.number, ledger.find(number: row.number)),
            (.orderIdentity, reference(.orderIdentity)),
            (.transactionIdentity, reference(.transactionIdentity)),
        ].compactMap { key, index in index.map { (key, $0) } }
        let place = (report: report.number, place: row.place)
        let first = found.first
        let own = first.map { ledger.transactions[$0.1] } ?? proposal(for: row)
        var line = SettledLine(report: report.number, row: row, result: .unknown, own: own)
        let before = numbers[row.number] ?? first.flatMap { settled[$0.1] }
        if numbers[row.number] == nil { numbers[row.number] = place }
        if let before {
            line.result = .twice(report: before.report, place: before.place)
            return line
        }
        guard let (key, index) = first, let own else {
            line.result = row.isCredit && own == nil ? .creditWithoutDebit : .unknown
            return line
        }
        // A reference of ours in a row with another number of the PSP is no match.
        let isOtherNumber = own.number.map { $0 != row.number } ?? false
        if !isOtherNumber { settled[index] = place }
        let agree = Set(found.map(\.1)).count == 1 && !isOtherNumber
        line.result = result(of: row, own, by: key, agree: agree)
        return line
    }

    private func result(
        of row: ReportRow,
        _ own: OwnTransaction,
        by key: MatchKey,
        agree: Bool
    ) -> LineResult {
        guard agree else { return .keysDisagree }
        if let currency = own.currency, currency != row.currency { return .wrongCurrency }
        guard own.amount == row.amount else { return .amountDiffers }
        // The sign of the tax of credits is not documented.
        if let theirs = row.vatAmount, let ours = own.vatAmount,
            theirs.minorUnits.magnitude != ours.minorUnits.magnitude
        {
            return .vatDiffers
        }
        let age = Int(row.modified.days - own.day.days)
        return .matched(by: key, lateDays: age > days ? age : nil)
    }

    /// Returns a transaction of the payment that an unknown row probably belongs to.
    private func proposal(for row: ReportRow) -> OwnTransaction? {
        let related = ledger.related(to: row.referenced)
        return related.first { $0.amount == row.amount } ?? related.first
    }
}
