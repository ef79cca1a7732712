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
            let digest = recordedDigest ?? SnapshotCodec.digest(of: order)
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
        if rel == .paymentOrders {
            let refusal = OperationFailed(
                effect: EffectID(rawValue: ""),
                rel: rel,
                reach: .answered,
                code: "",
                status: status,
                durationMilliseconds: 0,
                tryNumber: 0
            )
            if checkout.mayRenewReference(after: refusal) { return true }
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
        if let status = failed.status, rel == .abortOrder || rel == .updateAbort {
            // Who only left the page did not ask for it, and is not told.
            guard state.abortRequestedBy != nil else { return [] }
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
        // The order, read once more, tells what became of it.
        if rel.isTransaction, failed.status != nil || failed.reach == .notSent { return [] }
        if failed.saysThatOrdersAreNotRead(by: checkout.opening.gateway) { return [] }
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

extension OperationFailed {
    /// Whether whoever creates the orders doesn't let them be read: then the client's account is all there is.
    func saysThatOrdersAreNotRead(by gateway: OrderGateway) -> Bool {
        guard rel == .order, retryAt == nil, gateway != .psp else { return false }
        // Backends answer 401 for what they have switched off; it is asked again when there is news.
        return code == Self.unsupportedCode
            || status.map { [401, 403, 404, 405, 501].contains($0) } ?? false
    }
}
