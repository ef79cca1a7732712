package import EventLog
internal import Inspection
internal import SwedbankPay

extension Reconciliation {
    /// The result as one JSON document, with every row; amounts are in minor units.
    ///
    /// - Parameter unreadable: The number of logs that could not be read.
    /// - Returns: The document, `Schemas/cli/settle.schema.json`.
    package func json(unreadable: Int) -> JSONValue {
        .object([
            .init("asOf", JSONValue(asOf?.description)),
            .init("agrees", .bool(isClean && unreadable == 0)),
            .init("unreadable", .integer(Int64(unreadable))),
            .init("reports", .array(reports.map { json(of: $0) })),
            .init("lines", .array(lines.map(\.json))),
            .init("missing", .array(missing.map(\.json))),
            .init("waiting", .array(waiting.map(\.json))),
            .init("notCompared", .integer(Int64(notCompared))),
            .init(
                "doublePayments",
                .array(
                    doublePayments.map { lines in
                        [
                            "orderReference": JSONValue(lines.first?.own?.orderReference),
                            "lines": .array(lines.map(\.json)),
                        ]
                    }
                )
            ),
        ])
    }

    private func json(of report: SettlementReport) -> JSONValue {
        .object([
            .init("number", .string(report.number)),
            .init("date", JSONValue(report.date?.description)),
            .init("from", JSONValue(report.period?.lowerBound.description)),
            .init("to", JSONValue(report.period?.upperBound.description)),
            .init("company", JSONValue(report.list?.company)),
            .init("merchant", JSONValue(report.balance?.merchant)),
            .init(
                "files",
                .array(
                    report.files.map {
                        [
                            "format": .string($0.format),
                            "sha256": .string($0.digest.hexadecimal),
                        ]
                    }
                )
            ),
            .init("totals", .array(totals(of: report).map(\.json))),
            .init("ignored", .array((report.list?.ignored ?? []).map { .string($0) })),
            .init(
                "faults",
                .array(
                    report.faults.map {
                        [
                            "kind": .string($0.name),
                            "message": .string($0.words(in: report.balance?.currency)),
                        ]
                    }
                )
            ),
        ])
    }
}

extension ReportTotals {
    /// The totals as JSON.
    fileprivate var json: JSONValue {
        .object([
            .init("currency", .string(currency)),
            .init(
                "results",
                .array(
                    results.map { name, sum in
                        [
                            "result": .string(name), "count": .integer(Int64(sum.count)),
                            "amount": JSONValue(sum.amount),
                        ]
                    }
                )
            ),
            .init("count", .integer(Int64(all.count))),
            .init("amount", JSONValue(all.amount)),
            .init("paidDirectly", JSONValue(paidDirectly)),
            .init("fees", JSONValue(balance?.fees)),
            .init("vat", JSONValue(balance?.vat)),
            .init("paidOut", JSONValue(balance?.paidOut)),
            .init("invoiced", JSONValue(balance?.invoiced)),
        ])
    }
}

extension SettledLine {
    /// The row as JSON.
    fileprivate var json: JSONValue {
        var (key, late, first) = (JSONValue.null, JSONValue.null, JSONValue.null)
        switch result {
        case .matched(let by, let days):
            key = .string(by.rawValue)
            late = JSONValue(days.map { Int64($0) })
        case .twice(let report, let place):
            first = ["report": .string(report), "place": .string(place)]
        case .amountDiffers, .vatDiffers, .wrongCurrency, .keysDisagree, .unknown,
            .creditWithoutDebit:
            break
        }
        return .object([
            .init("report", .string(report)),
            .init("place", .string(row.place)),
            .init("result", .string(result.name)),
            .init("key", key),
            .init("lateDays", late),
            .init("first", first),
            .init("number", .integer(row.number)),
            .init("service", JSONValue(row.texts[.service])),
            .init("created", .string("\(row.created)")),
            .init("settled", .string("\(row.modified)")),
            .init("currency", .string(row.currency)),
            .init("amount", JSONValue(row.amount)),
            .init("vatAmount", JSONValue(row.vatAmount)),
            .init("orderIdentity", JSONValue(row.texts[.orderIdentity])),
            .init("referenced", JSONValue(row.texts[.referenced])),
            .init("own", own?.json ?? .null),
        ])
    }
}

extension OwnTransaction {
    /// The transaction as JSON.
    fileprivate var json: JSONValue {
        .object([
            .init("session", .string("\(session)")),
            .init("order", JSONValue(order)),
            .init("orderReference", JSONValue(orderReference)),
            .init("kind", .string(kind.rawValue)),
            .init("number", JSONValue(number)),
            .init("payeeReference", JSONValue(payeeReference)),
            .init("currency", JSONValue(currency)),
            .init("amount", JSONValue(amount)),
            .init("vatAmount", JSONValue(vatAmount)),
            .init("at", .string("\(at)")),
        ])
    }
}
