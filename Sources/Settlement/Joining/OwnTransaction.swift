package import EventLog
package import Inspection
package import SwedbankPay

/// A transaction that the PSP confirmed, as a log of ours shows it.
package struct OwnTransaction: Hashable, Sendable {
    /// What it does.
    package enum Kind: String, CaseIterable, Sendable {
        /// Reserves an amount, and takes nothing.
        case authorization
        /// Takes all or part of an authorized amount.
        case capture
        /// Takes the whole amount at once.
        case sale
        /// Pays back.
        case reversal
    }

    /// The session whose log shows it.
    package var session: SessionID
    /// The path of the order.
    package var order: String?
    /// The merchant's order number.
    package var orderReference: String?
    /// What it does.
    package var kind: Kind
    /// The PSP's number for it.
    package var number: Int64?
    /// The merchant's unique reference for it.
    package var payeeReference: String?
    /// The amount in minor units; negative for a reversal.
    package var amount: Amount
    /// The tax included in the amount, in minor units; positive.
    package var vatAmount: Amount?
    /// The currency, as an ISO 4217 code.
    package var currency: String?
    /// When it was requested, otherwise when the log first shows it.
    package var at: Instant
    /// The PSP's number of the order's authorization or sale.
    package var authorization: Int64?

    /// The day on which it happened, in UTC.
    package var day: ReportDay { ReportDay(at) }
}

extension OwnTransaction {
    /// Returns the transactions that a log shows as performed, in the order of the log.
    package static func all(in log: SessionLog) -> [OwnTransaction] {
        var fold = OwnTransactionFold()
        for recorded in log.events { fold.add(recorded.event, at: recorded.at) }
        return fold.transactions(of: log.session)
    }
}

/// What the events of one log say about its transactions.
private struct OwnTransactionFold {
    private var order = OrderSnapshot()
    private var terms: OrderTerms?
    private var requests: [(request: TransactionRequest, at: Instant)] = []
    private var done: Set<String> = []
    /// When a transaction was first listed, or the payment first shown.
    private var firstSeen: [Int64: Instant] = [:]
    private var paidAt: Instant?

    mutating func add(_ event: SessionEvent, at now: Instant) {
        guard case .checkout(let event) = event else { return }
        if case .checkoutOpened(let opened) = event { terms = opened.terms }
        if case .transactionRequested(let request) = event { requests.append((request, now)) }
        if case .transactionSettled(let settled) = event, settled.result == .done {
            done.insert(settled.payeeReference)
        }
        if case .orderFetched(let fetched) = event, let newer = fetched.order {
            add(newer, at: now)
        }
    }

    private mutating func add(_ newer: OrderSnapshot, at now: Instant) {
        order.id = newer.id ?? order.id
        order.currency = newer.currency ?? order.currency
        order.paid = newer.paid ?? order.paid
        order.transactions = newer.transactions ?? order.transactions
        if newer.paid != nil { paidAt = paidAt ?? now }
        for number in (newer.transactions ?? []).compactMap(\.number)
        where firstSeen[number] == nil {
            firstSeen[number] = now
        }
    }

    /// The listed transactions, and those that ended well after the list was read.
    func transactions(of session: SessionID) -> [OwnTransaction] {
        var all = order.transactions ?? []
        let isPaymentListed = all.contains {
            ["sale", "authorization"].contains($0.type.lowercased())
        }
        if let paid = order.paid, let type = paid.transactionType, !isPaymentListed {
            all.append(
                FinancialTransaction(
                    type: type,
                    number: paid.number,
                    payeeReference: paid.payeeReference,
                    amount: paid.amount
                )
            )
        }
        let known = Set(all.compactMap(\.payeeReference))
        for (request, _) in requests
        where done.contains(request.payeeReference) && !known.contains(request.payeeReference) {
            all.append(
                FinancialTransaction(
                    type: request.kind.rawValue,
                    payeeReference: request.payeeReference,
                    amount: request.amount,
                    vatAmount: request.vatAmount
                )
            )
        }
        return all.compactMap { own($0, session) }
    }

    /// Returns `nil` for a cancellation, which moves no money.
    private func own(_ listed: FinancialTransaction, _ session: SessionID) -> OwnTransaction? {
        guard let kind = OwnTransaction.Kind(rawValue: listed.type.lowercased()) else { return nil }
        let isPayment = kind == .sale || kind == .authorization
        let number = listed.number ?? (isPayment ? order.paid?.number : nil)
        let requested = requests.first { $0.request.payeeReference == listed.payeeReference }
        let amount = listed.amount ?? requested?.request.amount ?? 0
        let at = requested?.at ?? number.flatMap { firstSeen[$0] } ?? paidAt
        return OwnTransaction(
            session: session,
            order: order.id,
            orderReference: order.paid?.orderReference ?? terms?.orderReference,
            kind: kind,
            number: number,
            payeeReference: listed.payeeReference ?? (isPayment ? order.paid?.payeeReference : nil),
            amount: kind == .reversal ? -amount : amount,
            vatAmount: listed.vatAmount,
            currency: order.currency ?? terms?.currency,
            at: at ?? Instant(microseconds: 0),
            authorization: order.paid?.number
        )
    }
}
