internal import EventLog
internal import Workflow

/// The decisions about responses to requests for payment orders.
extension CheckoutRules {
    /// An order's money can be captured and reversed even after the session has ended.
    func awaitsResponses(in checkout: CheckoutState) -> Bool { true }

    func content(
        of outcome: ProviderResponse.Outcome,
        to request: Request,
        after duration: Int64,
        in checkout: CheckoutState
    ) -> UsableContent {
        let rel = request.rel
        switch outcome {
        case .endpoints(let endpoints, _):
            let discovered = EndpointsDiscovered(endpoints: endpoints)
            return .facts([.checkout(.endpointsDiscovered(discovered))])
        case .consumer(let view, _):
            guard let script = view?.href else { return .unusable }
            return .facts([.checkout(.checkInOffered(CheckInOffered(script: script)))])
        case .order(let order, _):
            if !checkout.isForked, let contradiction = checkout.contradiction(in: order) {
                return .foreign(contradiction)
            }
            let digest = SnapshotCodec.digest(of: order)
            let fetched = OrderFetched(
                cause: rel,
                digest: digest,
                durationMilliseconds: rel.onlyReads && duration > 0 ? duration : nil,
                order: digest == checkout.digest ? nil : order
            )
            return .facts([.checkout(.orderFetched(fetched))])
        case .snapshot, .empty, .undecodable, .refused, .failed: return .stray
        }
    }

    func consequences(of succeeded: Request, in checkout: CheckoutState) -> [SessionEvent] { [] }

    /// Whether the engine retries by itself after a refusal.
    ///
    /// A refused creation after one with an unknown outcome may only mean that the earlier one used
    /// the merchant's reference. Another reference then creates another order, and the first has
    /// never been shown to a payer.
    ///
    /// - Note: Source: payment order API, payeeReference.
    func isTransient(
        _ status: Int,
        _ document: ProblemDocument,
        _ rel: Rel,
        in checkout: CheckoutState
    ) -> Bool {
        // A backend that does not read orders will not do so later.
        if status == 501, rel == .order { return false }
        if status >= 500 { return true }
        if rel == .paymentOrders {
            let refusal = OperationFailed(
                effect: EffectID(rawValue: ""),
                rel: rel,
                reach: .responded,
                code: "",
                status: status,
                durationMilliseconds: 0,
                tryNumber: 0
            )
            if checkout.mayRenewReference(after: refusal) { return true }
        }
        guard status != 409 else { return false }
        let advice = advice(on: document, status, in: checkout)
        return advice.isRetryable && advice.cap.tries != 1
    }

    /// The events that follow immediately from a definite refusal.
    func consequences(
        of failed: OperationFailed,
        in checkout: CheckoutState
    ) -> [SessionEvent] {
        guard failed.retryAt == nil else { return [] }
        let rel = failed.rel
        if let status = failed.status, rel == .abortOrder || rel == .updateAbort {
            // A payer who only left the page did not request an abort, so no problem is reported.
            guard checkout.abortRequestedBy != nil else { return [] }
            return [
                .problem(
                    .abortRefused(rel, status, failed.document)
                )
            ]
        }
        // Reading the order once more shows the outcome.
        if rel.isTransaction, failed.status != nil || failed.reach == .notSent { return [] }
        if failed.endsReading(of: checkout) { return [] }
        // It is known that the charge failed; only the reason could not be read.
        if rel == .order, checkout.chargesAtCreation, checkout.order?.status == .failed {
            return []
        }
        if failed.isMisconfigured, checkout.order == nil {
            return [.problem(misconfigured(failed)), .failed(Failed(reason: .configuration))]
        }
        if rel == .paymentOrders, failed.status != nil, checkout.creation.isUncertain,
            checkout.chargesAtCreation
        {
            return [.problem(chargedBefore(failed))]
        }
        var problem = requestFailed(failed, in: checkout)
        if rel.isInstrumentChange, failed.status != nil { problem.kind = .methodNotAvailable }
        // No order exists, and none can be created: as in the mobile SDKs, that is the end.
        guard checkout.order == nil, failed.status != nil, !problem.isRetryable else {
            return [.problem(problem)]
        }
        return [.problem(problem), .failed(Failed(reason: .orderRefused))]
    }
}

extension CheckoutRules {
    /// The problem when the merchant backend returns an address in a domain that it may not use.
    private func misconfigured(_ failed: OperationFailed) -> Problem {
        Problem(
            origin: .engine,
            kind: .configurationFailed,
            code: failed.code,
            isRetryable: false,
            actor: .merchant,
            rel: failed.rel
        )
    }

    /// The problem when the reference of a charge without a response is in use: the charge arrived,
    /// and was or was not performed.
    private func chargedBefore(_ failed: OperationFailed) -> Problem {
        Problem(
            origin: .engine,
            kind: .requestFailed,
            code: ProblemCause.chargedBefore.rawValue,
            type: failed.document.flatMap { $0.isWellFormed ? $0.type : nil },
            status: failed.status,
            isRetryable: false,
            actor: .merchant,
            rel: .paymentOrders
        )
    }
}

extension OperationFailed {
    /// Whether no more can be learned from the order.
    ///
    /// This is so when the host's own code does not read orders, or when reading is permanently
    /// refused and the client has not reported a payment. The client's report alone never makes an
    /// order paid: where the client reports a payment, a refused read remains a problem.
    func endsReading(of checkout: CheckoutState) -> Bool {
        guard rel == .order, retryAt == nil, checkout.opening.gateway != .psp else { return false }
        if code == Self.unsupportedCode { return true }
        guard checkout.left == .canceled || checkout.left == .failed else { return false }
        return status.map { [401, 403, 404, 405, 501].contains($0) } ?? false
    }

    /// Whether this installation does not call the requested address, which is a configuration
    /// error.
    var isMisconfigured: Bool { code == "order.foreign-domain" || code == "http.refused-url" }
}
