/// A settlement report of the sandbox: what it captured, sold and reversed, as the PSP reports it.
///
/// Tests change the rows before they are written, to plant what a reconciliation has to find.
///
/// - Note: Source: settlement and reconciliation, transaction list version 2 and balance report.
package struct SandboxSettlement: Sendable {
    /// A settled transaction.
    package struct Row: Sendable, Equatable {
        /// The PSP's number of the transaction.
        package var number: Int
        /// The amount in minor units; negative for a reversal.
        package var amount: Int
        /// The tax in it, in minor units; `nil` for a reversal.
        package var vatAmount: Int?
        /// The currency (ISO 4217).
        package var currency: String
        /// The merchant's reference of the transaction.
        package var payeeReference: String
        /// The number of the authorization of a capture, or of the debit of a reversal.
        package var referenced: Int?
        /// The method's wire name.
        package var method: String
        /// The description as the merchant sent it.
        package var description: String
        /// The time, `YYYY-MM-DD hh:mm:ss`.
        package var time: String
    }

    /// The fee for each debit, in minor units.
    static let feePerDebit = 200

    /// The report's number, such as `R9001-0001`.
    package var number: String
    /// The report's date, `YYYY-MM-DD`.
    package var date: String
    /// The rows.
    package var rows: [Row]

    /// The currency of the balance report, which has one.
    private var currency: String { rows.first?.currency ?? "SEK" }

    /// The rows that the balance report contains.
    private var payable: [Row] { rows.filter { $0.currency == currency } }

    /// The fees without VAT, in minor units.
    package var fees: Int { payable.count { $0.amount >= 0 } * Self.feePerDebit }

    /// The VAT of 25 % on the fees, in minor units.
    package var vat: Int { (fees + 3) / 4 }

    /// The sum of the rows, in minor units.
    package var sales: Int { payable.reduce(0) { $0 + $1.amount } }

    /// The amount that arrives at the bank, in minor units.
    package var paidOut: Int { sales - fees - vat }

    /// The rows of each service in order, with its type.
    private var services: [(type: String, name: String, currency: String, rows: [Row])] {
        let groups = Dictionary(grouping: rows) { [$0.service.type, $0.service.name, $0.currency] }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { ($0.key[0], $0.key[1], $0.key[2], $0.value) }
    }

    /// The transaction list as XML.
    package var list: String {
        let currencies = Set(rows.map(\.currency)).sorted()
        let body = currencies.map { currency in
            let rows = rows.filter { $0.currency == currency }
            let sum = rows.reduce(0) { $0 + $1.amount }
            return
                ([
                    "  <Currency Sum=\"\(Self.decimal(sum))\" Currency=\"\(currency)\">"
                ] + rows.map { "    \($0.element)" } + ["  </Currency>"]).joined(separator: "\n")
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <SalesAccountedTransactions ContractingParty="Sandbox" AccountingNo="\(number)" \
            TotalNoOfTransactions="\(rows.count)" AccountingDate="\(date)" Version="2.0" \
            xmlns="http://www.payex.com/xml/SalesAccountedTransactions%5B2.0%5D.xsd">
              <Summary Subsite="">
            \(currencies.map(summary).joined(separator: "\n"))
              </Summary>
            \(body.joined(separator: "\n"))
            </SalesAccountedTransactions>

            """
    }

    private func summary(of currency: String) -> String {
        let services = services.filter { $0.currency == currency }.map { service in
            let days = service.rows.map { $0.time.prefix(10) }.sorted()
            let debits = service.rows.count { $0.amount >= 0 }
            return "      <ServiceType ServiceType=\"\(service.type)\"><Service"
                + " ServiceName=\"\(Self.escaped(service.name))\" NoOfDebit=\"\(debits)\""
                + " NoOfCredit=\"\(service.rows.count - debits)\""
                + " Amount=\"\(Self.decimal(service.rows.reduce(0) { $0 + $1.amount }))\""
                + " FromDate=\"\(days.first ?? "")\" ToDate=\"\(days.last ?? "")\" /></ServiceType>"
        }
        return (["    <Currency Currency=\"\(currency)\">"] + services + ["    </Currency>"])
            .joined(separator: "\n")
    }

    /// The balance report as the text that `pdftotext -layout` prints of the PSP's PDF.
    package var balance: String {
        let services = services.filter { $0.currency == currency }
        let days = payable.map { $0.time.prefix(10) }.sorted()
        let (first, last) = (days.first ?? date[...], days.last ?? date[...])
        var lines = [
            "Balance report", "9001 Sandbox                    Sandbox", "",
            "Accounting Number:    \(number)    Street 1", "",
            "Accounting Date:      \(date)", "",
            "Currency:             \(currency)", "", "Payment summary",
            "                                   Amount", " Amount    \(Self.grouped(sales))",
            " Fees      \(Self.grouped(-fees))", " VAT       \(Self.grouped(-vat))",
            " Transferred amount (9001001)    \(Self.grouped(paidOut))", "Specification",
            "Sales \(first) - \(last)", "eCommerce",
        ]
        for service in services {
            lines += [
                "\(service.type)    Quantity    Sum sales    Amount to pay out", service.name,
            ]
            lines += Self.directions(of: service.rows).map { name, count, sum in
                "    - \(name)    \(count)    \(sum)    \(sum)"
            }
        }
        lines += ["Fees through \(date)", "eCommerce"]
        for service in services {
            lines += ["\(service.type)    Quantity    Amount    Unit price    Provision    Amount"]
            lines.append(service.name)
            lines += Self.directions(of: service.rows).map { name, count, sum in
                let fee = Self.grouped(count * Self.feePerDebit)
                return "    - \(name)    \(count)    \(sum)    "
                    + (name == "Debits" ? "2.00    0.00%    \(fee)" : "0.00    0.00%")
            }
        }
        lines.append("Total eCommerce    \(Self.grouped(fees))")
        return lines.map { $0 + "\n" }.joined()
    }

    /// The number of debits and credits, those that there are, and their sums.
    private static func directions(of rows: [Row]) -> [(name: String, count: Int, sum: String)] {
        [("Debits", rows.filter { $0.amount >= 0 }), ("Credits", rows.filter { $0.amount < 0 })]
            .filter { !$0.1.isEmpty }
            .map { ($0, $1.count, grouped($1.reduce(0) { $0 + $1.amount })) }
    }

    /// An amount with two decimals.
    static func decimal(_ units: Int) -> String {
        let cents = String(units.magnitude % 100)
        return (units < 0 ? "-" : "") + "\(units.magnitude / 100)."
            + (cents.utf8.count < 2 ? "0" : "") + cents
    }

    /// An amount with its thousands grouped by spaces.
    private static func grouped(_ units: Int) -> String {
        let text = decimal(Int(units.magnitude))
        var (whole, groups) = (String(text.dropLast(3)), [String]())
        while whole.utf8.count > 3 {
            groups.insert(String(whole.suffix(3)), at: 0)
            whole = String(whole.dropLast(3))
        }
        return (units < 0 ? "-" : "") + ([whole] + groups).joined(separator: " ")
            + text.suffix(3)
    }

    /// A text as the value of an attribute.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case "\"": "&quot;"
            default: String(scalar)
            }
        }.joined()
    }
}

extension SandboxSettlement.Row {
    /// The service, which is a price class of the PSP, and its type.
    var service: (type: String, name: String) {
        switch method {
        case MethodName.creditCard, MethodName.applePay, MethodName.googlePay:
            ("Creditcard", "Consumer Debit Card EU")
        case MethodName.swish, MethodName.trustly: ("Direct debit", method)
        default: ("Factoring", method)
        }
    }

    /// The row as an element.
    fileprivate var element: String {
        let members: [(String, String?)] = [
            ("OrderIdentity", payeeReference), ("TransactionIdentity", "sandbox-\(number)"),
            ("Amount", SandboxSettlement.decimal(amount)), ("Currency", currency),
            ("VATAmount", vatAmount.map(SandboxSettlement.decimal)), ("DateCreated", time),
            ("DateModified", time), ("ServiceName", service.name), ("Provider", "Sandbox"),
            ("PayexTransactionNo", "\(number)"), ("PayexBatchNo", "739866"),
            ("ReferencedTransaction", referenced.map { "\($0)" }), ("Description", description),
            ("SalesChannel", "Transaction via Web"), ("PayExAccountNo", "9001"),
        ]
        let attributes = members.compactMap { name, value in
            value.map { "\(name)=\"\(SandboxSettlement.escaped($0))\"" }
        }
        return "<Transaction \(attributes.joined(separator: " ")) />"
    }
}

extension PaymentOrder {
    /// The rows of a settlement report for the order's captures, sales and reversals.
    func settlementRows() -> [SandboxSettlement.Row] {
        let paid = transactions.first { $0.kind == .authorization || $0.kind == .sale }
        return transactions.compactMap { transaction in
            let referenced: Int?
            switch transaction.kind {
            case .sale: referenced = nil
            case .capture: referenced = paid?.number
            case .reversal:
                referenced = transactions.last { $0.kind == .capture }?.number ?? paid?.number
            case .authorization, .cancellation, .verification: return nil
            }
            let created = Timestamp.text(transaction.created)
            let isCredit = transaction.kind == .reversal
            return SandboxSettlement.Row(
                number: transaction.number,
                amount: isCredit ? -transaction.amount : transaction.amount,
                vatAmount: isCredit ? nil : transaction.vatAmount,
                currency: request.currency,
                payeeReference: transaction.payeeReference,
                referenced: referenced,
                method: paidAttempt?.method ?? "",
                description: transaction.description,
                time: "\(created.prefix(10)) \(created.dropFirst(11).prefix(8))"
            )
        }
    }
}
