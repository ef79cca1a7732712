internal import Inspection
internal import SwedbankPay

/// How one payment would have ended under other rules.
struct WhatIfEnd: Sendable {
    let session: SessionID
    let reference: String?
    let instrument: Instrument?
    let currency: String?
    let amount: Int64?
    let events: Int
    /// How it ended, or `open`.
    let recorded: String
    /// How it would have ended, `open`, or `unknown`.
    let otherwise: String
    let parting: Parting?
    /// Why the log does not say, or what would be waited for.
    let reason: String?
    /// The place in the log up to which it can be told; nothing when it can be told to the end.
    let toldUpTo: Int64?

    init(_ log: SessionLog, under rules: SessionDecider, insteadOf known: SessionDecider) {
        let whatIf = WhatIf(
            of: log.events,
            session: log.session,
            under: rules,
            insteadOf: known,
            masked: log.masked
        )
        let money = log.state.money
        session = log.session
        reference = whatIf.recorded.reference
        instrument = whatIf.recorded.lastChoice?.instrument
        (currency, amount) = (money.currency, money.amount)
        events = log.events.count
        recorded = whatIf.recorded.outcome?.rawValue ?? "open"
        parting = whatIf.parting.map { Parting($0, in: log) }
        switch whatIf.ending {
        case .ended(let outcome):
            (otherwise, reason, toldUpTo) = (outcome.rawValue, nil, nil)
        case .open:
            otherwise = "open"
            let problem = whatIf.alternative.problem?.problem.kind
            reason = whatIf.endsAlike ? nil : problem.map { "stands still after \($0.rawValue)" }
            toldUpTo = nil
        case .unknown(let gap):
            otherwise = "unknown"
            (reason, toldUpTo) = (Self.words(gap.reason), gap.sequence)
        }
    }

    /// Whether it would have ended otherwise, for all that is known.
    var isOther: Bool { otherwise != recorded && otherwise != "unknown" }

    private static func words(_ reason: WhatIf.Gap.Reason) -> String {
        switch reason {
        case .request(let rel):
            "the request \(rel.rawValue) would have been made, to which the log has no answer"
        case .refusal(let rejection):
            "what was done then would have been refused [\(rejection.code)]"
        case .report: "the client answered what it would not have been asked"
        }
    }

    /// What is told of it, as JSON.
    var json: JSONValue {
        .object([
            .init("session", .string("\(session)")), .init("reference", JSONValue(reference)),
            .init("recorded", .string(recorded)), .init("whatIf", .string(otherwise)),
            .init("instrument", JSONValue(instrument?.rawValue)),
            .init("currency", JSONValue(currency)), .init("amount", JSONValue(amount)),
            .init("reason", JSONValue(reason)), .init("toldUpTo", JSONValue(toldUpTo)),
            .init("divergence", parting.map { .object($0.members) } ?? .null),
        ])
    }
}

/// Which payments of many would have ended otherwise, by how they ended, instrument and amount.
final class WhatIfReport {
    /// How many payments are kept one by one; all are counted.
    static let maximumKept = 10_000
    /// How many of them are told to people.
    static let maximumTold = 20

    /// Payments that are added up.
    private struct Group: Hashable {
        var recorded: String
        var otherwise: String
        var instrument: String?
        var currency: String?

        var order: [String] { [recorded, otherwise, instrument ?? "", currency ?? ""] }
    }

    private struct Total {
        var payments = 0
        /// In minor units; nothing when the sum is more than a number can say.
        var amount: Int64? = 0
        var withoutAmount = 0
    }

    private let rules: String
    private var sessions = 0
    private var events: Int64 = 0
    private var parted = 0
    private var other = 0
    private var unknown = 0
    private var totals: [Group: Total] = [:]
    private var kept: [WhatIfEnd] = []

    /// A report on rules that have a name.
    init(under rules: String) { self.rules = rules }

    /// Takes in one payment.
    func take(_ end: WhatIfEnd) {
        sessions += 1
        events += Int64(end.events)
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
        let sum = (totals[group]?.amount).flatMap { $0 }.map { $0.addingReportingOverflow(amount) }
        totals[group]?.amount = sum.flatMap { $0.overflow ? nil : $0.partialValue }
    }

    /// Prints the result.
    func tell(_ invocation: Invocation, unreadable: Int, asJSON: Bool) {
        guard !asJSON else { return invocation.print(json(unreadable: unreadable)) }
        let output = invocation.output
        var head = "rules: \(rules)\nsessions: \(sessions), events: \(events)"
        head += ", decided otherwise in: \(parted), ended otherwise: \(other)"
        if unknown > 0 { head += ", the log does not say: \(unknown)" }
        if unreadable > 0 { head += ", unreadable: \(unreadable)" }
        invocation.print(head)
        guard !kept.isEmpty else { return }
        let sums = Table(
            columns: [
                "ended", "would have ended", "instrument", "currency", "payments", "amount",
                "without amount",
            ],
            rows: ordered.map { group, total in
                [
                    group.recorded, group.otherwise, group.instrument ?? "", group.currency ?? "",
                    "\(total.payments)",
                    total.amount.map { $0.text(in: group.currency) } ?? "too large",
                    "\(total.withoutAmount)",
                ]
            }
        )
        output.write("\n" + sums.text(for: output) + "\n")
        for end in kept.prefix(Self.maximumTold) {
            for line in lines(of: end, output.style) { invocation.print(line) }
        }
        let more = other + unknown - min(kept.count, Self.maximumTold)
        if more > 0 { invocation.print("and \(more) more; --json lists them") }
    }

    private func lines(of end: WhatIfEnd, _ style: Style) -> [StyledText] {
        let arrow = style.isUnicode ? "→" : "->"
        let name = end.reference.map { " (\(Screen.safe($0)))" } ?? ""
        var lines = [
            style.paint("\(end.session)", .heading) + name
                + ": \(end.recorded) \(arrow) \(end.otherwise)"
        ]
        if let reason = end.reason {
            let place = end.toldUpTo.map { ", after event \($0)" } ?? ""
            lines.append(StyledText("  " + reason + place))
        }
        if let parting = end.parting {
            lines.append(StyledText("  parts at event \(parting.sequence)"))
            lines += parting.lines(style, to: "these rules want").map { "    " + $0 }
        }
        return lines
    }

    private var ordered: [(Group, Total)] {
        totals.sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }
            .map { ($0.key, $0.value) }
    }

    private func json(unreadable: Int) -> JSONValue {
        .object([
            .init("rules", .string(rules)), .init("sessions", .integer(Int64(sessions))),
            .init("events", .integer(events)), .init("unreadable", .integer(Int64(unreadable))),
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
                            .init("amount", JSONValue(total.amount)),
                            .init("withoutAmount", .integer(Int64(total.withoutAmount))),
                        ])
                    }
                )
            ), .init("payments", .array(kept.map(\.json))),
        ])
    }
}
