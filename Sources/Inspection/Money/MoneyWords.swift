internal import EventLog
package import SwedbankPay

/// Describes the state of a session's money: how certain it is, as of when, and why it is in doubt.
package struct MoneyWords {
    private let money: MoneyState
    private let hasPayer: Bool
    private let clock: DisplayClock

    /// Creates the description of a session's money.
    ///
    /// - Parameters:
    ///   - money: The session's money.
    ///   - hasPayer: Whether a payer pays, rather than a merchant who charges a stored token.
    ///   - clock: The clock in which times are printed.
    package init(_ money: MoneyState, hasPayer: Bool = true, by clock: DisplayClock = .utc) {
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
                    ? ". No payment is in progress; the payer can still pay."
                    : ". No charge is in progress.")
        case .underWay: "A payment is in progress and may take money. " + nothingTaken + "."
        case .unknown:
            (trusted.map { taken($0) + " " }
                ?? "Money may have been taken; only the PSP knows. ")
                + reasons + pending
        case .confirmed: (money.taken.map(taken) ?? "It is paid.") + pending
        }
    }

    /// The taken money, unless the newest response contradicts itself.
    private var trusted: TakenMoney? { money.isContradicted ? nil : money.taken }

    /// The transactions that are still to be performed.
    private var pending: String {
        money.requested.filter { $0.state == .pending && isUndoubted($0.kind) }.map { requested in
            " A \(requested.kind.words)\(words(requested.amount, " of ")) was requested at "
                + "\(clock.second(requested.at)), and the PSP has not reported its result yet."
        }.joined()
    }

    private func isUndoubted(_ kind: TransactionKind) -> Bool {
        !money.doubts.contains { $0.cause == .transaction(kind) }
    }

    /// The state in a few words, with what is in doubt or pending.
    package var brief: String {
        let words = money.facts.moneyWords
        if money.isVerification { return words + "; nothing charged" }
        switch money.standing {
        case .none, .intended, .underWay: return words
        case .unknown:
            guard let paid = trusted else { return words + "; only the PSP knows" }
            return ([words, "paid" + self.words(paid.amount, " ")] + money.doubts.map(brief))
                .joined(separator: "; ")
        case .confirmed:
            return ([words] + money.requested.filter { $0.state == .pending }.map(brief))
                .joined(separator: "; ")
        }
    }

    private func brief(_ doubt: MoneyDoubt) -> String {
        let what: String =
            switch doubt.cause {
            case .transaction(let kind): "a \(kind.words)"
            case .unknownTransaction(let type): "a transaction of the type \(Screen.safe(type))"
            case .lostTransaction(let type):
                "a transaction that the log lacks (\(Screen.safe(type)))"
            case .request, .refused, .attempt, .clientsWord, .end, .contradiction: "a request"
            }
        return what + words(doubt.amount, " of ") + " in doubt"
    }

    private func brief(_ requested: RequestedTransaction) -> String {
        "a \(requested.kind.words)\(words(requested.amount, " of ")) pending"
    }

    private var verification: String {
        switch money.standing {
        case .none: "The payer's details were not verified."
        case .intended:
            "The payer's details have not been verified yet; no verification is in progress."
        case .underWay: "The payer's details are being verified."
        case .unknown where money.taken == nil:
            "Only the PSP knows whether the payer's details were verified. " + reasons
        case .confirmed, .unknown:
            money.taken?.evidence == .person
                ? "An operator found at the PSP that the payer's details are verified."
                : "The PSP reports the payer's details as verified."
        }
    }

    private var nothingTaken: String {
        if money.finding == .notPaid {
            return "An operator found at the PSP that no money had been taken"
        }
        return money.asOf.map {
            "No money had been taken as of the PSP's response at \(clock.second($0))"
        }
            ?? "No payment was started here, and the PSP has not been read"
    }

    private func words(_ amount: Amount?, _ before: String) -> String {
        StoryWords.money(amount, money.currency, before)
    }

    private func taken(_ taken: TakenMoney) -> String {
        let amount = self.words(taken.amount, "")
        let subject = amount.isEmpty ? "the payment" : amount
        let rest = changes(taken) + "."
        switch taken.evidence {
        case .order:
            let source =
                money.asOf.map { "As of \(clock.second($0)), the PSP reports " }
                ?? "The PSP reports "
            return source + subject + " as paid" + rest + ordered(taken) + extras(taken)
        case .person:
            return "An operator found at the PSP that \(subject) had been paid" + rest
                + ordered(taken)
        case .redirect:
            let due = self.words(money.amount, "")
            return "The PSP reports \(subject) as paid" + rest
                + (due.isEmpty ? "" : " The amount due was \(due).")
        }
    }

    /// The later transactions on the money.
    private func changes(_ taken: TakenMoney) -> String {
        var parts: [String] = []
        if let canceled = taken.canceled, canceled > 0 {
            parts.append(words(canceled, "") + " was released")
        }
        if let captured = taken.captured, captured > 0, captured != taken.amount {
            parts.append(words(captured, "") + " was captured")
        }
        if let reversed = taken.reversed, reversed > 0 {
            parts.append(words(reversed, "") + " was refunded")
        }
        guard let net = taken.net else { return "" }
        let changes = parts.isEmpty ? "" : ", of which " + StoryWords.list(parts)
        guard net != taken.amount else { return changes }
        return changes + "; " + (net == 0 ? "nothing" : words(net, "")) + " remains"
    }

    /// What was ordered, if another amount was paid.
    private func ordered(_ taken: TakenMoney) -> String {
        guard let ordered = money.amount, let paid = taken.amount, ordered != paid else {
            return ""
        }
        return " The order was for \(words(ordered, ""))."
    }

    /// The method's fee and discount.
    private func extras(_ taken: TakenMoney) -> String {
        func sentence(_ amount: Amount?, _ name: String) -> String {
            guard let amount, amount != 0 else { return "" }
            return " That includes a \(name) of \(words(amount, "")) for the payment method."
        }
        return sentence(taken.fee, "fee") + sentence(taken.discount, "discount")
    }

    /// Why it is in doubt, one sentence for each reason.
    private var reasons: String {
        money.doubts.map { doubt in
            let attempt = doubt.attempt.map { " of attempt \($0)" } ?? ""
            switch doubt.cause {
            case .request(let rel):
                return
                    "The request \(rel.purpose)\(attempt) was sent, and its outcome is unknown."
            case .refused(let rel):
                return
                    "The PSP refused the request \(rel.purpose)\(attempt), and has not reported the outcome of the attempt."
            case .attempt:
                return doubt.attempt.map {
                    "Attempt \($0) was abandoned before the PSP reported its outcome."
                } ?? "A payment was in progress, and the PSP has not reported its outcome."
            case .clientsWord:
                return
                    "The client reported that the payer finished, and the PSP has not confirmed it."
            case .transaction(let kind):
                return "The request for a \(kind.words)\(words(doubt.amount, " of ")) was sent, "
                    + "and its outcome is unknown."
            case .unknownTransaction(let type):
                return "The PSP reports a transaction of the type \(Screen.safe(type))"
                    + "\(words(doubt.amount, ", ")), whose meaning is not known."
            case .lostTransaction(let type):
                return "The PSP reports a transaction of the type \(Screen.safe(type))"
                    + "\(words(doubt.amount, ", ")) that an engine requested in this session, but "
                    + "the log does not contain it: the session was put back to an earlier state. "
                    + "Nothing is sent until a person has recorded what happened."
            case .contradiction:
                return "The PSP's response at \(clock.second(doubt.at)) contradicts itself, or an "
                    + "earlier one."
            case .end: return "The session ended without a final response from the PSP."
            }
        }.joined(separator: " ")
    }
}

extension SessionFacts {
    /// The state of the money in words, with its amount: what lists and views say first.
    ///
    /// What is unknown, released or refunded may be a part of the payment, which is named.
    package var moneyWords: String {
        let (marks, all) = (FactMarks(rawValue: marks), amount.map { Amount($0) })
        guard let standing = money.flatMap(MoneyState.Standing.init(rawValue:)) else { return "" }
        if marks.contains(.verification) { return Self.verificationWords(standing) }
        let rest = net.map { Amount($0) }
        switch standing {
        case .none: return "nothing paid"
        case .intended: return "to be paid" + StoryWords.money(all, currency, " ")
        case .underWay: return "in progress" + StoryWords.money(all, currency, " ")
        case .unknown: return "unknown" + words(doubted.map { Amount($0) } ?? rest, of: all)
        case .confirmed:
            let returned =
                marks.contains([.refunded, .released])
                ? "released and refunded"
                : marks.contains(.refunded) ? "refunded" : "released"
            guard !marks.isDisjoint(with: [.refunded, .released]), rest != all || all == nil
            else { return "paid" + words(rest, of: all) }
            guard let all, let rest else { return returned }
            return returned + words(all - rest, of: all)
        }
    }

    private static func verificationWords(_ standing: MoneyState.Standing) -> String {
        switch standing {
        case .none: "not verified"
        case .intended: "not verified yet"
        case .underWay: "verification in progress"
        case .unknown: "verification unknown"
        case .confirmed: "verified"
        }
    }

    /// The part and the whole with the currency, or only one of both if they are the same.
    private func words(_ part: Amount?, of all: Amount?) -> String {
        guard let part, let all, part != all else {
            return StoryWords.money(all ?? part, currency, " ")
        }
        return " " + part.text(in: currency) + StoryWords.money(all, currency, " of ")
    }
}

extension Amount {
    /// The amount for a table with a separate currency: in the usual notation, or in minor units
    /// when the currency is unknown.
    func text(in currency: String?) -> String {
        currency.flatMap { MinorUnits.text(self, of: $0) } ?? "\(self)"
    }
}
