internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `at-risk`: money that was begun and of which nobody knows what came of it.
struct AtRiskCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "at-risk",
        abstract: "Show money whose outcome nobody knows, and what is intended and confirmed.",
        discussion: """
            Exact, from the logs, as of the PSP's newest answers: for each host and currency what is unknown (a request \
            left, or an attempt or session ended, without the PSP's word), underWay (a payment is going on), intended \
            (nothing is under way, and the payer may still pay) and confirmed (paid, less what was released and given \
            back), with the age of the oldest; then each unknown payment. Amounts are minor units, of those payments whose \
            log names one. Verifications charge nothing and are counted apart. Exits 65 when a log could not be read and is not counted.

            Examples:
              workflowctl at-risk
              workflowctl at-risk --since 24h --json
            """
    )

    @Option(help: ArgumentHelp("Of sessions opened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Of sessions opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let now = invocation.now()
        let query = SessionQuery(
            since: since?.instant(from: now),
            until: until?.instant(from: now),
            origin: imported.origin
        )
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var totals = MoneyTotals()
            var scan = StoreScan()
            try await scan.read(query, in: reader, "adding up", soundOnly: true) { _, log in
                totals.take(log.state)
            }
            if global.json {
                invocation.print(json(totals, scan, at: now))
            } else {
                tell(totals, invocation, at: now)
            }
            return scan.status
        }
    }

    private func json(
        _ money: MoneyTotals,
        _ scan: StoreScan,
        at now: Instant
    ) -> JSONValue {
        .object([
            .init("at", .string("\(now)")),
            .init("unreadable", .integer(Int64(scan.unreadable))),
            .init(
                "totals",
                .array(
                    money.totals.map { group, total in
                        .object([
                            .init("host", .string(group.host)),
                            .init("currency", JSONValue(group.currency)),
                            .init("standing", .string(group.standing.rawValue)),
                            .init("payments", .integer(Int64(total.payments))),
                            .init("amount", JSONValue(total.amount)),
                            .init("withoutAmount", .integer(Int64(total.withoutAmount))),
                            .init("oldestSince", JSONValue(total.oldest?.since.description)),
                            .init(
                                "oldestSeconds",
                                JSONValue(total.oldest.map { Self.seconds($0.since, now) })
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
            .init("unknown", .array(money.unknown.map { json($0, at: now) })),
        ])
    }

    private func json(_ payment: MoneyTotals.Payment, at now: Instant) -> JSONValue {
        .object([
            .init("session", .string("\(payment.session)")),
            .init("reference", JSONValue(payment.reference)),
            .init("outcome", JSONValue(payment.outcome?.rawValue)),
            .init("closed", .bool(payment.isClosed)),
            .init("host", .string(payment.host)),
            .init("currency", JSONValue(payment.currency)),
            .init("amount", JSONValue(payment.amount)),
            .init("since", .string("\(payment.since)")),
            .init("seconds", .integer(Self.seconds(payment.since, now))),
            .init("seq", .integer(payment.sequence)),
        ])
    }

    private static func seconds(_ since: Instant, _ now: Instant) -> Int64 {
        max(0, (now.microseconds - since.microseconds) / 1_000_000)
    }

    private func tell(_ money: MoneyTotals, _ invocation: Invocation, at now: Instant) {
        let output = invocation.output
        func age(_ since: Instant) -> String {
            output.isTerminal ? (now - since).spoken : "\(Self.seconds(since, now))"
        }
        let totals = Table(
            columns: [
                "host", "currency", "money", "payments", "amount", "no amount",
                output.isTerminal ? "oldest" : "oldest seconds",
            ],
            rows: money.totals.map { group, total in
                [
                    group.host, group.currency ?? "", group.standing.rawValue, "\(total.payments)",
                    total.amount.map { $0.text(in: group.currency) } ?? "too large",
                    "\(total.withoutAmount)",
                    total.oldest.map { age($0.since) } ?? "",
                ]
            }
        )
        output.write(totals.text(for: output))
        if money.verifications > 0 {
            let count = money.verifications
            invocation.note(
                "note: \(count) verification\(count == 1 ? "" : "s"), which charge\(count == 1 ? "s" : "") nothing, "
                    + "not counted"
            )
        }
        let unknown = money.unknown
        guard let first = unknown.first else { return }
        let each = Table(
            columns: [
                "unknown", output.isTerminal ? "age" : "age seconds", "amount", "currency",
                "outcome",
                "reference",
            ],
            rows: unknown.map {
                [
                    "\($0.session)", age($0.since), $0.amountText, $0.currency ?? "",
                    $0.isClosed ? "closed" : $0.outcome?.rawValue ?? "open",
                    $0.reference ?? "",
                ]
            }
        )
        output.write("\n" + each.text(for: output))
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(first.session)' tells what is known and what to do"
        )
    }
}

extension MoneyTotals.Payment {
    /// The amount as people write it; nothing where it isn't known.
    fileprivate var amountText: String { amount.map { $0.text(in: currency) } ?? "" }
}
