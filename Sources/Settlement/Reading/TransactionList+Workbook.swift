extension TransactionList {
    /// Reads a workbook of version 1 or 2.
    ///
    /// The head, the summary and the rows are found by the names of their columns, because the
    /// position of the rows depends on the number of services.
    static func reading(
        workbook bytes: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> TransactionList {
        let sheet = try Workbook.rows(of: bytes, within: limits)
        guard let head = sheet.first else { throw SheetParts.unknown }
        let parts = try SheetParts(sheet, within: limits)
        var list =
            try head.isHeadOfSecondVersion
            ? parts.secondVersion(head) : parts.firstVersion(head)
        for row in parts.services {
            let find = { (name: String) in parts.serviceCell(name, in: row) }
            list.services.append(
                try ServiceTotal(
                    subsite: (find("subsite") ?? find("prefix"))?.text ?? "",
                    currency: find("currency")?.text,
                    at: "row \(row.number)",
                    find
                )
            )
        }
        for row in parts.body {
            var fields: [ReportField: ReportCell] = [:]
            for (column, cell) in row.cells {
                if let field = parts.fields[column] { fields[field] = cell }
            }
            list.rows.append(try ReportRow(fields, currency: nil, at: "row \(row.number)"))
        }
        list.ignored = parts.ignored.sorted()
        return list
    }
}

extension SheetRow {
    /// Whether it names the columns of the head in version 2.
    fileprivate var isHeadOfSecondVersion: Bool {
        cells.values.contains { ReportField.key($0.text) == "contractingparty" }
    }

    /// The columns by the names in this row.
    fileprivate var names: [String: Int] {
        Dictionary(
            cells.sorted { $0.key < $1.key }.map { (ReportField.key($0.value.text), $0.key) }
        ) { first, _ in first }
    }
}

/// The parts of a sheet: the summary's rows and the list's rows, with their columns.
private struct SheetParts {
    static let unknown = UnreadableReport(
        .unknownFormat,
        "it is a workbook, but not a settlement report of Swedbank Pay"
    )

    let sheet: [SheetRow]
    let services: [SheetRow]
    let body: [SheetRow]
    /// The fields of the list's columns.
    private(set) var fields: [Int: ReportField] = [:]
    private(set) var ignored: [String] = []
    private let serviceColumns: [String: Int]

    init(_ sheet: [SheetRow], within limits: SettlementLimits) throws(UnreadableReport) {
        self.sheet = sheet
        let summary = sheet.firstIndex {
            $0.names["noofcredit"] != nil && $0.names["amount"] != nil
        }
        let body = sheet.firstIndex { row in
            let named = Set(row.cells.values.compactMap { ReportField(named: $0.text) })
            return named.isSuperset(of: [.number, .amount, .modified])
        }
        guard let summary, let body, summary < body else { throw Self.unknown }
        services = Array(sheet[(summary + 1)..<body])
        guard services.count <= limits.services else {
            throw .limit("the summary has too many services", limits.services)
        }
        self.body = Array(sheet[(body + 1)...])
        serviceColumns = sheet[summary].names
        for (column, cell) in sheet[body].cells.sorted(by: { $0.key < $1.key }) {
            guard let field = ReportField(named: cell.text) else {
                ignored.append(cell.text)
                continue
            }
            guard !fields.values.contains(field) else {
                throw cell.malformed("two columns have the same name")
            }
            fields[column] = field
        }
    }

    func serviceCell(_ name: String, in row: SheetRow) -> ReportCell? {
        serviceColumns[name].flatMap { row.cells[$0] }
    }

    /// Reads the head of version 2: a row of names and a row of values.
    func secondVersion(_ head: SheetRow) throws(UnreadableReport) -> TransactionList {
        let (columns, values) = (head.names, sheet.dropFirst().first)
        func value(_ name: String) -> ReportCell? { columns[name].flatMap { values?.cells[$0] } }
        // The version may be stored as the number 2.
        guard let version = value("version")?.text, version == "2.0" || version == "2" else {
            throw UnreadableReport(
                .unknownFormat,
                "it is a settlement report of a version that this program cannot read"
            )
        }
        guard let number = value("accountingno") else {
            throw UnreadableReport(.malformed, "AccountingNo is missing", at: "row 2")
        }
        return try TransactionList(
            format: .workbook,
            number: number.reportNumber(),
            date: value("accountingdate")?.day(),
            company: value("contractingparty")?.text,
            statedCount: value("totalnooftransactions")?.count()
        )
    }

    /// Reads the head of version 1: one row with company, number and count.
    func firstVersion(_ head: SheetRow) throws(UnreadableReport) -> TransactionList {
        guard head.number == 1, let number = head.cells[1] else { throw Self.unknown }
        return try TransactionList(
            format: .firstWorkbook,
            number: number.reportNumber(),
            company: head.cells[0]?.text,
            statedCount: head.cells[2]?.count()
        )
    }
}
