public import EventLog
public import SwedbankPay
internal import Workflow

/// A whole event that a test expects, made from what the test itself gave: its response, its
/// report, the time.
///
/// A test says what is special for it; the rest is taken from the newest input and never from the
/// rules or from the events that they returned.
public struct ExpectedEvent: Sendable {
    /// What a test gave with its newest input.
    struct Given {
        /// The newest input.
        var input: SessionInput?
        /// The newest outcome of a request that was refused or failed.
        var failure: ProviderResponse.Outcome?
        /// The newest action before the input.
        var action: ActionID?
        /// The sequence number of the event.
        var sequence: SequenceNumber

        var response: ProviderResponse.Outcome? {
            if case .requestEnded(_, let outcome, _, _) = input { outcome } else { nil }
        }

        /// The identifier of the request that ended.
        var effect: EffectID {
            switch input {
            case .requestEnded(let id, _, _, _), .interrupted(let id, _), .starting(let id): id
            default: EffectID(rawValue: "no request ended")
            }
        }
    }

    let event: @Sendable (Given) -> SessionEvent
}

extension ExpectedEvent {
    /// Exactly this event.
    public static func exactly(_ event: SessionEvent) -> ExpectedEvent {
        ExpectedEvent { _ in event }
    }

    /// The request succeeded with the response that the test gave.
    public static func succeeded(_ rel: Rel) -> ExpectedEvent {
        ExpectedEvent { given in
            let (status, content) = given.response?.success ?? (0, .empty)
            return .operationSucceeded(
                OperationSucceeded(
                    effect: given.effect,
                    rel: rel,
                    status: status,
                    durationMilliseconds: DeciderSpec.responseMilliseconds,
                    content: content
                )
            )
        }
    }

    /// The request failed as the test said.
    ///
    /// - Parameters:
    ///   - rel: The request.
    ///   - tryNumber: The number of the try.
    ///   - retries: Whether it may be retried, at the time that the test gave.
    /// - Returns: The event.
    public static func failed(
        _ rel: Rel,
        try tryNumber: Int = 1,
        retries: Bool = false
    ) -> ExpectedEvent {
        ExpectedEvent { given in
            var retryAt: Instant?
            if case .requestEnded(_, _, _, let earliest) = given.input { retryAt = earliest }
            var failed = OperationFailed(
                effect: given.effect,
                rel: rel,
                reach: .responded,
                code: "",
                durationMilliseconds: DeciderSpec.responseMilliseconds,
                tryNumber: tryNumber,
                retryAt: retries ? retryAt : nil
            )
            switch given.response {
            case .refused(let status, let document, _):
                (failed.code, failed.status) = ("http.status", status)
                failed.document = document
            case .failed(let reach, let code, _): (failed.reach, failed.code) = (reach, code)
            default: break
            }
            return .operationFailed(failed)
        }
    }

    /// The snapshot that the test gave was received.
    ///
    /// - Parameters:
    ///   - rel: The request whose response it was.
    ///   - isChanged: Whether the snapshot differs from the one before, and so is recorded whole.
    /// - Returns: The event.
    public static func fetched(by rel: Rel, changed isChanged: Bool = true) -> ExpectedEvent {
        ExpectedEvent { given in
            guard case .snapshot(let snapshot, _) = given.response else {
                return .unknownOf("no snapshot was given")
            }
            return .fetched(
                Fetched(
                    cause: rel,
                    digest: SnapshotCodec.digest(of: snapshot),
                    durationMilliseconds: rel.onlyReads ? DeciderSpec.responseMilliseconds : nil,
                    snapshot: isChanged ? snapshot : nil
                )
            )
        }
    }

    /// The order that the test gave was received.
    ///
    /// - Parameters:
    ///   - rel: The request whose response it was.
    ///   - isChanged: Whether the order differs from the one before, and so is recorded whole.
    /// - Returns: The event.
    public static func orderFetched(by rel: Rel, changed isChanged: Bool = true) -> ExpectedEvent {
        ExpectedEvent { given in
            guard case .order(let order, _) = given.response else {
                return .unknownOf("no order was given")
            }
            return .checkout(
                .orderFetched(
                    OrderFetched(
                        cause: rel,
                        digest: SnapshotCodec.digest(of: order),
                        durationMilliseconds: rel.onlyReads
                            ? DeciderSpec.responseMilliseconds : nil,
                        order: isChanged ? order : nil
                    )
                )
            )
        }
    }

    /// The order that the test gave is confirmed as paid.
    public static var orderConfirmed: ExpectedEvent {
        ExpectedEvent { given in
            guard case .order(let order, _) = given.response else {
                return .unknownOf("no order was given")
            }
            return .checkout(
                .orderConfirmed(
                    OrderConfirmed(
                        order: order.id ?? "",
                        number: order.paid?.number ?? order.number,
                        instrument: order.paid?.instrument ?? order.instrument,
                        currency: order.currency,
                        amount: order.paid?.amount ?? order.amount,
                        transactionType: order.paid?.transactionType
                    )
                )
            )
        }
    }

    /// The methods were offered, in this order.
    public static func methodsOffered(_ methods: MethodOffer...) -> ExpectedEvent {
        .exactly(.methodsOffered(MethodsOffered(methods: methods)))
    }

    /// An attempt started.
    public static func attemptStarted(_ number: Int, _ choice: Choice) -> ExpectedEvent {
        .exactly(.attemptStarted(AttemptStarted(number: number, choice: choice)))
    }

    /// The payment ended as paid.
    public static func completed(_ evidence: Completed.Evidence) -> ExpectedEvent {
        .exactly(.completed(Completed(evidence: evidence)))
    }

    /// The payment was canceled.
    public static func canceled(by party: Canceled.Party) -> ExpectedEvent {
        .exactly(.canceled(Canceled(by: party)))
    }

    /// The payment expired.
    public static func expired(_ reason: Expired.Reason) -> ExpectedEvent {
        .exactly(.expired(Expired(reason: reason)))
    }

    /// The payment failed.
    public static func sessionFailed(
        _ reason: Failed.Reason,
        by party: Failed.Party? = nil,
        host: String? = nil,
        money: MoneyState.Standing? = nil
    ) -> ExpectedEvent {
        .exactly(.failed(Failed(reason: reason, by: party, host: host, money: money)))
    }

    /// The client was asked to show the PSP's page.
    public static func menuRequested(
        _ mode: MenuMode,
        script: Sealed = .sample("view-payment")
    ) -> ExpectedEvent {
        ExpectedEvent { given in
            .menuRequested(
                MenuRequested(
                    action: ActionID(requestedAt: given.sequence),
                    mode: mode,
                    script: script
                )
            )
        }
    }

    /// The payer chose the PSP's page.
    public static func menuChosen(_ mode: MenuMode) -> ExpectedEvent {
        .exactly(.menuChosen(MenuChosen(mode: mode)))
    }

    /// The PSP's page closed, as the client said of the newest action.
    public static func menuClosed(
        _ outcome: MenuOutcome,
        error: OutsideText? = nil,
        failure: PageFailure? = nil
    ) -> ExpectedEvent {
        .onAction {
            .menuClosed(MenuClosed(action: $0, outcome: outcome, error: error, failure: failure))
        }
    }

    /// The client said something of the newest action: an event that names only the action.
    public static func reported(
        _ event: @escaping @Sendable (ActionReported) -> SessionEvent
    ) -> ExpectedEvent {
        .onAction { event(ActionReported(action: $0)) }
    }

    /// The client said that the newest action failed.
    public static func reported(
        _ event: @escaping @Sendable (ActionFailed) -> SessionEvent,
        error: OutsideText?
    ) -> ExpectedEvent {
        .onAction { event(ActionFailed(action: $0, error: error)) }
    }

    /// An event about the newest action before the input.
    public static func onAction(
        _ event: @escaping @Sendable (ActionID) -> SessionEvent
    ) -> ExpectedEvent {
        ExpectedEvent { event($0.action ?? ActionID(rawValue: "no action")) }
    }

    /// An event that requests a client action; the action is named after the event's own number.
    public static func requesting(
        _ event: @escaping @Sendable (ActionID) -> SessionEvent
    ) -> ExpectedEvent {
        ExpectedEvent { event(ActionID(requestedAt: $0.sequence)) }
    }

    /// Exactly this problem.
    public static func problem(_ problem: Problem) -> ExpectedEvent { .exactly(.problem(problem)) }

    /// A problem of the engine or the client.
    public static func problem(
        _ kind: EngineProblemKind,
        code: String? = nil,
        subject: String? = nil,
        origin: ProblemOrigin = .engine,
        detail: OutsideText? = nil,
        status: Int? = nil,
        type: String? = nil,
        rel: Rel? = nil,
        isRetryable: Bool,
        actor: Actor
    ) -> ExpectedEvent {
        .problem(
            Problem(
                origin: origin,
                kind: kind,
                code: code,
                subject: subject,
                type: type,
                status: status,
                detail: detail,
                isRetryable: isRetryable,
                actor: actor,
                rel: rel
            )
        )
    }

    /// The failed attempt that the snapshot of the test reports.
    ///
    /// Its reference is the address of the operation that acknowledges it, if there is one.
    public static func declined(
        isRetryable: Bool = false,
        actor: Actor = .payer,
        acknowledged isAcknowledged: Bool = true
    ) -> ExpectedEvent {
        ExpectedEvent { given in
            guard case .snapshot(let snapshot, _) = given.response, let reported = snapshot.problem
            else { return .unknownOf("no problem was given") }
            return .problem(
                Problem(
                    origin: .session,
                    type: reported.type,
                    title: reported.title,
                    status: reported.status,
                    detail: reported.detail,
                    isRetryable: isRetryable,
                    actor: actor,
                    reference: isAcknowledged ? reported.acknowledge?.href : nil
                )
            )
        }
    }

    /// A request's failure became a problem: the newest refusal that the test gave.
    public static func refused(
        _ rel: Rel,
        _ kind: EngineProblemKind = .requestFailed,
        isRetryable: Bool = false,
        actor: Actor
    ) -> ExpectedEvent {
        ExpectedEvent { given in
            guard case .refused(let status, let document, _) = given.failure else {
                return .unknownOf("no refusal was given")
            }
            return .problem(
                Problem(
                    origin: .engine,
                    kind: kind,
                    code: kind == .abortNotAllowed ? nil : "http.status",
                    type: document.type,
                    title: document.title,
                    status: status,
                    detail: document.detail,
                    isRetryable: isRetryable,
                    actor: actor,
                    rel: rel
                )
            )
        }
    }

    /// A problem was acknowledged, or the acknowledgement was given up.
    public static func acknowledged(
        _ reference: Sealed = .sample("ack-1"),
        accepted: Bool = true
    ) -> ExpectedEvent {
        .exactly(
            .problemAcknowledged(ProblemAcknowledged(reference: reference, accepted: accepted))
        )
    }
}

extension SessionEvent {
    /// An event that no rule returns, so that a test fails that gave too little.
    fileprivate static func unknownOf(_ text: String) -> SessionEvent {
        .refetchRequested(RefetchRequested(by: "test: " + text))
    }
}

extension DeciderSpec {
    /// The duration of a sample request, as events have it.
    static let responseMilliseconds: Int64 = 50
}

extension ProviderResponse.Outcome {
    /// The status and the content of a response that is no failure.
    fileprivate var success: (status: Int, content: ResponseContent)? {
        switch self {
        case .snapshot(_, let status), .order(_, let status), .endpoints(_, let status),
            .consumer(_, let status):
            (status, .snapshot)
        case .empty(let status): (status, .empty)
        case .undecodable(let status, let raw): (status, .undecodable(raw: raw))
        case .refused, .failed: nil
        }
    }
}
