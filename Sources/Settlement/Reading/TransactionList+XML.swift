extension TransactionList {
    /// Reads XML of version 1 or 2.
    static func reading(
        xml bytes: [UInt8],
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> TransactionList {
        var reader = MarkupListReader(limits: limits)
        try Markup.read(bytes, within: limits) { event throws(UnreadableReport) in
            try reader.receive(event)
        }
        return try reader.finished()
    }
}

/// Collects a list from the parts of its XML.
private struct MarkupListReader {
    private typealias Attributes = [(name: String, value: String)]

    let limits: SettlementLimits
    private var list: TransactionList?
    private var isSummary = false
    private var subsite = ""
    private var currency: String?
    private var ignored: Set<String> = []

    init(limits: SettlementLimits) { self.limits = limits }

    func finished() throws(UnreadableReport) -> TransactionList {
        guard var list else { throw Self.unknown }
        list.ignored = ignored.sorted()
        return list
    }

    mutating func receive(_ event: MarkupEvent) throws(UnreadableReport) {
        switch event {
        case .start(let name, let attributes, let line):
            let cells = attributes.filter { !$0.value.isEmpty }.map {
                (ReportField.key($0.name), ReportCell(text: $0.value, place: "line \(line)"))
            }
            let found = Dictionary(cells) { first, _ in first }
            guard list != nil else { return try begin(name, found) }
            try element(ReportField.key(name), found, attributes, line)
        case .end(let name):
            if ReportField.key(name) == "summary" { isSummary = false }
        case .text: break
        }
    }

    private static let unknown = UnreadableReport(
        .unknownFormat,
        "it is not a settlement report of Swedbank Pay"
    )

    private mutating func begin(
        _ name: String,
        _ attributes: [String: ReportCell]
    ) throws(UnreadableReport) {
        let format: TransactionList.Format
        switch name {
        case "SALES": format = .firstXML
        case "SalesAccountedTransactions": format = .xml
        default: throw Self.unknown
        }
        if format == .xml, attributes["version"]?.text != "2.0" {
            throw UnreadableReport(
                .unknownFormat,
                "it is a settlement report of a version that this program cannot read"
            )
        }
        guard let number = attributes["accountingno"] else {
            throw UnreadableReport(.malformed, "AccountingNo is missing", at: "line 1")
        }
        list = try TransactionList(
            format: format,
            number: number.reportNumber(),
            date: attributes["accountingdate"]?.day(),
            company: attributes["contractingparty"]?.text,
            statedCount: attributes["totalnooftransactions"]?.count()
        )
    }

    private mutating func element(
        _ name: String,
        _ cells: [String: ReportCell],
        _ attributes: Attributes,
        _ line: Int
    ) throws(UnreadableReport) {
        let place = "line \(line)"
        switch name {
        case "summary":
            isSummary = true
            subsite = cells["subsite"]?.text ?? cells["prefix"]?.text ?? ""
        case "currency":
            currency = cells["currency"]?.text ?? cells["name"]?.text
            guard !isSummary, let currency, let sum = cells["sum"] else { return }
            list?.sums.append(CurrencySum(currency: currency, sum: try sum.amount(of: currency)))
        case "servicetype": break
        case "service":
            guard (list?.services.count ?? 0) < limits.services else {
                throw .limit("the summary has too many services", limits.services, at: place)
            }
            list?.services.append(
                try ServiceTotal(subsite: subsite, currency: currency, at: place) { cells[$0] }
            )
        case "transaction", "tran":
            guard (list?.rows.count ?? 0) < limits.rows else {
                throw .limit("the list has too many rows", limits.rows, at: place)
            }
            let row = try row(attributes, at: place)
            list?.rows.append(row)
        default: ignore(name)
        }
    }

    private mutating func row(
        _ attributes: Attributes,
        at place: String
    ) throws(UnreadableReport) -> ReportRow {
        var fields: [ReportField: ReportCell] = [:]
        for (name, value) in attributes {
            guard let field = ReportField(named: name) else {
                ignore(name)
                continue
            }
            guard !value.isEmpty else { continue }
            guard fields.updateValue(ReportCell(text: value, place: place), forKey: field) == nil
            else { throw UnreadableReport(.malformed, "\(name) occurs twice", at: place) }
        }
        return try ReportRow(fields, currency: currency, at: place)
    }

    private mutating func ignore(_ name: String) {
        if ignored.count < limits.columns { ignored.insert(name) }
    }
}
