internal import EventLog
internal import Workflow

/// The decisions about the PSP's responses for a payment session.
extension PaymentRules {
    /// After the end, only the response to a read that was requested since then.
    func awaitsResponses(in state: PaymentState) -> Bool {
        state.outcome == nil || state.requests.need != nil
    }

    func content(
        of outcome: ProviderResponse.Outcome,
        to request: Request,
        after duration: Int64,
        in state: PaymentState
    ) -> UsableContent {
        guard case .snapshot(let snapshot, _) = outcome else { return .stray }
        let contradiction =
            state.isForked
            ? nil
            : snapshot.contradiction(
                to: state.identity,
                in: state.book.currency,
                urls: state.orderURLs
            )
        if let contradiction { return .foreign(contradiction) }
        return .facts([.fetched(fetched(snapshot, by: request.rel, after: duration, in: state))])
    }

    private func fetched(
        _ snapshot: Snapshot,
        by rel: Rel,
        after duration: Int64,
        in state: PaymentState
    ) -> Fetched {
        let digest = SnapshotCodec.digest(of: snapshot)
        return Fetched(
            cause: rel,
            digest: digest,
            durationMilliseconds: rel.onlyReads && duration > 0 ? duration : nil,
            snapshot: digest == state.digest ? nil : snapshot
        )
    }

    func consequences(of request: Request, in state: PaymentState) -> [SessionEvent] {
        guard request.rel == .acknowledgeFailedAttempt,
            let reference = state.acknowledging?.acknowledgement?.href
        else { return [] }
        return [
            .problemAcknowledged(ProblemAcknowledged(reference: reference, accepted: true))
        ]
    }

    /// Whether the engine retries by itself after a refusal.
    ///
    /// The catalogue decides by the problem's type, and for unknown types by the class of the
    /// status. Three rules take precedence: what may have taken effect is always reconciled; a 409
    /// means that our view is out of date; and a session that existed before is gone when it is not
    /// found.
    ///
    /// - Note: Source: payment session API, retries; problem catalogue, lookup rules.
    func isTransient(
        _ status: Int,
        _ document: ProblemDocument,
        _ rel: Rel,
        in state: PaymentState
    ) -> Bool {
        if status >= 500, !rel.onlyReads { return true }
        if isGone(status, rel, in: state) { return false }
        let advice = advice(on: document, status, in: state)
        guard !policy.isStaleView(status, advice, document) else {
            return rel.onlyReads
                ? state.requests.readFailures?.last.status != 409
                : !isAbortRefusal(status, document, rel)
        }
        return advice.isRetryable && advice.cap.tries != 1
    }

    /// Whether the PSP no longer has a session that it had, while no payment is in progress,
    /// neither as an attempt nor on its page.
    private func isGone(_ status: Int?, _ rel: Rel, in state: PaymentState) -> Bool {
        rel == .session && (status == 404 || status == 410) && state.snapshot != nil
            && state.attempt == nil && state.menu == nil
    }

    private func isAbortRefusal(_ status: Int, _ document: ProblemDocument?, _ rel: Rel) -> Bool {
        rel == .abortPayment && status == 409
            && document?.isOperationNotAllowed == true
    }

    /// The events that follow immediately from a definite refusal; everything else is decided by
    /// the next step after the session was read.
    func consequences(
        of failed: OperationFailed,
        in state: PaymentState
    ) -> [SessionEvent] {
        // A request for a choice that the payer has left does not concern the new one.
        guard state.outcome == nil else { return [] }
        guard failed.retryAt == nil, state.isRunningForMenu || failed.rel.onlyReads else {
            return []
        }
        if let status = failed.status, isAbortRefusal(status, failed.document, failed.rel) {
            return [
                .problem(
                    .abortRefused(failed.rel, status, failed.document)
                )
            ]
        }
        if isGone(failed.status, failed.rel, in: state) {
            return [.expired(Expired(reason: .goneAtPSP))]
        }
        if failed.rel == .acknowledgeFailedAttempt { return [] }
        return [.problem(requestFailed(failed, in: state))]
    }
}
