/// Requests for payment orders, with their tries.
extension SessionDecider {
    /// A request that changes something; or the problem that it stays undone.
    func send(
        _ rel: Rel,
        _ method: String,
        to href: Sealed,
        _ body: OperationBody,
        in state: SessionState
    ) -> Step {
        guard Self.orderMethods.contains(method.uppercased()) else {
            return .record([.problem(inconsistency("\(rel.rawValue) has an unknown HTTP method"))])
        }
        // An order that was made and can't be read is not made again and again.
        guard state.reading.unusableAnswers < (rel == .paymentOrders ? 1 : 2) else {
            return .record([.problem(unusableAnswers(in: state))])
        }
        let setback = state.setback.flatMap { $0.rel == rel ? $0 : nil }
        if let setback, isExhausted(setback, in: state) {
            return .record([.problem(requestFailed(setback, in: state))])
        }
        var earliest = setback?.retryAt ?? pauseAfterUnusable(in: state)
        if let repetition = state.repetition, repetition.rel == rel {
            guard repetition.count < limits.repetitions else {
                return .record([
                    .problem(inconsistency("\(rel.rawValue) is asked for again and again"))
                ])
            }
            let pause = state.lastAt + limits.pollInterval
            earliest = max(earliest ?? pause, pause)
        }
        return .call(
            OperationCall(
                id: EffectID(rawValue: "e-\(state.operationCount + 1)"),
                rel: rel,
                method: method,
                href: href,
                body: body,
                notBefore: earliest,
                attempt: nil,
                tryNumber: (setback?.tries ?? 0) + 1,
                isPoll: false
            )
        )
    }

    /// The HTTP methods that operations of payment orders have.
    private static let orderMethods: Set<String> = ["POST", "PATCH", "PUT", "DELETE"]

    /// A request that only reads.
    func read(
        _ rel: Rel,
        at href: Sealed,
        _ body: OperationBody,
        in state: SessionState,
        notBefore: Instant? = nil,
        isPoll: Bool = false,
        isLate: Bool = false
    ) -> Step {
        let setback = state.reading.setback
        // Of what is looked for late and seldom it was said that it failed.
        if !isLate, let setback, isExhausted(setback, in: state) {
            return .record([.problem(requestFailed(setback, in: state))])
        }
        if !isLate, state.reading.unusableAnswers >= 2 {
            return .record([.problem(unusableAnswers(in: state))])
        }
        var earliest = notBefore
        if !isLate, let retryAt = setback?.retryAt { earliest = max(earliest ?? retryAt, retryAt) }
        if let pause = pauseAfterUnusable(in: state) { earliest = max(earliest ?? pause, pause) }
        return .call(
            OperationCall(
                id: state.nextReadingEffect,
                rel: rel,
                method: "GET",
                href: href,
                body: body,
                notBefore: earliest,
                attempt: nil,
                tryNumber: (setback?.tries ?? 0) + 1,
                isPoll: isPoll
            )
        )
    }

    private func pauseAfterUnusable(in state: SessionState) -> Instant? {
        state.reading.unusableAnswers > 0 ? state.lastAt + limits.pollInterval : nil
    }

    /// Reads the order: how it stands, how it was paid, and what was done with the money.
    func readOrder(
        in state: SessionState,
        _ checkout: CheckoutState,
        notBefore: Instant?,
        isPoll: Bool,
        isLate: Bool = false
    ) -> Step {
        var parts = ["paid"]
        if checkout.opening.gateway == .psp { parts.append("financialTransactions") }
        if checkout.chargesAtCreation { parts.append("failed") }
        return read(
            .order,
            at: checkout.opening.root,
            .orderQuery(id: checkout.order?.id ?? "", expanding: parts),
            in: state,
            notBefore: notBefore,
            isPoll: isPoll,
            isLate: isLate
        )
    }

    /// The order or the backend offers no link that the step needs.
    func missing(_ name: String, in state: SessionState) -> Step {
        .record([
            .problem(
                Problem(
                    origin: .engine,
                    kind: .configurationFailed,
                    title: .plain("The answer offers no \(name)"),
                    detail: .plain("Check what the merchant backend returns for new orders."),
                    isRetryable: false,
                    actor: .merchant
                )
            ),
            .failed(Failed(reason: .configuration)),
        ])
    }

    /// Captures, cancels or reverses; after a lost answer only when the order, read again, does not show it.
    func transactionStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
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
        guard transaction.result == nil else {
            // The PSP does it later, and calls then; if it doesn't, looking finds it.
            let late = (checkout.lastLookAt ?? state.lastAt) + limits.orderBackstop
            let hasNews = state.reading.need != nil || checkout.news != nil
            return readOrder(
                in: state,
                checkout,
                notBefore: hasNews ? state.reading.notBefore : late,
                isPoll: !hasNews
            )
        }
        if state.reading.need != nil || !transaction.isOrderFresh {
            return readOrder(in: state, checkout, notBefore: state.reading.notBefore, isPoll: false)
        }
        guard !transaction.isTaken else { return .record([settled(transaction, .accepted)]) }
        let names = Rel.names(of: transaction.request.kind)
        if let setback = state.setback, names.contains(setback.rel), setback.retryAt == nil {
            return .record([settled(transaction, .refused)])
        }
        if let setback = state.setback, names.contains(setback.rel),
            isExhausted(setback, in: state), state.book.isAnsweredLongAfterRequests
        {
            return .record([settled(transaction, .notDone)])
        }
        guard let operation = order.operation(names), let href = operation.href,
            Self.orderMethods.contains((operation.method ?? "POST").uppercased())
        else { return .record([settled(transaction, .refused)]) }
        return send(
            operation.rel,
            operation.method ?? "POST",
            to: href,
            .transaction(transaction.request),
            in: state
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
    /// Whether the order shows that it was done: under its reference, and as what it was asked for.
    func isShown(by order: OrderSnapshot) -> Bool {
        let type =
            switch request.kind {
            case .capture: "capture"
            case .cancel: "cancellation"
            case .reversal: "reversal"
            }
        return order.transactions?.contains {
            $0.payeeReference == request.payeeReference && $0.type.lowercased() == type
        } ?? false
    }
}
