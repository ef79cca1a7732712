package import EventLog
package import SwedbankPay

/// The money of all payments, by host, currency and standing.
///
/// A verification is not a payment, since there is no charge, and counts in no total. A payment
/// counts once: a native session and the checkout that it came from are one payment, for which the
/// more certain of both states counts.
package struct MoneyTotals: Sendable {
    /// One payment.
    package struct Payment: Hashable, Sendable {
        package var session: SessionID
        package var reference: String?
        package var outcome: Outcome?
        /// Whether an operator closed it without confirmation from the PSP.
        package var isClosed = false
        package var host: String
        package var currency: String?
        package var amount: Amount?
        /// The rest of it that is confirmed, if only ``amount`` is in doubt.
        package var undoubted: Amount?
        package var standing: MoneyState.Standing
        /// Whether the statement comes from the payment order, which also knows what happened after
        /// the payment.
        package var isOrdersWord = false
        /// Whether it only verifies the payer's details, without a charge.
        package var isVerification = false
        /// Whether the standing is what a person found at the PSP.
        package var isResolvedByPerson = false
        /// The merchant's order number.
        package var orderReference: String?
        /// Whether it is paid, and not everything was canceled or refunded.
        package var isPaid = false
        package var since: Instant
        package var sequence: SequenceNumber
    }

    /// The attributes by which payments are grouped.
    package struct Group: Hashable, Comparable, Sendable {
        package var host: String
        package var currency: String?
        package var standing: MoneyState.Standing

        package static func < (left: Group, right: Group) -> Bool {
            (left.host, left.currency ?? "", left.standing.rank)
                < (right.host, right.currency ?? "", right.standing.rank)
        }
    }

    /// The total of a group.
    package struct Total: Hashable, Sendable {
        package var payments = 0
        /// The amount in minor units of those whose amount is known; `nil` when the sum exceeds the
        /// greatest number that JSON represents exactly.
        package var amount: Amount? = 0
        /// The number of payments whose amount the log does not contain.
        package var withoutAmount = 0
        /// The number of payments whose standing is what a person found at the PSP.
        package var resolvedByPerson = 0
        /// The payment that has been in this standing longest, and since when.
        package var oldest: (since: Instant, session: SessionID)?

        /// The sum, if at least one amount is known.
        package var knownAmount: Amount? { withoutAmount < payments ? amount : nil }

        /// Creates an empty total.
        package init() {}

        package static func == (left: Total, right: Total) -> Bool {
            left.payments == right.payments && left.amount == right.amount
                && left.withoutAmount == right.withoutAmount
                && left.resolvedByPerson == right.resolvedByPerson
                && left.oldest?.session == right.oldest?.session
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(payments) }
    }

    /// The statement of each session's log, with the payment that it belongs to.
    private var statements: [SessionID: (payment: SessionID, words: Payment)] = [:]
    /// The sums computed by the store.
    private var summed: [Group: Total] = [:]

    /// Creates empty totals.
    package init() {}

    /// Adds a session according to its row, replacing what was added for it before.
    package mutating func add(_ row: SessionSummary) {
        guard let facts = row.facts, let payment = Payment(row, facts) else { return }
        statements[row.session] = (facts.countsWith ?? row.session, payment)
    }

    /// Adds a sum, computed by the store, of confirmed payments that count on their own.
    package mutating func add(_ sum: FactsSum) {
        let group = Group(host: sum.host, currency: sum.currency, standing: .confirmed)
        summed[group, default: Total()].add(sum)
    }

    /// Drops payments that cannot change any more: those without any taken money, and those
    /// confirmed before a time.
    package mutating func forget(confirmedBefore instant: Instant) {
        let done = payments.filter { _, payment in
            payment.standing == .none && payment.outcome != nil
                || payment.standing == .confirmed && payment.since < instant
        }
        statements = statements.filter { done[$0.value.payment] == nil }
    }

    /// The payments, each once.
    private var payments: [SessionID: Payment] {
        var payments: [SessionID: Payment] = [:]
        // In order, since the first of two equally certain statements counts.
        for (_, one) in statements.sorted(by: { $0.key < $1.key }) {
            payments[one.payment] = payments[one.payment]?.merged(with: one.words) ?? one.words
        }
        return payments
    }

    /// The totals, in order, without payments from which no money was taken; a payment of which
    /// only a part is in doubt is in two of them.
    package var totals: [(group: Group, total: Total)] {
        var totals = summed
        for payment in payments.values
        where payment.standing != .none && !payment.isVerification {
            let group = Group(
                host: payment.host,
                currency: payment.currency,
                standing: payment.standing
            )
            totals[group, default: Total()].add(payment)
            guard let rest = payment.undoubted else { continue }
            var confirmed = (group, payment)
            (confirmed.0.standing, confirmed.1.amount) = (.confirmed, rest)
            totals[confirmed.0, default: Total()].add(confirmed.1)
        }
        return totals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The number of verifications; a native session and the checkout that it came from count once.
    package var verifications: Int { payments.values.count { $0.isVerification } }

    /// The payments with an unknown outcome, the oldest first.
    package var unknown: [Payment] {
        payments.values.filter { $0.standing == .unknown && !$0.isVerification }
            .sorted { ($0.since, $0.session) < ($1.since, $1.session) }
    }
}

extension MoneyTotals {
    /// Payments of which each is paid, and that have the same order number at the same host:
    /// possible duplicates.
    package struct Duplicates: Hashable, Sendable {
        package var host: String
        package var orderReference: String
        /// The payments, at least two, in the order in which they were opened.
        package var payments: [Payment]
    }

    /// The orders that may have been paid more than once.
    package var duplicates: [Duplicates] {
        var orders: [String: [String: [Payment]]] = [:]
        for payment in payments.values where payment.isPaid {
            guard let order = payment.orderReference else { continue }
            orders[payment.host, default: [:]][order, default: []].append(payment)
        }
        return orders.flatMap { host, orders in
            orders.filter { $0.value.count > 1 }.map { order, payments in
                Duplicates(
                    host: host,
                    orderReference: order,
                    payments: payments.sorted { $0.session < $1.session }
                )
            }
        }
        .sorted { ($0.host, $0.orderReference) < ($1.host, $1.orderReference) }
    }
}

extension MoneyTotals.Payment {
    /// Creates the payment of a row; `nil` when the row has no facts about money, or a state that
    /// this build does not know.
    fileprivate init?(_ row: SessionSummary, _ facts: SessionFacts) {
        guard let since = facts.moneySince, let host = facts.host,
            let standing = facts.money.flatMap({ MoneyState.Standing(rawValue: $0) })
        else { return nil }
        let marks = FactMarks(rawValue: facts.marks)
        self.init(
            session: row.session,
            reference: row.reference,
            outcome: row.outcome.flatMap { Outcome(rawValue: $0) },
            isClosed: marks.contains(.closedByHand),
            host: host,
            currency: facts.currency,
            amount: (facts.doubted ?? facts.net).map { Amount($0) },
            undoubted: facts.doubted.flatMap { doubted in
                facts.net.map { Amount($0 - doubted) }
            },
            standing: standing,
            isOrdersWord: marks.contains(.ordersWord),
            isVerification: marks.contains(.verification),
            isResolvedByPerson: marks.contains(.resolvedByPerson),
            orderReference: facts.orderReference,
            isPaid: facts.isPaid,
            since: since,
            sequence: facts.moneySequence
        )
    }

    /// Merges two statements about one payment: the more certain one, with the known amount.
    fileprivate func merged(with other: MoneyTotals.Payment) -> MoneyTotals.Payment {
        let isOther =
            other.isOrdersWord != isOrdersWord
            ? other.isOrdersWord
            : other.standing.sureness != standing.sureness
                ? other.standing.sureness > standing.sureness : other.since < since
        var merged = isOther ? other : self
        let rest = isOther ? self : other
        if merged.amount == nil {
            (merged.amount, merged.undoubted) = (rest.amount, rest.undoubted)
        }
        merged.currency = merged.currency ?? rest.currency
        merged.reference = merged.reference ?? rest.reference
        merged.orderReference = merged.orderReference ?? rest.orderReference
        merged.isVerification = isVerification || other.isVerification
        return merged
    }
}

extension MoneyTotals.Total {
    fileprivate mutating func add(_ sum: FactsSum) {
        payments += Int(sum.sessions)
        withoutAmount += Int(sum.withoutAmount)
        amount = sum.net.flatMap { amount?.adding(exactly: Amount($0)) }
        let isOlder =
            oldest.map { (sum.oldestSince, sum.oldest) < ($0.since, $0.session) } ?? true
        if isOlder { oldest = (sum.oldestSince, sum.oldest) }
    }

    fileprivate mutating func add(_ payment: MoneyTotals.Payment) {
        payments += 1
        if payment.isResolvedByPerson { resolvedByPerson += 1 }
        if let more = payment.amount {
            amount = amount?.adding(exactly: more)
        } else {
            withoutAmount += 1
        }
        let isOlder =
            oldest.map { (payment.since, payment.session) < ($0.since, $0.session) } ?? true
        if isOlder { oldest = (payment.since, payment.session) }
    }
}

extension MoneyState.Standing {
    /// The order in which totals are shown: the money most at risk first.
    fileprivate var rank: Int {
        switch self {
        case .unknown: 0
        case .underWay: 1
        case .intended: 2
        case .confirmed: 3
        case .none: 4
        }
    }

    /// How certain a standing is.
    ///
    /// Of two states of one payment, the more certain one counts. Unknown outranks in progress.
    fileprivate var sureness: Int {
        switch self {
        case .none: 0
        case .intended: 1
        case .underWay: 2
        case .unknown: 3
        case .confirmed: 4
        }
    }
}
