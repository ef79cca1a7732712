package import EventLog
package import SwedbankPay

/// How one payment would have ended under other rules.
package struct WhatIfEnd: Sendable {
    let session: SessionID
    let reference: String?
    let instrument: Instrument?
    let currency: String?
    let amount: Amount?
    let events: Int
    /// The recorded outcome, or `open`.
    let recorded: String
    /// The outcome under the other rules, `open`, or `unknown`.
    let otherwise: String
    let parting: Parting?
    /// Why the log does not show it, or what the session would be waiting for.
    let reason: String?
    /// The last sequence number up to which the other history is known; `nil` when it is known to
    /// the end.
    let knownUpTo: SequenceNumber?

    package init(_ log: SessionLog, under rules: SessionDecider, insteadOf known: SessionDecider) {
        let whatIf = WhatIf(
            of: log.events,
            session: log.session,
            under: rules,
            insteadOf: known
        )
        let money = log.state.money
        session = log.session
        reference = whatIf.recorded.reference
        instrument = whatIf.recorded.payment?.lastChoice?.instrument
        (currency, amount) = (money.currency, money.amount)
        events = log.events.count
        recorded = whatIf.recorded.outcome?.rawValue ?? "open"
        parting = whatIf.parting.map { Parting($0, in: log) }
        switch whatIf.ending {
        case .ended(let outcome):
            (otherwise, reason, knownUpTo) = (outcome.rawValue, nil, nil)
        case .open:
            otherwise = "open"
            let problem = whatIf.alternative.problem?.problem.kind
            reason = whatIf.endsAlike ? nil : problem.map { "stuck after \($0.rawValue)" }
            knownUpTo = nil
        case .unknown(let gap):
            otherwise = "unknown"
            (reason, knownUpTo) = (Self.words(gap.reason), gap.sequence)
        }
    }

    /// Whether the payment would certainly have ended differently.
    var isOther: Bool { otherwise != recorded && otherwise != "unknown" }

    private static func words(_ reason: WhatIf.Gap.Reason) -> String {
        switch reason {
        case .request(let rel):
            "the request \(rel.rawValue) would have been sent, but the log has no response to it"
        case .refusal(let rejection):
            "the next input in the log would have been rejected [\(rejection.code)]"
        case .report: "the client reported on an action that would not have been requested"
        }
    }

    /// The result as JSON.
    var json: JSONValue {
        .object([
            .init("session", .string("\(session)")), .init("reference", JSONValue(reference)),
            .init("recorded", .string(recorded)), .init("whatIf", .string(otherwise)),
            .init("instrument", JSONValue(instrument?.rawValue)),
            .init("currency", JSONValue(currency)), .init("amount", JSONValue(amount)),
            .init("reason", JSONValue(reason)), .init("toldUpTo", JSONValue(knownUpTo)),
            .init("divergence", parting.map { .object($0.members) } ?? .null),
        ])
    }
}

/// Which payments of many would have ended differently, by outcome, instrument and amount.
package final class WhatIfReport: Explanation {
    /// The maximum number of payments that are kept; all are counted.
    static let maximumKept = 10_000
    /// The number of them listed in the text.
    static let maximumShown = 20

    /// Payments that are summed up together.
    private struct Group: Hashable {
        var recorded: String
        var otherwise: String
        var instrument: String?
        var currency: String?

        var order: [String] { [recorded, otherwise, instrument ?? "", currency ?? ""] }
    }

    private struct Total {
        var payments = 0
        /// The amount in minor units; `nil` when the sum exceeds the greatest number that JSON
        /// represents exactly.
        var amount: Amount? = 0
        var withoutAmount = 0
        /// The sum, if at least one amount is known.
        var knownAmount: Amount? { withoutAmount < payments ? amount : nil }
    }

    private let rules: String
    /// The logs that were read.
    package var sweep = Sweep()
    private var parted = 0
    private var other = 0
    private var unknown = 0
    private var totals: [Group: Total] = [:]
    private var kept: [WhatIfEnd] = []

    /// Creates a report on rules with this name.
    package init(under rules: String) { self.rules = rules }

    /// Adds the result of one payment.
    package func add(_ end: WhatIfEnd) {
        sweep.add(end.events)
        if end.parting != nil { parted += 1 }
        guard end.otherwise != end.recorded else { return }
        if end.isOther { other += 1 } else { unknown += 1 }
        if kept.count < Self.maximumKept { kept.append(end) }
        let group = Group(
            recorded: end.recorded,
            otherwise: end.otherwise,
            instrument: end.instrument?.rawValue,
            currency: end.currency
        )
        totals[group, default: Total()].payments += 1
        guard let amount = end.amount else {
            totals[group, default: Total()].withoutAmount += 1
            return
        }
        let sum = totals[group]?.amount?.adding(exactly: amount)
        totals[group]?.amount = sum
    }

    /// The result as text.
    package func text(for form: TextForm) -> StyledText {
        let found =
            "decided differently: \(parted), ended differently: \(other)"
            + (unknown > 0 ? ", unknown: \(unknown)" : "")
        var text = StyledText("rules: \(rules)\n" + sweep.words(found) + "\n")
        guard !kept.isEmpty else { return text }
        let sums = Table(
            columns: [
                "ended", "would have ended", "instrument", "currency", "payments", "amount",
                "without amount",
            ],
            rows: ordered.map { group, total in
                [
                    group.recorded, group.otherwise, group.instrument ?? "", group.currency ?? "",
                    "\(total.payments)",
                    total.amount == nil
                        ? "too large" : total.knownAmount?.text(in: group.currency) ?? "",
                    "\(total.withoutAmount)",
                ]
            }
        )
        text += "\n" + sums.text(for: form) + "\n"
        text += kept.prefix(Self.maximumShown).flatMap { lines(of: $0, form.style) }.lines
        let more = other + unknown - min(kept.count, Self.maximumShown)
        if more > 0 { text += "and \(more) more; --json lists them\n" }
        return text
    }

    private func lines(of end: WhatIfEnd, _ style: Style) -> [StyledText] {
        let arrow = style.isUnicode ? "→" : "->"
        let name = end.reference.map { " (\(Screen.safe($0)))" } ?? ""
        var lines = [
            style.paint("\(end.session)", .heading) + name
                + ": \(end.recorded) \(arrow) \(end.otherwise)"
        ]
        if let reason = end.reason {
            let place = end.knownUpTo.map { ", after event \($0)" } ?? ""
            lines.append(StyledText("  " + reason + place))
        }
        if let parting = end.parting {
            lines.append(StyledText("  differs at event \(parting.sequence)"))
            lines += parting.lines(style, to: "these rules decide").map { "    " + $0 }
        }
        return lines
    }

    private var ordered: [(Group, Total)] {
        totals.sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }
            .map { ($0.key, $0.value) }
    }

    /// The result as JSON.
    package var json: JSONValue {
        .object(
            [.init("rules", .string(rules))] + sweep.members + [
                .init("parted", .integer(Int64(parted))),
                .init("endedOtherwise", .integer(Int64(other))),
                .init("unknown", .integer(Int64(unknown))),
                .init(
                    "totals",
                    .array(
                        ordered.map { group, total in
                            .object([
                                .init("recorded", .string(group.recorded)),
                                .init("whatIf", .string(group.otherwise)),
                                .init("instrument", JSONValue(group.instrument)),
                                .init("currency", JSONValue(group.currency)),
                                .init("payments", .integer(Int64(total.payments))),
                                .init("amount", JSONValue(total.knownAmount)),
                                .init("withoutAmount", .integer(Int64(total.withoutAmount))),
                            ])
                        }
                    )
                ), .init("payments", .array(kept.map(\.json))),
            ]
        )
    }
}
