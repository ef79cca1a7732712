public import EventLog
public import SwedbankPay

/// Something that happened to a payment, for other systems of the merchant, with what is known of
/// the payment then.
///
/// A receiver can use it without folding a log. It follows from the states before and after one
/// record, in the words of the session's row and of its money, so that it says nothing that lists
/// and views do not say. It contains no sealed value.
public struct PaymentNotice: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The payment was opened.
        case opened = "payment.opened"
        /// An attempt began.
        case attemptStarted = "payment.attempt-started"
        /// The payer's app has to do something.
        case actionRequired = "payment.action-required"
        /// A problem occurred.
        case problem = "payment.problem"
        /// A requested capture was carried out.
        case captured = "transaction.captured"
        /// A requested cancellation was carried out.
        case transactionCanceled = "transaction.canceled"
        /// A requested reversal was carried out.
        case reversed = "transaction.reversed"
        /// The PSP's order has other amounts than before, and no transaction was carried out here:
        /// somebody else captured, released or refunded.
        case moneyChanged = "money.changed"
        /// Nobody here knows any more whether money was taken.
        case moneyUnknown = "money.unknown"
        /// It is known again whether money was taken.
        case moneyResolved = "money.resolved"
        /// It ended as completed.
        case completed = "payment.completed"
        /// It ended as canceled.
        case canceled = "payment.canceled"
        /// It ended as failed.
        case failed = "payment.failed"
        /// It ended as expired.
        case expired = "payment.expired"
        /// The payment order was read and is paid.
        case confirmed = "payment.confirmed"
    }

    /// What happened.
    public let kind: Kind
    /// The session's row after the record.
    public let row: SessionSummary
    /// The money after the record.
    public let money: MoneyState

    /// The identity of the notice, which is the same however often it is sent: the session, the
    /// sequence number of the record, and the kind, without dots.
    public var id: String {
        "\(row.session)/\(row.lastSequence)/\(kind.rawValue.rewriting(".", as: "-"))"
    }

    /// Returns what happened between two states, of which the second has one more event.
    ///
    /// - Parameters:
    ///   - before: The state before the event.
    ///   - after: The state after it.
    ///   - decider: The rules.
    /// - Returns: The notices, always in the same order; most events lead to none.
    public static func all(
        from before: SessionState,
        to after: SessionState,
        by decider: SessionDecider
    ) -> [PaymentNotice] {
        let (was, money) = (before.money, after.money)
        let kinds = kinds(from: before, was, to: after, money)
        guard !kinds.isEmpty else { return [] }
        let row = decider.summary(of: after)
        return kinds.map { PaymentNotice(kind: $0, row: row, money: money) }
    }

    private static func kinds(
        from before: SessionState,
        _ was: MoneyState,
        to after: SessionState,
        _ money: MoneyState
    ) -> [Kind] {
        var kinds: [Kind] = []
        if before.sequence == 0 { kinds.append(.opened) }
        if after.attemptCount > before.attemptCount { kinds.append(.attemptStarted) }
        let known = Set(before.actions.map(\.id))
        if after.actions.contains(where: { $0.isOpen && !known.contains($0.id) }) {
            kinds.append(.actionRequired)
        }
        if after.problem?.sequence == after.sequence { kinds.append(.problem) }
        for (index, transaction) in money.requested.enumerated()
        where transaction.state == .done {
            guard !was.requested.indices.contains(index) || was.requested[index].state != .done
            else { continue }
            kinds.append(Kind(transaction.kind))
        }
        if kinds.allSatisfy({ !$0.isOfTransaction }), money.differs(from: was) {
            kinds.append(.moneyChanged)
        }
        if (was.standing == .unknown) != (money.standing == .unknown) {
            kinds.append(money.standing == .unknown ? .moneyUnknown : .moneyResolved)
        }
        if before.outcome == nil, let outcome = after.outcome { kinds.append(Kind(outcome)) }
        if after.isConfirmed == true, before.isConfirmed != true { kinds.append(.confirmed) }
        return kinds
    }
}

extension MoneyState {
    /// Whether an order that was read before has other amounts now.
    fileprivate func differs(from earlier: MoneyState) -> Bool {
        // What becomes known with the first read has not changed.
        guard let old = earlier.taken, old.evidence == .order, let new = taken else { return false }
        func amounts(_ money: TakenMoney) -> [Amount] {
            [money.captured, money.canceled, money.reversed].map { $0 ?? 0 }
        }
        return amounts(old) != amounts(new)
    }
}

extension PaymentNotice.Kind {
    /// Whether it is a transaction that was requested here.
    fileprivate var isOfTransaction: Bool {
        [.captured, .transactionCanceled, .reversed].contains(self)
    }

    fileprivate init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .completed: .completed
            case .canceled: .canceled
            case .failed: .failed
            case .expired: .expired
            }
    }

    fileprivate init(_ transaction: TransactionKind) {
        self =
            switch transaction {
            case .capture: .captured
            case .cancel: .transactionCanceled
            case .reversal: .reversed
            }
    }
}

extension PaymentNotice {
    /// The notice as JSON: every member is always present, and amounts are in minor units.
    ///
    /// What is not known is `null`.
    public var json: JSONValue {
        let time = JSONValue.string("\(row.lastAt)")
        return [
            "type": .string(kind.rawValue),
            "timestamp": time,
            "data": [
                "session": .string("\(row.session)"),
                "seq": .sequence(row.lastSequence),
                "reference": JSONValue(row.reference),
                "outcome": JSONValue(row.outcome),
                "money": .string(money.standing.rawValue),
                "instrument": JSONValue(row.label),
                "problem": JSONValue(row.problem),
                "amount": JSONValue(row.facts?.amount),
                "captured": JSONValue(money.taken?.captured),
                "refunded": JSONValue(money.taken?.reversed),
                "net": JSONValue(money.taken?.net),
                "currency": JSONValue(money.currency),
                "time": time,
            ],
        ]
    }
}
