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
        let listed = (order.transactions ?? []).compactMap { transaction in
            Kind(rawValue: transaction.type.lowercased()).map { make(transaction, $0, session) }
        }
        return listed + unlisted(session, beside: listed)
    }

    private typealias Kind = OwnTransaction.Kind

    private func make(
        _ listed: FinancialTransaction,
        _ kind: Kind,
        _ session: SessionID
    ) -> OwnTransaction {
        let requested = requests.first { $0.request.payeeReference == listed.payeeReference }
        let amount = listed.amount ?? requested?.request.amount ?? 0
        return transaction(
            session,
            kind,
            number: listed.number
                ?? (kind == .sale || kind == .authorization ? order.paid?.number : nil),
            reference: listed.payeeReference ?? (kind == .sale ? order.paid?.payeeReference : nil),
            amount: amount,
            vat: listed.vatAmount,
            at: requested?.at ?? listed.number.flatMap { firstSeen[$0] } ?? paidAt
        )
    }

    private func unlisted(
        _ session: SessionID,
        beside listed: [OwnTransaction]
    ) -> [OwnTransaction] {
        var found: [OwnTransaction] = []
        let isPaymentListed = listed.contains { $0.kind == .sale || $0.kind == .authorization }
        if let paid = order.paid, let amount = paid.amount, !isPaymentListed,
            let kind = Kind(rawValue: paid.transactionType?.lowercased() ?? "")
        {
            found.append(
                transaction(
                    session,
                    kind,
                    number: paid.number,
                    reference: paid.payeeReference,
                    amount: amount,
                    vat: nil,
                    at: paidAt
                )
            )
        }
        let known = Set(listed.compactMap(\.payeeReference))
        for (request, at) in requests
        where done.contains(request.payeeReference) && !known.contains(request.payeeReference) {
            guard let kind = Kind(request.kind), let amount = request.amount else { continue }
            found.append(
                transaction(
                    session,
                    kind,
                    number: nil,
                    reference: request.payeeReference,
                    amount: amount,
                    vat: request.vatAmount,
                    at: at
                )
            )
        }
        return found
    }

    private func transaction(
        _ session: SessionID,
        _ kind: Kind,
        number: Int64?,
        reference: String?,
        amount: Amount,
        vat: Amount?,
        at: Instant?
    ) -> OwnTransaction {
        OwnTransaction(
            session: session,
            order: order.id,
            orderReference: order.paid?.orderReference ?? terms?.orderReference,
            kind: kind,
            number: number,
            payeeReference: reference,
            amount: kind == .reversal ? -amount : amount,
            vatAmount: vat,
            currency: order.currency ?? terms?.currency,
            at: at ?? Instant(microseconds: 0),
            authorization: order.paid?.number
        )
    }
}

extension OwnTransaction.Kind {
    /// The kind of a requested transaction; `nil` for a cancellation.
    fileprivate init?(_ kind: TransactionKind) {
        switch kind {
        case .capture: self = .capture
        case .reversal: self = .reversal
        case .cancel: return nil
        }
    }
}
