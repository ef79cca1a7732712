internal import EventLog
internal import Workflow

/// Requests for payment orders, with their retries.
extension CheckoutRules {
    /// A request that changes something, or the problem that prevents it.
    func send(
        _ rel: Rel,
        _ method: String,
        to href: Sealed,
        _ body: OperationBody,
        in checkout: CheckoutState
    ) -> Step {
        guard Self.orderMethods.contains(method.uppercased()) else {
            return .record([.problem(inconsistency(.unknownMethod, rel.rawValue))])
        }
        guard !checkout.isSetBack else { return .rest }
        let requests = checkout.requests
        // An order that was created but can't be read must not be created again and again.
        guard requests.unusableResponses < (rel == .paymentOrders ? 1 : 2) else {
            return .record([.problem(unusableResponses(to: rel, in: checkout))])
        }
        let failures = requests.failures(of: rel)
        if let failures, isExhausted(failures, in: checkout) {
            return .record([.problem(requestFailed(failures.last, in: checkout))])
        }
        var earliest =
            failures?.last.retryAt
            ?? requests.afterUnusable(limits.pollInterval, at: checkout.lastAt)
        if let repetition = requests.repetition(of: rel) {
            guard repetition.count < limits.repetitions else {
                return .record([
                    .problem(inconsistency(.requestedAgain, rel.rawValue))
                ])
            }
            let pause = checkout.lastAt + limits.pollInterval
            earliest = max(earliest ?? pause, pause)
        }
        return .request(change(rel, method, at: href, body, in: checkout, notBefore: earliest))
    }

    /// The HTTP methods that operations of payment orders have.
    private static let orderMethods: Set<String> = ["POST", "PATCH", "PUT", "DELETE"]

    /// Reads the order: its status, how it was paid, and what happened to the money.
    func readOrder(
        in checkout: CheckoutState,
        notBefore: Instant?,
        isPoll: Bool,
        isLate: Bool = false
    ) -> Step {
        var parts = ["paid"]
        if checkout.opening.gateway == .psp { parts.append("financialTransactions") }
        // A transaction that was accepted may fail days later, which only this part shows.
        if !checkout.transactions.isEmpty { parts.append("postPurchaseFailedAttempts") }
        if checkout.chargesAtCreation { parts.append("failed") }
        let query = OperationBody.orderQuery(id: checkout.order?.id ?? "", expanding: parts)
        func request(_ time: Instant?) -> Step {
            .request(
                reading(
                    .order,
                    at: checkout.opening.root,
                    query,
                    in: checkout,
                    notBefore: time,
                    isPoll: isPoll
                )
            )
        }
        guard isLate else { return retriedReading(.order, from: notBefore, in: checkout, request) }
        // For a late and infrequent read, the failure has already been reported.
        let pause = checkout.requests.afterUnusable(limits.pollInterval, at: checkout.lastAt)
        return request([notBefore, pause].latest)
    }

    /// The problem that the order or the backend offers no link that the step needs.
    func missing(_ name: String, in checkout: CheckoutState) -> Step {
        .record([
            .problem(
                Problem(
                    origin: .engine,
                    kind: .configurationFailed,
                    code: ProblemCause.missingLink.rawValue,
                    subject: name,
                    isRetryable: false,
                    actor: .merchant
                )
            ),
            .failed(Failed(reason: .configuration)),
        ])
    }

    /// Captures, cancels or reverses; after a lost response, sends again only when reading the
    /// order shows that it did not take effect.
    func transactionStep(in checkout: CheckoutState) -> Step? {
        guard let order = checkout.order else { return nil }
        if let shown = checkout.transactions.first(where: {
            $0.result != .done && $0.isShown(by: order)
        }) {
            return .record([settled(shown, .done)])
        }
        guard
            let transaction = checkout.transactions.first(where: {
                $0.result == nil || $0.result == .accepted
            })
        else { return nil }
        guard case .pending(let response, let isOrderRead) = transaction.progress else {
            if transaction.isShownFailed(by: order) {
                return .record([settled(transaction, .refused)])
            }
            // The PSP performs it later and then sends a callback; if the callback is missing,
            // polling finds the result.
            let late = (checkout.lastReadAt ?? checkout.lastAt) + limits.orderBackstop
            let hasChanges = checkout.requests.need != nil || checkout.readReason != nil
            return readOrder(
                in: checkout,
                notBefore: hasChanges ? checkout.requests.need?.earliestRead : late,
                isPoll: !hasChanges
            )
        }
        let need = checkout.requests.need
        if need != nil || !isOrderRead {
            return readOrder(in: checkout, notBefore: need?.earliestRead, isPoll: false)
        }
        guard response != .accepted else { return .record([settled(transaction, .accepted)]) }
        let (request, names) = (transaction.request, Rel.names(of: transaction.request.kind))
        if let failures = checkout.requests.failures, names.contains(failures.last.rel) {
            guard failures.last.retryAt != nil else {
                return .record([settled(transaction, .refused)])
            }
            if isExhausted(failures, in: checkout), checkout.book.hasResponseLongAfterRequests {
                return .record([settled(transaction, .notDone)])
            }
        } else if let left = order.remaining(for: request.kind), request.amount ?? 0 > left {
            // Something else was captured or reversed since it was requested.
            return .record([settled(transaction, .refused)])
        }
        if checkout.isSetBack, response == nil, checkout.requests.failures == nil {
            // It was not sent, and the transaction that the log lacks may be the same.
            return .record([settled(transaction, .notDone)])
        }
        guard let operation = order.operation(names), let href = operation.href,
            Self.orderMethods.contains((operation.method ?? "POST").uppercased())
        else { return .record([settled(transaction, .refused)]) }
        return send(
            operation.rel,
            operation.method ?? "POST",
            to: href,
            .transaction(request),
            in: checkout
        )
    }

    private func settled(
        _ transaction: OrderTransaction,
        _ result: TransactionResult
    ) -> SessionEvent {
        .checkout(
            .transactionSettled(
                TransactionSettled(
                    payeeReference: transaction.request.payeeReference,
                    result: result
                )
            )
        )
    }
}

extension OrderTransaction {
    /// Whether the order shows that the transaction was performed: under its reference and as the
    /// requested type.
    func isShown(by order: OrderSnapshot) -> Bool {
        order.transactions?.contains {
            $0.payeeReference == request.payeeReference
                && $0.type.lowercased() == request.kind.type
        } ?? false
    }

    /// Whether the order shows that the transaction, which the PSP had accepted, failed.
    ///
    /// A failed transaction names neither amount nor reference: it is this one only if it is of its
    /// kind and the only new one.
    ///
    /// - Note: Source: payment order API, `postPurchaseFailedAttempts`; reversals that a bank
    ///   performs later: no other transaction is possible meanwhile.
    func isShownFailed(by order: OrderSnapshot) -> Bool {
        order.failures(of: request.kind) - failuresBefore == 1
    }
}
