public import EventLog

/// The session was taken in.
public struct Opened: Hashable, Sendable {
    /// The session's address, whose holder can act on the payment.
    public var sessionURL: Sealed
    /// The host of that address.
    public var host: String
    /// The merchant's own reference; sealed when it looks like a number or address of a person.
    public var reference: OutsideText?
    /// The host application's own notes; each sealed when something in it looks like a secret.
    public var metadata: [String: OutsideText]
    /// The user agent that the engine presents.
    public var userAgent: String
    /// What to pay with as soon as the methods are known, in order of preference.
    public var preferences: [Preference]
    /// A custom scheme that a return may have instead of the payment URL's.
    public var callbackScheme: String?
    /// The checkout that created the order and handed it over; nothing for an order from elsewhere.
    public var checkout: SessionID?
    /// What the order is for, where that was known; nil means a purchase, or that nobody said.
    public var purpose: PaymentOrderPurpose?

    /// The content of an `opened` event.
    public init(
        sessionURL: Sealed,
        host: String,
        reference: OutsideText? = nil,
        metadata: [String: OutsideText] = [:],
        userAgent: String,
        preferences: [Preference] = [],
        callbackScheme: String? = nil,
        checkout: SessionID? = nil,
        purpose: PaymentOrderPurpose? = nil
    ) {
        self.sessionURL = sessionURL
        self.host = host
        self.reference = reference
        self.metadata = metadata
        self.userAgent = userAgent
        self.preferences = preferences
        self.callbackScheme = callbackScheme
        self.checkout = checkout
        self.purpose = purpose
    }
}

/// A choice that was made before the methods were known.
public enum Preference: Hashable, Sendable {
    /// Swish, on another device when a number is given.
    case swish(msisdn: Sealed?)
    /// A saved card: the one with this rank, else the first.
    case card(rank: Int?)
    /// The saved card that is meant; without it, the choice is not offered.
    case savedCard(CardIdentity)
    /// A card entered on the PSP's page.
    case newCard(showsConsent: Bool)
    /// Apple Pay.
    case applePay(merchantIdentifier: String)
    /// Google Pay.
    case googlePay
    /// Click to Pay.
    case clickToPay
}

/// The PSP's view of the session was read or changed.
public struct Fetched: Hashable, Sendable {
    /// The operation whose answer it was.
    public var cause: Rel
    /// SHA-256 of the snapshot's canonical form.
    public var digest: Digest256
    /// How long a request that only reads took; nothing below a millisecond, and for requests that have events of their
    /// own.
    public var durationMilliseconds: Int64?
    /// The snapshot; nothing when it is the same as the one before.
    public var snapshot: Snapshot?

    /// The content of a `fetched` event.
    public init(
        cause: Rel,
        digest: Digest256,
        durationMilliseconds: Int64? = nil,
        snapshot: Snapshot?
    ) {
        self.cause = cause
        self.digest = digest
        self.durationMilliseconds = durationMilliseconds
        self.snapshot = snapshot
    }
}

/// The client was given the methods.
public struct MethodsOffered: Hashable, Sendable {
    /// The methods, in the order of presentation.
    public var methods: [MethodOffer]

    /// The content of a `methodsOffered` event.
    public init(methods: [MethodOffer]) { self.methods = methods }
}

/// One entry of the list that a client shows.
public struct MethodOffer: Hashable, Sendable {
    /// What to start an attempt with.
    public var instrument: Instrument
    /// The PSP's name of the method.
    public var method: PaymentMethodName
    /// Numbers or cards to choose from, by rank.
    public var prefills: [Prefill]

    /// An entry with these members.
    public init(instrument: Instrument, method: PaymentMethodName, prefills: [Prefill] = []) {
        self.instrument = instrument
        self.method = method
        self.prefills = prefills
    }
}

/// The payer chose an instrument.
public struct AttemptStarted: Hashable, Sendable {
    /// Counted from 1 within the session.
    public var number: Int
    /// The instrument and its parameters.
    public var choice: Choice

    /// The content of an `attemptStarted` event.
    public init(number: Int, choice: Choice) {
        self.number = number
        self.choice = choice
    }
}

/// The payer came back through the payment URL.
public struct Returned: Hashable, Sendable {
    /// Which form of the payment URL it was.
    public var form: ReturnForm

    /// The content of a `returned` event.
    public init(form: ReturnForm) { self.form = form }
}

/// The forms that a return through the payment URL may take; they mean the same.
///
/// Source: payment URL matching rule.
public enum ReturnForm: String, Hashable, Sendable {
    /// The payment URL as it is.
    case original
    /// With further query items.
    case augmented
    /// With the callback scheme instead of `https`.
    case customScheme
}

/// What a problem was acknowledged under, and whether the PSP took it.
public struct ProblemAcknowledged: Hashable, Sendable {
    /// The fingerprint of the acknowledging link.
    public var reference: Sealed
    /// False when the PSP would not take it and the engine goes on without.
    public var accepted: Bool

    /// The content of a `problemAcknowledged` event.
    public init(reference: Sealed, accepted: Bool) {
        self.reference = reference
        self.accepted = accepted
    }
}

/// Somebody asked to do again what failed.
public struct RetryRequested: Hashable, Sendable {
    /// Who asked.
    public var by: String

    /// The content of a `retryRequested` event.
    public init(by: String) { self.by = by }
}

/// The address of a session that is known was given again: the session is read anew.
public struct RefetchRequested: Hashable, Sendable {
    /// Who gave it.
    public var by: String

    /// The content of a `refetchRequested` event.
    public init(by: String) { self.by = by }
}

/// Somebody asked to end the session unpaid.
public struct AbortRequested: Hashable, Sendable {
    /// Who asked.
    public var by: String

    /// The content of an `abortRequested` event.
    public init(by: String) { self.by = by }
}
