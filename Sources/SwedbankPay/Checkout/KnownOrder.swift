internal import EventLog

/// What is known of a checkout's order: nothing, or all of what a response shows.
enum KnownOrder: Hashable, Sendable {
    /// No response has shown it.
    case unseen(UnseenOrder)
    /// Responses have shown it.
    case seen(SeenOrder)
}

/// An order that no response has shown.
///
/// Only a log that lacks events, or was forged, says anything of it. The fold refuses no event, so
/// all of it remains when a response shows the order.
struct UnseenOrder: Hashable, Sendable {
    /// The path of the order, which an operator found at the PSP.
    var adopted: String?
    /// The newest response, which omitted the order as unchanged.
    var response: Response?
    /// The change of the method that the order is locked to.
    var change = InstrumentChange.none

    /// A response without an order.
    struct Response: Hashable, Sendable {
        /// Its digest.
        ///
        /// A later response with this digest is the same, so its order is not recorded either.
        var digest: Digest256
        /// The reads of the order on its own.
        var reads = OrderReads.never
    }
}

/// An order that responses have shown.
struct SeenOrder: Hashable, Sendable {
    /// The order, with the newest value of each part.
    @Boxed var order: OrderSnapshot
    /// The newest response, as received.
    @Boxed var newest: OrderSnapshot
    /// The digest of the newest response.
    var digest: Digest256
    /// The reads of the order on its own.
    var reads: OrderReads
    /// The change of the method that the order is locked to.
    var change: InstrumentChange
}

extension KnownOrder {
    /// The order, with the newest value of each part; only its path when it was adopted and not
    /// read yet.
    var order: OrderSnapshot? {
        switch self {
        case .unseen(let unseen): unseen.adopted.map { OrderSnapshot(id: $0) }
        case .seen(let seen): seen.order
        }
    }

    /// The newest response, as received.
    var newest: OrderSnapshot? { if case .seen(let seen) = self { seen.newest } else { nil } }

    /// The digest of the newest response.
    var digest: Digest256? {
        switch self {
        case .unseen(let unseen): unseen.response?.digest
        case .seen(let seen): seen.digest
        }
    }

    /// The reads of the order on its own.
    var reads: OrderReads {
        switch self {
        case .unseen(let unseen): unseen.response?.reads ?? .never
        case .seen(let seen): seen.reads
        }
    }

    /// The change of the method that the order is locked to.
    var change: InstrumentChange {
        get {
            switch self {
            case .unseen(let unseen): unseen.change
            case .seen(let seen): seen.change
            }
        }
        set {
            switch self {
            case .unseen(var unseen):
                unseen.change = newValue
                self = .unseen(unseen)
            case .seen(var seen):
                seen.change = newValue
                self = .seen(seen)
            }
        }
    }

    /// Records the path of an order that no response has shown.
    mutating func adopt(_ path: String) {
        guard case .unseen(var unseen) = self else { return }
        unseen.adopted = path
        self = .unseen(unseen)
    }

    /// Records a response; one without an order is the same as the one before.
    ///
    /// - Parameters:
    ///   - response: The order that it shows.
    ///   - digest: Its digest.
    ///   - time: When it arrived, if the order was read on its own.
    mutating func record(
        _ response: OrderSnapshot?,
        digest: Digest256,
        readAt time: Instant? = nil
    ) {
        var reads = self.reads
        if let time { reads.record(at: time) }
        if let response {
            let updated = order?.updated(by: response) ?? response
            self = .seen(
                SeenOrder(
                    order: updated,
                    newest: response,
                    digest: digest,
                    reads: reads,
                    change: change
                )
            )
            return
        }
        switch self {
        case .unseen(var unseen):
            unseen.response = UnseenOrder.Response(digest: digest, reads: reads)
            self = .unseen(unseen)
        case .seen(var seen):
            seen.digest = digest
            seen.reads = reads
            self = .seen(seen)
        }
    }

    /// Counts the reads from zero again: the payer left, or a change was reported.
    mutating func restartReads() {
        switch self {
        case .unseen(var unseen):
            unseen.response?.reads.restart()
            self = .unseen(unseen)
        case .seen(var seen):
            seen.reads.restart()
            self = .seen(seen)
        }
    }

    /// Records that the order is locked to a method: the stated one, or otherwise the one that was
    /// requested.
    ///
    /// Whatever the result, the request has a response; only a newer choice remains.
    mutating func lock(to stated: PaymentMethodName?) {
        switch self {
        case .unseen(var unseen):
            unseen.change.finish()
            self = .unseen(unseen)
        case .seen(var seen):
            if let method = stated ?? seen.change.requested { seen.order.instrument = method }
            seen.change.finish()
            self = .seen(seen)
        }
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
            failedTransactions: newest.failedTransactions ?? failedTransactions,
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
