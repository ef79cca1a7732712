public import EventLog

extension EventType {
    /// The session was opened.
    public static let opened = EventType("opened") { .opened($0) }
}

/// The session was opened.
public struct Opened: Hashable, Sendable {
    /// The session's address, whose holder can act on the payment.
    public var sessionURL: Sealed
    /// The host name in that address.
    public var host: String
    /// The merchant's own reference; sealed when it looks like a personal number or address.
    public var reference: OutsideText?
    /// The host application's own notes; each is sealed when it contains anything that looks like a
    /// secret.
    public var metadata: [String: OutsideText]
    /// The user agent that the engine sends.
    public var userAgent: String
    /// The instruments to use as soon as the methods are known, in order of preference.
    public var preferences: [Preference]
    /// A custom scheme that a return address may have instead of the payment URL's.
    public var callbackScheme: String?
    /// The checkout that created the order and handed it over; `nil` for an order from elsewhere.
    public var checkout: SessionID?
    /// The purpose of the order, if it was known; `nil` for a purchase or when it is unknown.
    public var purpose: PaymentOrderPurpose?
    /// The amount to be paid, in minor units, as given when the session was opened.
    ///
    /// It is replaced by the amount that the PSP reports.
    public var amount: Amount?
    /// The currency of that amount as an ISO 4217 code.
    public var currency: String?

    /// Creates the data of an `opened` event.
    public init(
        sessionURL: Sealed,
        host: String,
        reference: OutsideText? = nil,
        metadata: [String: OutsideText] = [:],
        userAgent: String,
        preferences: [Preference] = [],
        callbackScheme: String? = nil,
        checkout: SessionID? = nil,
        purpose: PaymentOrderPurpose? = nil,
        expecting expected: Money? = nil
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
        // An amount of zero makes a session a verification, and only the PSP can say that.
        if let expected, expected.amount > 0 {
            amount = expected.amount
            currency = expected.currency
        }
    }
}

extension Opened: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        callbackScheme = try members.find("callbackScheme", value?.callbackScheme)
        checkout = try members.find("checkout", value?.checkout)
        currency = try members.find("currency", value?.currency)
        host = try members.require("host", value?.host)
        metadata = try members.find("metadata", value?.metadata, else: [:])
        preferences = try members.find("preferences", value?.preferences, else: [])
        purpose = try members.find("purpose", value?.purpose)
        reference = try members.find("reference", value?.reference)
        sessionURL = try members.require("sessionURL", value?.sessionURL)
        userAgent = try members.require("userAgent", value?.userAgent)
    }
}
