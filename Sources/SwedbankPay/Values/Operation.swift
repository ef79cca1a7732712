public import EventLog

/// The name of an operation: what following its link does.
///
/// An open set: a name that we don't know is kept and shown, and never followed.
public struct Rel: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String
    /// Whether this build knows what the operation means; found out once, since the rules ask it of every operation.
    public let isKnown: Bool

    /// The operation of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
        let length = rawValue.utf8.count
        isKnown = Self.known.indices.contains(length) && Self.known[length].contains(rawValue)
    }

    /// Whether the names are equal.
    public static func == (left: Rel, right: Rel) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Announces the client's environment; always first.
    public static let preparePayment = Rel(rawValue: "prepare-payment")
    /// Opens a method, which then offers to start an attempt.
    public static let expandMethod = Rel(rawValue: "expand-method")
    /// Creates a payment attempt.
    public static let startPaymentAttempt = Rel(rawValue: "start-payment-attempt")
    /// Starts 3-D Secure, after the method request if there is one.
    public static let createAuthentication = Rel(rawValue: "create-authentication")
    /// Hands in the challenge's result.
    public static let completeAuthentication = Rel(rawValue: "complete-authentication")
    /// Hands in a wallet's token.
    public static let attemptPayload = Rel(rawValue: "attempt-payload")
    /// Reports that something failed on the client's side.
    public static let failPaymentAttempt = Rel(rawValue: "fail-payment-attempt")
    /// Switches between menu, restricted menu and one single method.
    public static let customizePayment = Rel(rawValue: "customize-payment")
    /// Reads how the payment goes.
    public static let getPayment = Rel(rawValue: "get-payment")
    /// Never called: says that the payer is done here, and where to send them.
    public static let redirectPayer = Rel(rawValue: "redirect-payer")
    /// Says that the payer was told of a failed attempt.
    public static let acknowledgeFailedAttempt = Rel(rawValue: "acknowledge-failed-attempt")
    /// Gives up the payment order.
    public static let abortPayment = Rel(rawValue: "abort-payment")
    /// The script of the PSP's payment menu.
    public static let viewPayment = Rel(rawValue: "view-payment")
    /// Takes client telemetry.
    public static let eventLogging = Rel(rawValue: "event-logging")
    /// Not an operation of the PSP: reading the session by its own URL.
    public static let session = Rel(rawValue: "session")

    /// The names by their length: nearly every comparison is with the right one.
    private static let known = names.reduce(into: [[String]](repeating: [], count: 32)) {
        $0[$1.utf8.count].append($1)
    }

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

/// A link that the PSP offers: what may be done now.
///
/// Source: payment session API, operation.
public struct Operation: Hashable, Sendable {
    /// What following it does.
    public var rel: Rel
    /// Its HTTP method, as sent; absent ones are read as `GET` for reading operations, else `POST`.
    public var method: String?
    /// The address: a bearer capability, therefore sealed.
    public var href: Sealed?
    /// Whether the PSP asks to do this one now.
    public var isNext: Bool
    /// What the client has to do locally before or with it.
    public var tasks: [IntegrationTask]
    /// Values for the request's body.
    public var expects: [Expectation]
    /// For ``Rel/redirectPayer`` only: where it leads.
    public var target: RedirectTarget?
    /// The content type that was declared; never relied upon.
    public var contentType: String?

    /// An operation with these members.
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

/// Where a `redirect-payer` link leads, found out by comparing addresses when the answer came in.
public enum RedirectTarget: Hashable, Sendable {
    /// The order's complete URL.
    case complete
    /// The order's cancel URL.
    case cancel
    /// The order's payment URL.
    case payment
    /// Somewhere else; the host alone, never the whole address.
    case elsewhere(host: String)
    /// The link has no readable address.
    case unreadable
}

/// The kind of a task.
///
/// Source: payment session API, integration tasks.
public struct TaskRel: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// The task of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A hidden form post: the 3-D Secure method call.
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
    /// What to do.
    public var rel: TaskRel
    /// Where; sealed, since it is an app link or a page that acts for the payer.
    public var href: Sealed?
    /// The scheme of `href` in lower case, for example `swish` or `https`.
    public var scheme: String?
    /// The HTTP method of a form post.
    public var method: String?
    /// The content type of a form post.
    public var contentType: String?
    /// The form's fields or the wallet's configuration.
    public var expects: [Expectation]

    /// A task with these members.
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

/// A typed name and value that the PSP hands to the client.
public struct Expectation: Hashable, Sendable {
    /// The name, compared to the letter.
    public var name: String
    /// The value.
    public var value: Value

    /// A value with that name.
    public init(name: String, value: Value) {
        self.name = name
        self.value = value
    }

    /// The value of an expectation; strings are sealed, since they carry 3-D Secure data and tokens.
    public enum Value: Hashable, Sendable {
        /// A string that may be a secret.
        case sealed(Sealed)
        /// A string of a closed, harmless set (the completion indicator).
        case string(String)
        /// A list of strings.
        case strings([String])
        /// A truth value, also when it was sent as the text `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case integer(Int64)
        /// Explicitly nothing.
        case null
        /// A type that we don't know; the raw JSON, sealed.
        case unknown(type: String, raw: Sealed)
    }
}

extension Operation {
    /// The names of expectations that rules look for.
    enum ExpectationName: String {
        /// Where the issuer posts the challenge's result.
        case notificationURL = "NotificationUrl"
        /// The result of the 3-D Secure method call, when the PSP presets it.
        case completionIndicator = "methodCompletionIndicator"
    }

    /// The sealed value of that name.
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
