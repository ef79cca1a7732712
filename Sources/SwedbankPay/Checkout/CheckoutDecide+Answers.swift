internal import EventLog
internal import Workflow

/// What the answers to requests for payment orders mean.
extension CheckoutRules {
    /// Of an order money is captured and given back after the end, too.
    func awaitsAnswers(in checkout: CheckoutState) -> Bool { true }

    func content(
        of outcome: ProviderAnswer.Outcome,
        to request: Request,
        after duration: Int64,
        in checkout: CheckoutState
    ) -> AnsweredContent {
        let rel = request.rel
        switch outcome {
        case .endpoints(let endpoints, _):
            let discovered = EndpointsDiscovered(endpoints: endpoints)
            return .facts([.checkout(.endpointsDiscovered(discovered))])
        case .consumer(let view, _):
            guard let script = view?.href else { return .unusable }
            return .facts([.checkout(.checkInOffered(CheckInOffered(script: script)))])
        case .order(let order, _):
            guard checkout.isForked || !checkout.isForeign(order) else { return .foreign }
            let digest = policy.recordedDigest ?? SnapshotCodec.digest(of: order)
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
        in checkout: CheckoutState
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
        let advice = advice(on: document, status, in: checkout)
        return advice.isRetryable && advice.cap.tries != 1
    }

    /// What a clear refusal means at once.
    func consequences(
        of failed: OperationFailed,
        in checkout: CheckoutState
    ) -> [SessionEvent] {
        guard failed.retryAt == nil else { return [] }
        let rel = failed.rel
        if let status = failed.status, rel == .abortOrder || rel == .updateAbort {
            // Who only left the page did not ask for it, and is not told.
            guard checkout.abortRequestedBy != nil else { return [] }
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
        if failed.endsReading(of: checkout) { return [] }
        // That a charge failed is known; only why it did could not be read.
        if rel == .order, checkout.chargesAtCreation, checkout.order?.status == .failed {
            return []
        }
        if failed.isMisconfigured, checkout.order == nil {
            return [.problem(misconfigured(failed)), .failed(Failed(reason: .configuration))]
        }
        if rel == .paymentOrders, failed.status != nil, checkout.lostCreation,
            checkout.chargesAtCreation
        {
            return [.problem(chargedBefore(failed))]
        }
        var problem = requestFailed(failed, in: checkout)
        if rel.isInstrumentChange, failed.status != nil { problem.kind = .methodNotAvailable }
        return [.problem(problem)]
    }
}

extension CheckoutRules {
    /// The merchant backend names an address at a domain that it may not name.
    private func misconfigured(_ failed: OperationFailed) -> Problem {
        Problem(
            origin: .engine,
            kind: .configurationFailed,
            title: .plain("A link of the merchant backend leads to a domain that is not called"),
            detail: .plain(failed.code),
            isRetryable: false,
            actor: .merchant,
            rel: failed.rel
        )
    }

    /// The reference of a charge without an answer is in use: the charge arrived, and was done or not.
    private func chargedBefore(_ failed: OperationFailed) -> Problem {
        Problem(
            origin: .engine,
            kind: .requestFailed,
            type: failed.document.flatMap { $0.isWellFormed ? $0.type : nil },
            title: .plain("An earlier request may have charged; its answer never came"),
            status: failed.status,
            detail: .plain("Look for the order of this reference at the PSP; do not charge again."),
            isRetryable: false,
            actor: .merchant,
            rel: .paymentOrders
        )
    }
}

extension Rel {
    /// Whether it changes an order's money.
    var isTransaction: Bool {
        TransactionKind.allCases.contains { Rel.names(of: $0).contains(self) }
    }
}

extension OperationFailed {
    /// Whether nothing more is learned from the order: the host's own code does not read orders; or reading is refused for
    /// good while nobody says that the payer paid.
    ///
    /// By the client's word alone nothing is called paid: where it says so, refused reading stays a problem.
    func endsReading(of checkout: CheckoutState) -> Bool {
        guard rel == .order, retryAt == nil, checkout.opening.gateway != .psp else { return false }
        if code == Self.unsupportedCode { return true }
        guard checkout.left == .canceled || checkout.left == .failed else { return false }
        return status.map { [401, 403, 404, 405, 501].contains($0) } ?? false
    }

    /// Whether the address that was to be called is not one that this installation calls: a matter of configuration.
    var isMisconfigured: Bool { code == "order.foreign-domain" || code == "http.refused-url" }
}
