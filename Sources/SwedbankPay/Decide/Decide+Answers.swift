internal import EventLog
internal import Workflow

extension SessionDecider {
    /// The request that the state owes is about to leave.
    func start(of effect: EffectID, in state: SessionState, _ next: Step) -> [SessionEvent] {
        guard case .call(let call) = next, call.id == effect, !call.onlyReads else { return [] }
        precondition(state.running == nil, "\(state.session): \(call.rel) beside another request")
        return [
            .operationStarted(
                OperationStarted(
                    effect: effect,
                    rel: call.rel,
                    attempt: call.attempt,
                    tryNumber: call.tryNumber
                )
            )
        ]
    }

    /// What came of a request; nothing when nobody waits for it any more.
    func facts(
        of outcome: ProviderAnswer.Outcome,
        to effect: EffectID,
        after duration: Int64,
        retryAt: Instant,
        in state: SessionState,
        _ next: () -> Step
    ) -> [SessionEvent] {
        // Of a checkout's order money is captured and given back after the end.
        guard state.outcome == nil || state.checkout != nil,
            let request = request(effect, in: state, next)
        else { return [] }
        switch outcome {
        case .snapshot(let snapshot, _)
        where !state.isForked
            && snapshot.isForeign(identity: state.identity, urls: state.orderURLs):
            return failure(of: request, OperationFailed.foreignAnswer, duration, retryAt, in: state)
        case .snapshot(let snapshot, let status):
            return success(of: request, status, duration, .snapshot)
                + [.fetched(fetched(snapshot, by: request.rel, after: duration, in: state))]
                + acknowledgement(by: request, in: state)
        case .empty(let status):
            return success(of: request, status, duration, .empty)
                + acknowledgement(by: request, in: state)
        case .undecodable(let status, let raw):
            return success(of: request, status, duration, .undecodable(raw: raw))
                + acknowledgement(by: request, in: state)
        case .endpoints, .consumer, .order:
            guard let checkout = state.checkout else { return [] }
            if case .order(let order, _) = outcome, !state.isForked, checkout.isForeign(order) {
                return failure(
                    of: request,
                    OperationFailed.foreignAnswer,
                    duration,
                    retryAt,
                    in: state
                )
            }
            let told = facts(of: outcome, by: request.rel, after: duration, in: checkout)
            guard !told.isEmpty else {
                return success(of: request, outcome.status, duration, .undecodable(raw: nil))
            }
            return success(of: request, outcome.status, duration, .snapshot) + told
        case .refused(let status, let document, _):
            let failed = OperationFailed(
                effect: effect,
                rel: request.rel,
                reach: .answered,
                code: "http.status",
                status: status,
                document: document,
                durationMilliseconds: duration,
                tryNumber: request.tryNumber,
                retryAt: isTransient(status, document, request, in: state) ? retryAt : nil
            )
            return [.operationFailed(failed)] + consequences(of: failed, in: state)
        case .failed(let reach, let code, let isTransient):
            // What may have arrived may have taken effect: that is found out, whatever the failure was.
            let isUncertain = reach != .notSent && !request.rel.onlyReads
            let failed = OperationFailed(
                effect: effect,
                rel: request.rel,
                reach: reach,
                code: code,
                durationMilliseconds: duration,
                tryNumber: request.tryNumber,
                retryAt: isTransient || isUncertain ? retryAt : nil
            )
            return [.operationFailed(failed)] + consequences(of: failed, in: state)
        }
    }

    /// An answer of success that is about something else: no answer to this request.
    private func failure(
        of request: Request,
        _ code: String,
        _ duration: Int64,
        _ retryAt: Instant,
        in state: SessionState
    ) -> [SessionEvent] {
        let failed = OperationFailed(
            effect: request.effect,
            rel: request.rel,
            reach: .answered,
            code: code,
            durationMilliseconds: duration,
            tryNumber: request.tryNumber,
            retryAt: retryAt
        )
        return [.operationFailed(failed)] + consequences(of: failed, in: state)
    }

    /// The process that made the request is gone: its outcome is unknown, so the session is read before anything else, and
    /// not before the request can't take effect any more.
    func interruption(
        of effect: EffectID,
        retryAt: Instant,
        in state: SessionState
    ) -> [SessionEvent] {
        guard let running = state.requests.inFlight, running.start.effect == effect else {
            return []
        }
        let rel = running.start.rel
        let deadline =
            asksIssuer(rel, in: state) ? limits.cardRequestDeadline : limits.requestDeadline
        return [
            .operationFailed(
                OperationFailed(
                    effect: effect,
                    rel: rel,
                    reach: .maybeSent,
                    code: OperationFailed.interruptedCode,
                    durationMilliseconds: 0,
                    tryNumber: running.start.tryNumber,
                    retryAt: running.readableFrom(
                        retryAt,
                        deadline: deadline,
                        settling: limits.settling
                    )
                )
            )
        ]
    }

    /// The request of that identity, if the state waits for its answer.
    private func request(
        _ effect: EffectID,
        in state: SessionState,
        _ next: () -> Step
    ) -> Request? {
        if let running = state.running {
            guard running.start.effect == effect else { return nil }
            return Request(
                effect: effect,
                rel: running.start.rel,
                tryNumber: running.start.tryNumber
            )
        }
        guard case .call(let call) = next(), call.id == effect, call.onlyReads else {
            return nil
        }
        return Request(
            effect: effect,
            rel: call.rel,
            tryNumber: state.requests.nextReadTry
        )
    }

    private func success(
        of request: Request,
        _ status: Int,
        _ duration: Int64,
        _ content: AnswerContent
    ) -> [SessionEvent] {
        // Reading leaves its mark as `fetched`; only an answer that can't be used is worth an event of its own.
        if request.rel.onlyReads, content == .snapshot { return [] }
        return [
            .operationSucceeded(
                OperationSucceeded(
                    effect: request.effect,
                    rel: request.rel,
                    status: status,
                    durationMilliseconds: duration,
                    content: content
                )
            )
        ]
    }

    private func fetched(
        _ snapshot: Snapshot,
        by rel: Rel,
        after duration: Int64,
        in state: SessionState
    ) -> Fetched {
        let digest = recordedDigest ?? SnapshotCodec.digest(of: snapshot)
        return Fetched(
            cause: rel,
            digest: digest,
            durationMilliseconds: rel.onlyReads && duration > 0 ? duration : nil,
            snapshot: digest == state.digest ? nil : snapshot
        )
    }

    private func acknowledgement(by request: Request, in state: SessionState) -> [SessionEvent] {
        guard request.rel == .acknowledgeFailedAttempt,
            let reference = state.acknowledging?.acknowledgement?.href
        else { return [] }
        return [
            .problemAcknowledged(ProblemAcknowledged(reference: reference, accepted: true))
        ]
    }

    /// Whether the engine goes on by itself after a refusal.
    ///
    /// The catalogue decides by the problem's type, and for unknown types by the class of the status. Three things go
    /// before it: what may have taken effect is always found out, a 409 means that our view is stale, and a session that
    /// was there before is gone when it is not found.
    ///
    /// - Note: Source: payment session API, retries; problem catalogue, lookup rules.
    private func isTransient(
        _ status: Int,
        _ document: ProblemDocument,
        _ request: Request,
        in state: SessionState
    ) -> Bool {
        if let checkout = state.checkout {
            return isTransient(status, document, request.rel, in: state, checkout)
        }
        if status >= 500, !request.rel.onlyReads { return true }
        if isGone(status, request.rel, in: state) { return false }
        let advice = advice(on: document, status, in: state)
        guard !isStaleView(status, advice, document) else {
            return request.rel.onlyReads
                ? state.requests.readFailures?.last.status != 409
                : !isAbortRefusal(status, document, request.rel)
        }
        return advice.isRetryable && advice.cap.tries != 1
    }

    /// Whether the PSP no longer has a session that it had, while nobody pays: neither by an attempt nor on its page.
    private func isGone(_ status: Int?, _ rel: Rel, in state: SessionState) -> Bool {
        rel == .session && (status == 404 || status == 410) && state.snapshot != nil
            && state.attempt == nil && state.menu == nil
    }

    private func isAbortRefusal(_ status: Int, _ document: ProblemDocument?, _ rel: Rel) -> Bool {
        rel == .abortPayment && status == 409
            && document?.isOperationNotAllowed == true
    }

    /// What a clear refusal means at once; all else is the ladder's, after the session was read.
    private func consequences(
        of failed: OperationFailed,
        in state: SessionState
    ) -> [SessionEvent] {
        if let checkout = state.checkout { return consequences(of: failed, in: state, checkout) }
        // What was asked for a wish that the payer has left says nothing about the new one.
        guard failed.retryAt == nil, state.isRunningForWish || failed.rel.onlyReads else {
            return []
        }
        if let status = failed.status, isAbortRefusal(status, failed.document, failed.rel) {
            return [
                .problem(
                    .abortNotAllowed(
                        title: "The PSP refuses to give up the payment now",
                        document: failed.document,
                        status: status
                    )
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

extension ProviderAnswer.Outcome {
    /// The HTTP status of an answer of success; 0 where there is none.
    fileprivate var status: Int {
        switch self {
        case .endpoints(_, let status), .consumer(_, let status), .order(_, let status): status
        case .snapshot(_, let status), .empty(let status), .undecodable(let status, _): status
        case .refused, .failed: 0
        }
    }
}

/// The request that an answer belongs to.
private struct Request {
    var effect: EffectID
    var rel: Rel
    var tryNumber: Int
}
