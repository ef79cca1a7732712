internal import EventLog
internal import Inspection
internal import SwedbankPay

extension Words {
    func name(of standing: MoneyState.Standing) -> String {
        switch standing {
        case .none: self("none", "inga")
        case .intended: self("to be paid", "ska betalas")
        case .underWay: self("in progress", "pågår")
        case .unknown: self("unknown", "okänt")
        case .confirmed: self("paid", "betalt")
        }
    }

    /// An amount in the usual notation of the language.
    func amount(_ amount: Amount?, _ currency: String?) -> String {
        guard let amount else { return "" }
        guard let currency, let text = MinorUnits.text(amount, of: currency) else {
            return self(
                MinorUnits.words(amount, of: currency),
                "\(amount) i minsta enheten" + (currency.map { " av \($0)" } ?? "")
            )
        }
        let shown = isEnglish ? text : text.rewriting(".", as: ",")
        return "\(shown)\u{A0}\(currency)"
    }

    /// What a row says of the money.
    func money(of facts: SessionFacts?) -> String {
        guard let facts, let standing = facts.money.flatMap(MoneyState.Standing.init(rawValue:))
        else { return "" }
        guard !isEnglish else { return facts.moneyWords }
        let marks = FactMarks(rawValue: facts.marks)
        if marks.contains(.verification) { return swedishVerification(standing) }
        let all = facts.amount.map { Amount($0) }
        let rest = facts.net.map { Amount($0) }
        func words(_ part: Amount?) -> String {
            guard let part, let all, part != all else {
                return (all ?? part) == nil ? "" : " " + amount(all ?? part, facts.currency)
            }
            return " \(amount(part, facts.currency)) av \(amount(all, facts.currency))"
        }
        switch standing {
        case .none: return "inget betalt"
        case .intended: return "ska betalas" + words(all)
        case .underWay: return "pågår" + words(all)
        case .unknown: return "okänt" + words(facts.doubted.map { Amount($0) } ?? rest)
        case .confirmed:
            guard !marks.isDisjoint(with: [.refunded, .released]), rest != all || all == nil
            else { return "betalt" + words(rest) }
            let returned =
                marks.contains([.refunded, .released])
                ? "släppt och återbetalt" : marks.contains(.refunded) ? "återbetalt" : "släppt"
            guard let all, let rest else { return returned }
            return returned + words(all - rest)
        }
    }

    private func swedishVerification(_ standing: MoneyState.Standing) -> String {
        switch standing {
        case .none: "inte verifierad"
        case .intended: "inte verifierad ännu"
        case .underWay: "verifiering pågår"
        case .unknown: "okänt om verifierad"
        case .confirmed: "verifierad"
        }
    }

    /// A duration in its two largest units.
    func duration(_ duration: Duration) -> String {
        let text = duration.spoken
        return isEnglish ? text : text.rewriting(".", as: ",").rewriting(" h", as: " tim")
    }

    /// The sign that shows the standing to those who do not see its color.
    static func sign(of standing: MoneyState.Standing) -> String {
        switch standing {
        case .none: "–"
        case .intended: "○"
        case .underWay: "◐"
        case .unknown: "?"
        case .confirmed: "✓"
        }
    }
}
