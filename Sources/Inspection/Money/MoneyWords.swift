internal import EventLog
package import SwedbankPay

/// Describes the state of a session's money: how certain it is, as of when, and why it is in doubt.
package struct MoneyWords {
    private let money: Money
    private let hasPayer: Bool
    private let clock: ToldTime

    /// Creates the description of a session's money.
    ///
    /// - Parameters:
    ///   - money: The session's money.
    ///   - hasPayer: Whether a payer pays, rather than a merchant who charges a stored token.
    ///   - clock: The clock in which times are printed.
    package init(_ money: Money, hasPayer: Bool = true, by clock: ToldTime = .utc) {
        self.money = money
        self.hasPayer = hasPayer
        self.clock = clock
    }

    /// The standing, in complete sentences.
    package var sentences: String {
        if money.isVerification { return verification + " A verification charges nothing." }
        return switch money.standing {
        case .none: nothingTaken + "."
        case .intended:
            nothingTaken
                + (hasPayer
                    ? ", and nothing is under way; the payer may still pay."
                    : ", and no charge is under way.")
        case .underWay: "A payment is under way and may take money. " + nothingTaken + "."
        case .unknown:
            (money.taken.map { taken($0) + " " } ?? "It may have been taken: only the PSP knows. ")
                + reasons
        case .confirmed: money.taken.map(taken) ?? "It is paid."
        }
    }

    /// The state in a few words, for a table row.
    package var brief: String {
        if money.isVerification { return verificationBrief }
        return switch money.standing {
        case .none: "nothing taken"
        case .intended: "nothing taken yet"
        case .underWay: "a payment is under way"
        case .unknown: "may have been taken: only the PSP knows"
        case .confirmed: paidBrief
        }
    }

    private var verificationBrief: String {
        switch money.standing {
        case .none, .intended: "a verification, nothing charged"
        case .underWay: "a verification is under way, which charges nothing"
        case .unknown where money.taken == nil:
            "a verification, nothing charged; only the PSP knows what came of it"
        case .confirmed, .unknown: "verified, nothing charged"
        }
    }

    private var verification: String {
        switch money.standing {
        case .none: "The payer's details were not verified."
        case .intended: "The payer's details are to be verified; nothing is under way."
        case .underWay: "The payer's details are being verified."
        case .unknown where money.taken == nil:
            "Whether the payer's details were verified, only the PSP knows. " + reasons
        case .confirmed, .unknown:
            money.taken?.evidence == .person
                ? "A person found out at the PSP that the payer's details are verified."
                : "The PSP says that the payer's details are verified."
        }
    }

    private var paidBrief: String {
        guard let taken = money.taken else { return "paid" }
        let paid = "paid" + words(taken.amount, " ")
        guard let net = taken.net, net != taken.amount else { return paid }
        return paid + "," + (words(net, " ") + " left of it")
    }

    private var asOf: String {
        money.asOf.map { "as of the PSP's answer at \(clock.second($0))" } ?? ""
    }

    private var nothingTaken: String {
        money.asOf == nil
            ? "Nothing was started here, and the PSP has not been read"
            : "Nothing was taken, " + asOf
    }

    private func words(_ amount: Int64?, _ before: String) -> String {
        StoryWords.money(amount, money.currency, before)
    }

    private func taken(_ taken: TakenMoney) -> String {
        let amount = self.words(taken.amount, "")
        let subject = amount.isEmpty ? "it" : amount
        let source =
            taken.evidence == .person
            ? "A person found out at the PSP that \(subject) is paid"
            : "The PSP says that \(subject) is paid"
        let words = source + changes(taken) + "."
        switch taken.evidence {
        case .order: return words + remark(taken)
        case .person: return words
        case .redirect:
            let wanted = self.words(money.amount, "")
            return wanted.isEmpty ? words : words + " \(wanted) was to be paid."
        }
    }

    /// The later transactions on the money.
    private func changes(_ taken: TakenMoney) -> String {
        var parts: [String] = []
        if let canceled = taken.canceled, canceled > 0 {
            parts.append(words(canceled, "") + " released again")
        }
        if let captured = taken.captured, captured > 0, captured != taken.amount {
            parts.append(words(captured, "") + " captured")
        }
        if let reversed = taken.reversed, reversed > 0 {
            parts.append(words(reversed, "") + " given back")
        }
        guard let net = taken.net, net != taken.amount || !parts.isEmpty else { return "" }
        let rest = net == 0 ? "nothing is left" : words(net, "") + " left"
        return ([""] + parts + [rest]).joined(separator: ", ")
    }

    /// When that was read, and whether the amount differs from the ordered one.
    private func remark(_ taken: TakenMoney) -> String {
        var text = asOf.isEmpty ? "" : " That is \(asOf)."
        if let ordered = money.amount, let paid = taken.amount, ordered != paid {
            text += " \(words(ordered, "")) had been ordered."
        }
        return text
    }

    /// Why it is in doubt, one sentence for each reason.
    private var reasons: String {
        money.doubts.map { doubt in
            let attempt = doubt.attempt.map { " of attempt \($0)" } ?? ""
            switch doubt.cause {
            case .request(let rel):
                return
                    "The request \(rel.purpose)\(attempt) was sent, and nobody knows what it did."
            case .refused(let rel):
                return
                    "The PSP refused the request \(rel.purpose)\(attempt), and has not said what becomes of the attempt."
            case .attempt:
                return doubt.attempt.map {
                    "Attempt \($0) was left before the PSP said what came of it."
                } ?? "A payment was under way, and the PSP has not said what came of it."
            case .clientsWord:
                return
                    "The payer finished, by the client's account, and the PSP has not confirmed it."
            case .transaction(let kind):
                return "A \(kind.rawValue) was sent, and nobody knows whether it was done."
            case .end: return "The session ended without the PSP's word."
            }
        }.joined(separator: " ")
    }
}

extension Int64 {
    /// The amount for a table with a separate currency: in the usual notation, or in minor units
    /// when the currency is unknown.
    func text(in currency: String?) -> String {
        currency.flatMap { MinorUnits.text(self, of: $0) } ?? "\(self)"
    }
}
