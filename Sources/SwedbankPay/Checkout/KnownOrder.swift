internal import EventLog

/// What is known of a checkout's order: nothing, or all of what a response shows.
enum KnownOrder: Hashable, Sendable {
    /// No response has shown it.
    ///
    /// Only a log that lacks events, or was forged, has a digest without an order. A later response
    /// with this digest is then the same as the one before, so its order is not recorded either.
    case unseen(Digest256?)
    /// Responses have shown it.
    case seen(SeenOrder)
}

/// An order that responses have shown.
struct SeenOrder: Hashable, Sendable {
    /// The order, with the newest value of each part.
    @Boxed var order: OrderSnapshot
    /// The newest response, as received.
    @Boxed var newest: OrderSnapshot
    /// The digest of the newest response.
    var digest: Digest256
}

extension KnownOrder {
    /// The order, with the newest value of each part.
    var order: OrderSnapshot? { if case .seen(let seen) = self { seen.order } else { nil } }

    /// The newest response, as received.
    var newest: OrderSnapshot? { if case .seen(let seen) = self { seen.newest } else { nil } }

    /// The digest of the newest response.
    var digest: Digest256? {
        switch self {
        case .unseen(let digest): digest
        case .seen(let seen): seen.digest
        }
    }

    /// Records a response; one without an order is the same as the one before.
    mutating func record(_ response: OrderSnapshot?, digest: Digest256) {
        if let response {
            let updated = order?.updated(by: response) ?? response
            self = .seen(SeenOrder(order: updated, newest: response, digest: digest))
        } else if case .seen(var seen) = self {
            seen.digest = digest
            self = .seen(seen)
        } else {
            self = .unseen(digest)
        }
    }

    /// Records the method that the order is locked to.
    mutating func lock(to method: PaymentMethodName) {
        guard case .seen(var seen) = self else { return }
        seen.order.instrument = method
        self = .seen(seen)
    }
}

/// The reads of an order on its own, without a request that changes something.
enum OrderReads: Hashable, Sendable {
    /// It was never read.
    case never
    /// When it was last read, and the number of reads since the payer left, or since a change was
    /// reported.
    case last(Instant, count: Int)

    /// The number of reads since the payer left, or since a change was reported.
    var count: Int { if case .last(_, let count) = self { count } else { 0 } }

    /// When it was last read.
    var lastAt: Instant? { if case .last(let time, _) = self { time } else { nil } }

    /// Records a read.
    mutating func record(at time: Instant) { self = .last(time, count: count + 1) }

    /// Counts from zero again: the payer left, or a change was reported.
    mutating func restart() {
        if case .last(let time, _) = self { self = .last(time, count: 0) }
    }
}

extension OrderSnapshot {
    /// The order updated with a newer response; what the response omits stays as it was.
    func updated(by newest: OrderSnapshot) -> OrderSnapshot {
        OrderSnapshot(
            id: newest.id ?? id,
            number: newest.number ?? number,
            status: newest.status ?? status,
            purpose: newest.purpose ?? purpose,
            currency: newest.currency ?? currency,
            amount: newest.amount ?? amount,
            vatAmount: newest.vatAmount ?? vatAmount,
            remainingCapture: newest.remainingCapture ?? remainingCapture,
            remainingCancellation: newest.remainingCancellation ?? remainingCancellation,
            remainingReversal: newest.remainingReversal ?? remainingReversal,
            instrument: newest.instrument ?? instrument,
            availableInstruments: newest.availableInstruments.isEmpty
                ? availableInstruments : newest.availableInstruments,
            isInstrumentMode: newest.isInstrumentMode ?? isInstrumentMode,
            urls: newest.urls.completed(by: urls),
            operations: newest.operations(keeping: operations),
            paid: newest.paid ?? paid,
            failedAttempts: newest.failedAttempts ?? failedAttempts,
            transactions: newest.transactions ?? transactions,
            abortReason: newest.abortReason ?? abortReason,
            failure: newest.failure ?? failure
        )
    }

    /// The newest operations; links that only show the order are kept when a response omits them.
    ///
    /// - Note: Source: merchant backend API, instrument change: the response may lack the view
    ///   link, and the earlier one remains valid.
    private func operations(keeping earlier: [Operation]) -> [Operation] {
        guard !operations.isEmpty else { return earlier }
        let views: [Rel] = [
            .viewCheckout, .viewPaymentOrder, .viewPaymentSession, .backendInstrument,
        ]
        let kept = earlier.filter { operation in
            views.contains(operation.rel) && !operations.contains { $0.rel == operation.rel }
        }
        return operations + (status == .paid ? [] : kept)
    }
}
