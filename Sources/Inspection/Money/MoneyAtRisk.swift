package import EventLog
internal import SwedbankPay

/// The money of many payments as of a time: the totals, and each payment with an unknown outcome.
package struct MoneyAtRisk: Sendable {
    private let money: MoneyTotals
    /// The orders that may have been paid more than once, as the logs confirm.
    package let duplicates: [MoneyTotals.Duplicates]
    private let unreadable: Int
    private let imported: Set<SessionID>
    private let now: Instant
    /// The moment up to which the totals contain everything.
    package let asOf: Instant

    /// Creates a report as of a time.
    ///
    /// - Parameters:
    ///   - money: The totals.
    ///   - duplicates: The orders that may have been paid more than once.
    ///   - unreadable: The number of logs that could not be read and are not counted.
    ///   - imported: The imported sessions.
    ///   - now: The time.
    ///   - asOf: The moment up to which the totals contain everything; `nil` for now.
    package init(
        _ money: MoneyTotals,
        duplicates: [MoneyTotals.Duplicates],
        unreadable: Int,
        imported: Set<SessionID>,
        at now: Instant,
        asOf: Instant? = nil
    ) {
        self.money = money
        self.duplicates = duplicates
        self.unreadable = unreadable
        self.imported = imported
        self.now = now
        self.asOf = asOf ?? now
    }

    /// The payments with an unknown outcome, the oldest first.
    package var unknown: [MoneyTotals.Payment] { money.unknown }

    /// The totals by host, currency and standing, without payments from which no money was taken.
    package var totals: [(group: MoneyTotals.Group, total: MoneyTotals.Total)] { money.totals }

    /// The number of logs that could not be read, and are not counted.
    package var uncounted: Int { unreadable }

    /// The report as one JSON document.
    package var json: JSONValue {
        .object([
            .init("at", .string("\(now)")),
            .init("asOf", .string("\(asOf)")),
            .init("unreadable", .integer(Int64(unreadable))),
            .init("imported", .integer(Int64(imported.count))),
            .init(
                "totals",
                .array(
                    money.totals.map { group, total in
                        .object([
                            .init("host", .string(group.host)),
                            .init("currency", JSONValue(group.currency)),
                            .init("standing", .string(group.standing.rawValue)),
                            .init("payments", .integer(Int64(total.payments))),
                            .init("amount", JSONValue(total.knownAmount)),
                            .init("withoutAmount", .integer(Int64(total.withoutAmount))),
                            .init(
                                "resolvedByPerson",
                                .integer(Int64(total.resolvedByPerson))
                            ),
                            .init("oldestSince", JSONValue(total.oldest?.since.description)),
                            .init(
                                "oldestSeconds",
                                JSONValue(total.oldest.map { seconds(since: $0.since) })
                            ),
                            .init(
                                "oldestSession",
                                JSONValue(total.oldest.map { "\($0.session)" })
                            ),
                        ])
                    }
                )
            ),
            .init("verifications", .integer(Int64(money.verifications))),
            .init("unknown", .array(money.unknown.map { json(of: $0) })),
            .init("possibleDuplicates", .array(duplicates.map { json(of: $0) })),
        ])
    }

    private func json(of duplicates: MoneyTotals.Duplicates) -> JSONValue {
        .object([
            .init("host", .string(duplicates.host)),
            .init("orderReference", .string(duplicates.orderReference)),
            .init(
                "payments",
                .array(
                    duplicates.payments.map {
                        .object([
                            .init("session", .string("\($0.session)")),
                            .init("currency", JSONValue($0.currency)),
                            .init("amount", JSONValue($0.amount)),
                            .init("since", .string("\($0.since)")),
                        ])
                    }
                )
            ),
        ])
    }

    private func json(of payment: MoneyTotals.Payment) -> JSONValue {
        .object([
            .init("session", .string("\(payment.session)")),
            .init("reference", JSONValue(payment.reference)),
            .init("outcome", JSONValue(payment.outcome?.rawValue)),
            .init("closed", .bool(payment.isClosed)),
            .init("imported", .bool(imported.contains(payment.session))),
            .init("host", .string(payment.host)),
            .init("currency", JSONValue(payment.currency)),
            .init("amount", JSONValue(payment.amount)),
            .init("since", .string("\(payment.since)")),
            .init("seconds", .integer(seconds(since: payment.since))),
            .init("seq", .sequence(payment.sequence)),
        ])
    }

    private func seconds(since: Instant) -> Int64 {
        max(0, (now.microseconds - since.microseconds) / 1_000_000)
    }

    private func age(_ since: Instant, _ form: TextForm) -> String {
        form.isTerminal ? (now - since).spoken : "\(seconds(since: since))"
    }

    /// The totals as text.
    package func totals(for form: TextForm) -> StyledText {
        (form.isTerminal ? totalsForPeople(form) : fullTotals(form)).text(for: form)
    }

    private func fullTotals(_ form: TextForm) -> Table {
        Table(
            columns: [
                "host", "currency", "money", "payments", "amount", "no amount", "resolved",
                "oldest seconds",
            ],
            rows: money.totals.map { group, total in
                [
                    group.host, group.currency ?? "", group.standing.rawValue, "\(total.payments)",
                    total.amount == nil
                        ? "too large" : total.knownAmount?.text(in: group.currency) ?? "",
                    "\(total.withoutAmount)", "\(total.resolvedByPerson)",
                    total.oldest.map { age($0.since, form) } ?? "",
                ]
            }
        )
    }

    /// The totals with amount and currency together, and without columns that are 0 everywhere; the
    /// host comes last, where it may be truncated.
    private func totalsForPeople(_ form: TextForm) -> Table {
        let hasUnknownAmounts = money.totals.contains { $1.withoutAmount > 0 }
        let hasResolved = money.totals.contains { $1.resolvedByPerson > 0 }
        let columns: [(name: String, isShown: Bool)] = [
            ("money", true), ("payments", true), ("amount", true),
            ("no amount", hasUnknownAmounts), ("resolved", hasResolved), ("oldest", true),
            ("host", true),
        ]
        let rows = money.totals.map { group, total in
            [
                group.standing.rawValue, "\(total.payments)",
                total.amount == nil
                    ? "too large" : StoryWords.money(total.knownAmount, group.currency, ""),
                "\(total.withoutAmount)", "\(total.resolvedByPerson)",
                total.oldest.map { age($0.since, form) } ?? "", group.host,
            ]
        }
        return Table(
            columns: columns.filter(\.isShown).map(\.name),
            rows: rows.map { row in zip(row, columns).filter(\.1.isShown).map(\.0) }
        )
    }

    /// A description of what the totals exclude; `nil` when they exclude nothing.
    package var note: String? {
        let count = money.verifications
        guard count > 0 else { return nil }
        return
            "\(count) verification\(count == 1 ? "" : "s") not counted, because verifications charge nothing"
    }

    /// The payments with an unknown outcome as text; on a terminal, with short ids, so that each
    /// fits a line.
    package func list(for form: TextForm) -> StyledText {
        form.isTerminal
            ? Table(
                columns: ["unknown", "age", "amount", "outcome", "reference"],
                rows: unknown.map {
                    [
                        $0.session.short, age($0.since, form),
                        StoryWords.money($0.amount, $0.currency, ""),
                        outcome(of: $0, $0.outcome?.word(money: $0.standing)),
                        $0.reference ?? "",
                    ]
                }
            ).text(for: form)
            : Table(
                columns: [
                    "unknown", "age seconds", "amount", "currency", "outcome", "reference",
                ],
                rows: unknown.map {
                    [
                        "\($0.session)", age($0.since, form), $0.amountText, $0.currency ?? "",
                        outcome(of: $0, $0.outcome?.rawValue), $0.reference ?? "",
                    ]
                }
            ).text(for: form)
    }

    /// The payments that may have been made twice, as text, order by order.
    package func duplicateList(for form: TextForm) -> StyledText {
        let payments = duplicates.flatMap { order in order.payments.map { (order, $0) } }
        return form.isTerminal
            ? Table(
                columns: ["possible duplicate", "age", "amount", "order"],
                rows: payments.map { order, payment in
                    [
                        payment.session.short, age(payment.since, form),
                        StoryWords.money(payment.amount, payment.currency, ""),
                        order.orderReference,
                    ]
                }
            ).text(for: form)
            : Table(
                columns: ["possible duplicate", "age seconds", "amount", "currency", "order"],
                rows: payments.map { order, payment in
                    [
                        "\(payment.session)", age(payment.since, form), payment.amountText,
                        payment.currency ?? "", order.orderReference,
                    ]
                }
            ).text(for: form)
    }

    private func outcome(of payment: MoneyTotals.Payment, _ word: String?) -> String {
        (payment.isClosed ? "closed" : word ?? "open")
            + (imported.contains(payment.session) ? ", imported" : "")
    }
}

extension MoneyTotals.Payment {
    /// The amount in the usual notation; empty when it is unknown.
    fileprivate var amountText: String { amount.map { $0.text(in: currency) } ?? "" }
}
