internal import EventLog
internal import Workflow

extension KindRules {
    /// The events that record that the pending request is about to be sent.
    func start(of effect: EffectID, in state: State, _ next: Step) -> [SessionEvent] {
        guard case .request(let request) = next, request.id == effect, !request.onlyReads else {
            return []
        }
        precondition(
            state.running == nil,
            "\(state.session): \(request.rel) beside another request"
        )
        return [
            .operationStarted(
                OperationStarted(
                    effect: effect,
                    rel: request.rel,
                    attempt: request.attempt,
                    tryNumber: request.tryNumber
                )
            )
        ]
    }

    /// The events for the outcome of a request; empty when the outcome is no longer expected.
    func facts(
        of outcome: ProviderResponse.Outcome,
        to effect: EffectID,
        after duration: Int64,
        retryAt: Instant,
        in state: State,
        _ next: () -> Step
    ) -> [SessionEvent] {
        guard awaitsResponses(in: state), let request = request(effect, in: state, next) else {
            return []
        }
        switch outcome {
        case .empty(let status):
            return success(of: request, status, duration, .empty)
                + consequences(of: request, in: state)
        case .undecodable(let status, let raw):
            return success(of: request, status, duration, .undecodable(raw: raw))
                + consequences(of: request, in: state)
        case .snapshot, .endpoints, .consumer, .order:
            let status = outcome.status
            switch content(of: outcome, to: request, after: duration, in: state) {
            case .facts(let told):
                return success(of: request, status, duration, .snapshot) + told
                    + consequences(of: request, in: state)
            case .foreign(let contradiction):
                return failure(
                    of: request,
                    .responded,
                    contradiction.rawValue,
                    duration,
                    retryAt,
                    in: state
                )
            case .unusable:
                return success(of: request, status, duration, .undecodable(raw: nil))
            case .stray: return []
            }
        case .refused(let status, let document, _):
            let goesOn = isTransient(status, document, request.rel, in: state)
            return failure(
                of: request,
                .responded,
                "http.status",
                duration,
                goesOn ? retryAt : nil,
                refusal: (status, document),
                in: state
            )
        case .failed(let reach, let code, let isTransient):
            // A request that may have arrived may have taken effect, so it is reconciled, whatever
            // the failure was.
            let isUncertain = reach != .notSent && !request.rel.onlyReads
            let goesOn = isTransient || isUncertain
            return failure(of: request, reach, code, duration, goesOn ? retryAt : nil, in: state)
        }
    }

    private func failure(
        of request: Request,
        _ reach: Reach,
        _ code: String,
        _ duration: Int64,
        _ retryAt: Instant?,
        refusal: (status: Int, document: ProblemDocument)? = nil,
        in state: State
    ) -> [SessionEvent] {
        let failed = OperationFailed(
            effect: request.effect,
            rel: request.rel,
            reach: reach,
            code: code,
            status: refusal?.status,
            document: refusal?.document,
            durationMilliseconds: duration,
            tryNumber: request.tryNumber,
            retryAt: retryAt
        )
        return [.operationFailed(failed)] + consequences(of: failed, in: state)
    }

    /// The events for a request whose process has ended: its outcome is unknown, so the session is
    /// read before anything else, but not until the request can no longer take effect.
    func interruption(
        of effect: EffectID,
        retryAt: Instant,
        in state: State
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
                    retryAt: running.earliestRead(
                        retryAt,
                        deadline: deadline,
                        settling: limits.settling
                    )
                )
            )
        ]
    }

    /// The request with that identifier, if the state expects its response.
    private func request(
        _ effect: EffectID,
        in state: State,
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
        guard case .request(let request) = next(), request.id == effect, request.onlyReads else {
            return nil
        }
        return Request(
            effect: effect,
            rel: request.rel,
            tryNumber: state.requests.nextReadTry
        )
    }

    private func success(
        of request: Request,
        _ status: Int,
        _ duration: Int64,
        _ content: ResponseContent
    ) -> [SessionEvent] {
        // A read is recorded as `fetched`; only an unusable response needs an event of its own.
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
}

extension ProviderResponse.Outcome {
    /// The HTTP status of a successful response; 0 when there is none.
    fileprivate var status: Int {
        switch self {
        case .endpoints(_, let status), .consumer(_, let status), .order(_, let status): status
        case .snapshot(_, let status), .empty(let status), .undecodable(let status, _): status
        case .refused, .failed: 0
        }
    }
}
