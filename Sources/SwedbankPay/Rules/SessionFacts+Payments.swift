public import EventLog
internal import Workflow

/// The details on which sums of money depend in addition to the members of the facts.
package struct FactMarks: OptionSet, Sendable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// An operator ended the session, without a result from the PSP.
    package static let closedByHand = FactMarks(rawValue: 1)
    /// The payment order itself shows the standing of the money, including what happened after it
    /// was paid.
    package static let ordersWord = FactMarks(rawValue: 2)
    /// It only verifies the payer's details, without a charge.
    package static let verification = FactMarks(rawValue: 4)
    /// It is a checkout, which native sessions may be counted with.
    package static let checkout = FactMarks(rawValue: 8)
    /// The standing of the money is what a person found at the PSP, not the PSP's response.
    package static let resolvedByPerson = FactMarks(rawValue: 16)
    /// It is paid, and not everything was canceled or refunded.
    package static let paid = FactMarks(rawValue: 32)
    /// Some of what was paid was refunded.
    package static let refunded = FactMarks(rawValue: 64)
    /// Some of what was authorized was released.
    package static let released = FactMarks(rawValue: 128)
}

extension SessionFacts {
    /// Whether it is paid, and not everything was canceled or refunded.
    package var isPaid: Bool { FactMarks(rawValue: marks).contains(.paid) }
}

extension SessionDecider {
    /// The facts for lists and sums; `nil` before the session was opened.
    public func facts(of state: SessionState) -> SessionFacts? {
        facts(of: state, next: next(in: state))
    }

    func facts(of state: SessionState, next: NextStep<SessionDecider>) -> SessionFacts? {
        guard state.isOpen else { return nil }
        return state.facts(turn: whoseTurn(in: state, next: next))
    }
}

extension SessionState {
    /// The length of the longest order reference that is compared with others, in bytes: the PSP
    /// permits 50 characters, and an index holds no text of any length.
    private static let longestOrderReference = 200

    /// The facts for lists and sums; `nil` before the session was opened.
    package func facts(turn: Turn?) -> SessionFacts? {
        guard isOpen else { return nil }
        let money = money
        var facts = money.facts
        var marks = FactMarks(rawValue: facts.marks)
        if reading({ $0.isClosedByHand }) { marks.insert(.closedByHand) }
        if checkout != nil { marks.insert(.checkout) }
        // Also where the order takes back what it said.
        if let checkout, money.taken != nil || checkout.book.confirmedAt != nil {
            marks.insert(.ordersWord)
        }
        let order = orderReference.flatMap {
            $0.utf8.count <= Self.longestOrderReference ? $0 : nil
        }
        // Without an order it is not compared with others, and counts in the sums of the store.
        if order != nil, money.isKept { marks.insert(.paid) }
        facts.turn = turn?.word
        facts.host = host
        facts.attempts = Int64(attemptCount)
        facts.countsWith = payment?.opening?.checkout
        facts.orderReference = order
        facts.marks = marks.rawValue
        return facts
    }
}

extension MoneyState {
    /// The facts that are about the money alone.
    package var facts: SessionFacts {
        var marks: FactMarks = []
        if isVerification { marks.insert(.verification) }
        if finding != nil { marks.insert(.resolvedByPerson) }
        if finding == .refunded || taken?.reversed ?? 0 > 0 { marks.insert(.refunded) }
        if taken?.canceled ?? 0 > 0 { marks.insert(.released) }
        return SessionFacts(
            money: standing.rawValue,
            moneySince: since,
            moneySequence: sequence,
            amount: (taken?.amount ?? amount)?.minorUnits,
            net: countedAmount?.minorUnits,
            doubted: doubtedPart?.minorUnits,
            currency: currency,
            marks: marks.rawValue
        )
    }

    /// Whether it is paid, as far as is known, and not everything was canceled or refunded.
    fileprivate var isKept: Bool {
        guard !isVerification, !isContradicted, let taken else { return false }
        if finding == .refunded, taken.net == nil { return false }
        return taken.net ?? taken.amount ?? 1 > 0
    }

    /// The amount that it contributes: for money that was taken what is left of it, whatever was
    /// ordered; the amount to be paid only when the amount taken is not known.
    fileprivate var countedAmount: Amount? {
        let isPartlyKnown = standing == .confirmed || doubtedPart != nil
        guard isPartlyKnown, let taken, taken.evidence != .redirect else { return amount }
        return taken.net
    }

    /// The part of what was taken that is in doubt, as the doubts name it; `nil` when all of it is
    /// in doubt or nothing.
    fileprivate var doubtedPart: Amount? {
        guard standing == .unknown, let net = taken?.net, let doubtedAmount else { return nil }
        return min(doubtedAmount, net)
    }
}
