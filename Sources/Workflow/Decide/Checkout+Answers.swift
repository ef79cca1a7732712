/// What the answers to requests for payment orders mean.
extension SessionDecider {
    /// The facts of an answer that only checkouts get; nothing for any other.
    func facts(
        of outcome: ProviderAnswer.Outcome,
        by rel: Rel,
        after duration: Int64,
        in checkout: CheckoutState
    ) -> [SessionEvent] {
        switch outcome {
        case .endpoints(let endpoints, _):
            return [
                .checkout(.endpointsDiscovered(EndpointsDiscovered(endpoints: endpoints)))
            ]
        case .consumer(let view, _):
            guard let script = view?.href else { return [] }
            return [.checkout(.checkInOffered(CheckInOffered(script: script)))]
        case .order(let order, _):
            let digest = SnapshotCodec.digest(of: order)
            return [
                .checkout(
                    .orderFetched(
                        OrderFetched(
                            cause: rel,
                            digest: digest,
                            durationMilliseconds: rel.onlyReads && duration > 0 ? duration : nil,
                            order: digest == checkout.digest ? nil : order
                        )
                    )
                )
            ]
        case .snapshot, .empty, .undecodable, .refused, .failed: return []
        }
    }

    /// Whether the engine goes on by itself after a refusal.
    ///
    /// A refused creation, after one whose outcome is unknown, may only say that the merchant's reference was used by
    /// that one: another reference makes another order, and nobody has seen the first.
    ///
    /// - Note: Source: payment order API, payeeReference.
    func isTransient(
        _ status: Int,
        _ document: ProblemDocument,
        _ rel: Rel,
        in state: SessionState,
        _ checkout: CheckoutState
    ) -> Bool {
        if status >= 500 { return true }
        if rel == .paymentOrders, checkout.lostCreation, checkout.opening.payeeReference != nil,
            checkout.renewals < limits.renewals, (400...499).contains(status), status != 429
        {
            return true
        }
        guard status != 409 else { return false }
        let advice = advice(on: document, status, in: state)
        return advice.isRetryable && advice.cap.tries != 1
    }

    /// What a clear refusal means at once.
    func consequences(
        of failed: OperationFailed,
        in state: SessionState,
        _ checkout: CheckoutState
    ) -> [SessionEvent] {
        guard failed.retryAt == nil else { return [] }
        let rel = failed.rel
        if let status = failed.status {
            if rel == .abortOrder || rel == .updateAbort {
                return [
                    .problem(
                        .abortNotAllowed(
                            title: "The order can't be given up now",
                            document: failed.document,
                            status: status
                        )
                    )
                ]
            }
            // A backend need not let anybody read orders; then the client's account is all there is.
            if rel == .order, checkout.opening.gateway == .merchantBackend { return [] }
            if rel.isTransaction { return [] }
        }
        var problem = requestFailed(failed, in: state)
        if rel.isInstrumentChange, failed.status != nil { problem.kind = .methodNotAvailable }
        return [.problem(problem)]
    }
}

extension Rel {
    /// Whether it changes an order's money.
    var isTransaction: Bool {
        TransactionKind.allCases.contains { Rel.names(of: $0).contains(self) }
    }
}
