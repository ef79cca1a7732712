public import EventLog

/// The name of an operation, which determines the effect of calling its URL.
///
/// It is an open set: an unknown name is kept and shown, and never followed.
public struct Rel: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String
    /// The index among the known names, or -1: determined once, because the rules compare the name
    /// of every operation.
    private let index: Int8

    /// Whether this build knows what the operation means.
    public var isKnown: Bool { index >= 0 }

    /// Creates the operation with that name.
    public init(rawValue: String) {
        let length = rawValue.utf8.count
        let candidates = Self.byLength.indices.contains(length) ? Self.byLength[length] : []
        let known = candidates.first { Self.names[$0] == rawValue }
        index = known.map { Int8($0) } ?? -1
        self.rawValue = known.map { Self.names[$0] } ?? rawValue
    }

    /// Whether the names are equal.
    public static func == (left: Rel, right: Rel) -> Bool {
        left.index == right.index && (left.isKnown || left.rawValue == right.rawValue)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Sends the client's environment; always first.
    public static let preparePayment = Rel(rawValue: "prepare-payment")
    /// Expands a method, which then offers to start an attempt.
    public static let expandMethod = Rel(rawValue: "expand-method")
    /// Creates a payment attempt.
    public static let startPaymentAttempt = Rel(rawValue: "start-payment-attempt")
    /// Starts 3-D Secure, after the method request if there is one.
    public static let createAuthentication = Rel(rawValue: "create-authentication")
    /// Submits the challenge's result.
    public static let completeAuthentication = Rel(rawValue: "complete-authentication")
    /// Submits a wallet's token.
    public static let attemptPayload = Rel(rawValue: "attempt-payload")
    /// Reports that something failed on the client's side.
    public static let failPaymentAttempt = Rel(rawValue: "fail-payment-attempt")
    /// Switches between menu, restricted menu and one single method.
    public static let customizePayment = Rel(rawValue: "customize-payment")
    /// Reads the status of the payment.
    public static let getPayment = Rel(rawValue: "get-payment")
    /// Never called: it means that the session has ended, and has the URL to which to send the
    /// payer.
    public static let redirectPayer = Rel(rawValue: "redirect-payer")
    /// Acknowledges that the payer was informed of a failed attempt.
    public static let acknowledgeFailedAttempt = Rel(rawValue: "acknowledge-failed-attempt")
    /// Aborts the payment order.
    public static let abortPayment = Rel(rawValue: "abort-payment")
    /// The script of the PSP's payment menu.
    public static let viewPayment = Rel(rawValue: "view-payment")
    /// Receives client telemetry.
    public static let eventLogging = Rel(rawValue: "event-logging")
    /// Not an operation of the PSP: reading the session by its own URL.
    public static let session = Rel(rawValue: "session")

    /// The indices of the names by their length: nearly every comparison is then with the right
    /// one.
    private static let byLength = names.indices.reduce(
        into: [[Int]](repeating: [], count: 32)
    ) { $0[names[$1].utf8.count].append($1) }

    private static let names = [
        "prepare-payment", "expand-method", "start-payment-attempt", "create-authentication",
        "complete-authentication", "attempt-payload", "fail-payment-attempt", "customize-payment",
        "get-payment", "redirect-payer", "acknowledge-failed-attempt", "abort-payment",
        "view-payment", "event-logging",
    ]

    /// Whether the request only reads, so that it may be repeated at any time.
    public var onlyReads: Bool {
        self == .session || self == .getPayment || self == .root || self == .order
    }
}

/// A link that the PSP offers, representing an operation that is possible now.
///
/// - Note: Source: payment session API, operation.
public struct Operation: Hashable, Sendable {
    /// The effect of calling it.
    public var rel: Rel
    /// Its HTTP method, as sent; an absent one means `GET` for reading operations, otherwise
    /// `POST`.
    public var method: String?
    /// The address: a bearer capability, therefore sealed.
    public var href: Sealed?
    /// Whether the PSP marks it as the next one.
    public var isNext: Bool
    /// The tasks that the client has to perform before or with it.
    public var tasks: [IntegrationTask]
    /// Values for the request's body.
    public var expects: [Expectation]
    /// For ``Rel/redirectPayer`` only: where it leads.
    public var target: RedirectTarget?
    /// The declared content type; never relied upon.
    public var contentType: String?

    /// Creates an operation with these members.
    public init(
        rel: Rel,
        method: String? = nil,
        href: Sealed? = nil,
        isNext: Bool = false,
        tasks: [IntegrationTask] = [],
        expects: [Expectation] = [],
        target: RedirectTarget? = nil,
        contentType: String? = nil
    ) {
        self.rel = rel
        self.method = method
        self.href = href
        self.isNext = isNext
        self.tasks = tasks
        self.expects = expects
        self.target = target
        self.contentType = contentType
    }
}

/// The target of a `redirect-payer` link, determined by comparing addresses when the response
/// arrived.
public enum RedirectTarget: Hashable, Sendable {
    /// The order's complete URL.
    case complete
    /// The order's cancel URL.
    case cancel
    /// The order's payment URL.
    case payment
    /// Another address; only the host, never the whole address.
    case elsewhere(host: String)
    /// The link has no readable address.
    case unreadable
}

/// The kind of a task.
///
/// - Note: Source: payment session API, integration tasks.
public struct TaskRel: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// Creates the kind of task with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A hidden form post: the 3-D Secure method request.
    public static let scaMethodRequest = TaskRel(rawValue: "sca-method-request")
    /// A visible form post: the 3-D Secure challenge.
    public static let scaRedirect = TaskRel(rawValue: "sca-redirect")
    /// Opening another app.
    public static let launchClientApp = TaskRel(rawValue: "launch-client-app")
    /// Presenting a wallet.
    public static let walletSDK = TaskRel(rawValue: "wallet-sdk")
}

/// Something that the payer's app or browser must do for an operation.
public struct IntegrationTask: Hashable, Sendable {
    /// The kind of task.
    public var rel: TaskRel
    /// The address; sealed, because it is an app link or a page that acts for the payer.
    public var href: Sealed?
    /// The scheme of `href` in lower case, for example `swish` or `https`.
    public var scheme: String?
    /// The HTTP method of a form post.
    public var method: String?
    /// The content type of a form post.
    public var contentType: String?
    /// The form's fields or the wallet's configuration.
    public var expects: [Expectation]

    /// Creates a task with these members.
    public init(
        rel: TaskRel,
        href: Sealed? = nil,
        scheme: String? = nil,
        method: String? = nil,
        contentType: String? = nil,
        expects: [Expectation] = []
    ) {
        self.rel = rel
        self.href = href
        self.scheme = scheme
        self.method = method
        self.contentType = contentType
        self.expects = expects
    }
}

/// A typed name and value that the PSP passes to the client.
public struct Expectation: Hashable, Sendable {
    /// The name, compared exactly.
    public var name: String
    /// The value.
    public var value: Value

    /// Creates a value with that name.
    public init(name: String, value: Value) {
        self.name = name
        self.value = value
    }

    /// The value of an expectation; strings are sealed, because they carry 3-D Secure data and
    /// tokens.
    public enum Value: Hashable, Sendable {
        /// A string that may be a secret.
        case sealed(Sealed)
        /// A string of a closed, harmless set (the completion indicator).
        case string(String)
        /// A list of strings.
        case strings([String])
        /// A Boolean, even if it was sent as the text `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case integer(Int64)
        /// An explicit `null`.
        case null
        /// A value of an unknown type; the raw JSON, sealed.
        case unknown(type: String, raw: Sealed)
    }
}

extension Operation {
    /// The names of expectations that rules use.
    enum ExpectationName: String {
        /// The URL to which the issuer posts the challenge's result.
        case notificationURL = "NotificationUrl"
        /// The result of the 3-D Secure method request, when the PSP presets it.
        case completionIndicator = "methodCompletionIndicator"
    }

    /// The sealed value with that name.
    func sealed(_ name: ExpectationName) -> Sealed? {
        for expectation in expects where expectation.name == name.rawValue {
            if case .sealed(let sealed) = expectation.value { return sealed }
        }
        return nil
    }

    /// The completion indicator that the PSP presets.
    var presetIndicator: CompletionIndicator? {
        for expectation in expects
        where expectation.name == ExpectationName.completionIndicator.rawValue {
            if case .string(let text) = expectation.value {
                return CompletionIndicator(rawValue: text)
            }
        }
        return nil
    }
}
