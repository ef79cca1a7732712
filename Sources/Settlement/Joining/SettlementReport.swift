package import EventLog

/// One report: the files of the same number, read together.
package struct SettlementReport: Hashable, Sendable {
    /// The report's number.
    package let number: String
    /// A file that was read.
    package struct File: Hashable, Sendable {
        /// The form: that of a list, or `balance`.
        package var format: String
        /// SHA-256 of the file.
        package var digest: Digest256
    }

    /// The files, in the order in which they were read, each once.
    package private(set) var files: [File] = []
    /// The list; `nil` when only the balance report was read.
    package private(set) var list: TransactionList?
    /// The balance report; `nil` when only the list was read.
    package private(set) var balance: BalanceReport?
    /// What makes the report untrustworthy.
    package internal(set) var faults: [ReportFault] = []
    private var differs = false

    /// The report's date; `nil` for a list of version 1 without its balance report.
    package var date: ReportDay? { balance?.date ?? list?.date }

    /// The days of the sales.
    package var period: ClosedRange<ReportDay>? { balance?.period ?? list?.period }

    /// The day on which the report was made, as far as it is known.
    var asOf: ReportDay? { date ?? list?.period?.upperBound }

    private init(number: String) { self.number = number }

    /// Joins files of the same number; the second of two equal files changes nothing.
    package static func joining(_ files: [SettlementFile]) -> [SettlementReport] {
        var reports: [String: SettlementReport] = [:]
        for file in files {
            reports[file.number, default: SettlementReport(number: file.number)].add(file)
        }
        var sorted = reports.values.sorted { $0.number < $1.number }
        for index in sorted.indices { sorted[index].check() }
        addGaps(to: &sorted)
        return sorted
    }

    private mutating func add(_ file: SettlementFile) {
        switch file {
        case .list(let list):
            guard isNew(File(format: list.format.rawValue, digest: list.digest)) else { return }
            guard let known = self.list else { return self.list = list }
            differs = differs || !known.agrees(with: list)
            // XML loses nothing.
            if known.format.isWorkbook, !list.format.isWorkbook { self.list = list }
        case .balance(let balance):
            guard isNew(File(format: "balance", digest: balance.digest)) else { return }
            guard var known = self.balance else { return self.balance = balance }
            known.digest = balance.digest
            differs = differs || known != balance
        }
    }

    private mutating func isNew(_ file: File) -> Bool {
        guard !files.contains(file) else { return false }
        files.append(file)
        return true
    }

    private mutating func check() {
        faults = differs ? [.filesDiffer] : []
        faults += list?.faults ?? []
        faults += balance?.faults(with: list) ?? []
    }

    /// Adds the numbers that are missing between those of one merchant: `R1234-0001`, `R1234-0003`.
    private static func addGaps(to reports: inout [SettlementReport]) {
        for index in reports.indices.dropFirst() {
            guard let before = reports[index - 1].counter, let this = reports[index].counter,
                before.prefix == this.prefix, this.count > before.count + 1,
                this.count - before.count <= largestGap
            else { continue }
            let missing = (before.count + 1..<this.count).map { count in
                let digits = String(count)
                let zeros = String(repeating: "0", count: max(0, this.width - digits.utf8.count))
                return ReportFault.missing(number: this.prefix + zeros + digits)
            }
            reports[index].faults += missing
        }
    }

    /// The largest gap between two numbers that is reported: beyond it they are of other years.
    private static let largestGap = 60

    /// The number as a prefix and a running number; `nil` for a number of another form.
    private var counter: (prefix: String, count: Int, width: Int)? {
        let digits = number.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
        guard (1...9).contains(digits), let count = Int(number.suffix(digits)) else { return nil }
        return (String(number.dropLast(digits)), count, digits)
    }
}
