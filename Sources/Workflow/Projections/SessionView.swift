/// A session as clients, the command line and services are shown it.
///
/// The member names and the JSON form are a contract: `Schemas/session-view.schema.json`.
public struct SessionView: Sendable {
    /// The session.
    public var session: SessionID
    /// Where it stands.
    public var phase: Phase
    /// Whether nothing is outstanding on the engine's side.
    public var settled: Bool
    /// How it ended.
    public var outcome: Outcome?
    /// The last event's place.
    public var lastSeq: Int64
    /// The merchant's reference.
    public var reference: String?
    /// The payer's language and region.
    public var culture: String?
    /// What the payer can choose.
    public var methods: [MethodOffer]
    /// The attempt under way, or the one that the session ended with.
    public var attempt: AttemptView?
    /// What the client has to do.
    public var actions: [ActionView]
    /// The problem that the payer has not moved on from.
    public var problem: StandingProblem?
    /// How sealed values are shown.
    package let disclosure: Disclosure

    /// One try to pay, as clients are shown it.
    public struct AttemptView: Hashable, Sendable {
        /// Counted from 1.
        public var number: Int
        /// The instrument and method.
        public var choice: Choice
    }

    /// The view of a state.
    ///
    /// - Parameters:
    ///   - state: The fold of a session's events.
    ///   - decider: The rules, which know where it stands.
    ///   - disclosure: Whether the plaintexts that are at hand are shown.
    ///   - actionDisclosure: The same for what the client needs in order to act; nothing means as everything else.
    public init(
        _ state: SessionState,
        by decider: SessionDecider,
        disclosing disclosure: Disclosure,
        actions actionDisclosure: Disclosure? = nil
    ) {
        session = state.session
        phase = decider.phase(of: state)
        settled = decider.isSettled(state)
        outcome = state.outcome
        lastSeq = state.sequence
        reference = state.opening?.reference
        culture = state.snapshot?.culture
        methods = state.offers
        problem = state.problem
        self.disclosure = disclosure
        if let running = state.attempt {
            attempt = AttemptView(number: running.number, choice: running.choice)
        } else if state.outcome != nil, let choice = state.lastChoice {
            attempt = AttemptView(number: state.attemptCount, choice: choice)
        }
        actions = state.actions.filter(\.isOpen).map {
            ActionView(
                $0,
                snapshot: state.snapshot,
                limits: decider.limits,
                disclosing: actionDisclosure ?? disclosure
            )
        }
    }
}

/// How sealed values are shown.
public enum Disclosure: Sendable {
    /// As dots and the beginning of their fingerprint.
    case masked
    /// In the clear, where the plaintext is at hand: only for the client that has to act, or when asked for.
    case clear(SecretTable)

    /// How a sealed value is shown.
    public func text(_ sealed: Sealed) -> String {
        switch self {
        case .masked: sealed.description
        case .clear(let secrets): secrets[sealed] ?? sealed.description
        }
    }

    /// How text from outside is shown.
    public func text(_ text: OutsideText?) -> String? {
        switch text {
        case .plain(let plain): plain
        case .sealed(let sealed): self.text(sealed)
        case nil: nil
        }
    }
}

/// What a client has to do, with what it needs for that.
public struct ActionView: Sendable {
    /// The identity that a report carries.
    public var id: ActionID
    /// The name of the kind: `launchApp`, `load3DSMethod`, `show3DS`, `authorizeWallet`, `showMenu`.
    public var kind: String
    /// The members of this kind, in the order of presentation.
    public var members: [(name: String, value: Value)]

    /// The value of a member.
    public enum Value: Sendable {
        /// A text.
        case text(String)
        /// A whole number.
        case number(Int64)
        /// A form's fields.
        case fields([(name: String, value: String)])
        /// Nothing.
        case null
    }

    init(
        _ action: ClientAction,
        snapshot: Snapshot?,
        limits: SessionLimits,
        disclosing disclosure: Disclosure
    ) {
        id = action.id
        switch action.kind {
        case .launchApp(let task, let callbackURL):
            kind = "launchApp"
            members = [("url", Self.appLink(of: task, callbackURL, disclosure))]
        case .load3DSMethod(let task):
            kind = "load3DSMethod"
            members =
                Self.form(of: task, disclosure)
                + [("timeout", .number(limits.threeDSMethod.wholeMilliseconds / 1000))]
        case .show3DS(let task, let notificationURL):
            kind = "show3DS"
            members =
                Self.form(of: task, disclosure)
                + [
                    (
                        "notificationURL",
                        notificationURL.map { .text(disclosure.text($0)) } ?? .null
                    )
                ]
        case .authorizeWallet(let task, let method):
            kind = "authorizeWallet"
            members = [
                ("wallet", .text(Instrument(offering: method).rawValue)),
                ("request", .fields(Self.fields(of: task, disclosure))),
            ]
        case .showMenu(let script, let mode):
            kind = "showMenu"
            members = [
                ("url", .text(disclosure.text(script))), ("mode", .text(mode.name)),
                ("baseURL", snapshot?.urls.hosts.first.map { .text($0) } ?? .null),
                ("completeURL", snapshot?.urls.complete.map { .text($0) } ?? .null),
                ("cancelURL", snapshot?.urls.cancel.map { .text($0) } ?? .null),
                ("paymentURL", snapshot?.urls.payment.map { .text($0) } ?? .null),
            ]
        }
    }

    /// The app's link; the payment URL is put into it where Swish needs that, if the link is at hand.
    private static func appLink(
        of task: IntegrationTask,
        _ callbackURL: String?,
        _ disclosure: Disclosure
    ) -> Value {
        guard let href = task.href else { return .null }
        guard case .clear(let secrets) = disclosure, let link = secrets[href] else {
            return .text(disclosure.text(href))
        }
        return .text(callbackURL.map { AppLink.adding(callbackURL: $0, to: link) } ?? link)
    }

    /// Source: payment session API, form posts: the string expectations, in order.
    private static func form(
        of task: IntegrationTask,
        _ disclosure: Disclosure
    ) -> [(name: String, value: Value)] {
        [
            ("method", .text(task.method ?? "POST")),
            ("url", task.href.map { .text(disclosure.text($0)) } ?? .null),
            ("contentType", .text(task.contentType ?? "application/x-www-form-urlencoded")),
            ("fields", .fields(fields(of: task, disclosure))),
        ]
    }

    private static func fields(
        of task: IntegrationTask,
        _ disclosure: Disclosure
    ) -> [(name: String, value: String)] {
        task.expects.compactMap { expectation in
            switch expectation.value {
            case .sealed(let sealed): (expectation.name, disclosure.text(sealed))
            case .string(let text): (expectation.name, text)
            case .null: (expectation.name, "")
            case .strings, .bool, .integer, .unknown: nil
            }
        }
    }
}

extension MenuMode {
    /// The name that clients are shown.
    var name: String {
        switch self {
        case .menu, .restricted: "menu"
        case .instrument: "instrument"
        }
    }
}
