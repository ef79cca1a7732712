public import EventLog

extension EventType {
    /// A checkout was opened, with the order that it is to create.
    public static let checkoutOpened = EventType("checkoutOpened") {
        .checkout(.checkoutOpened($0))
    }
}

/// A checkout was opened.
public struct CheckoutOpened: Hashable, Sendable {
    /// The gateway that creates the order.
    public var gateway: OrderGateway
    /// The root of the backend, or the base URL of the PSP's API; sealed, because an address can
    /// contain a secret.
    public var root: Sealed
    /// The host name in that address.
    public var host: String
    /// The order, as JSON text.
    public var document: Sealed
    /// The terms of the order that the rules need.
    public var terms: OrderTerms
    /// Which generation of names and shapes is used.
    public var generation: CheckoutGeneration
    /// The merchant's unique reference of the order, if this engine assigns it; tries that can't be
    /// distinguished from one that took effect extend it.
    public var payeeReference: String?
    /// The terms of the check-in; `nil` when there is none.
    public var consumer: ConsumerTerms?
    /// Whether the client should show the PSP's page as soon as the order exists.
    public var presents: Bool
    /// How the client shows pages.
    public var options: CheckoutOptions
    /// The merchant's own reference; sealed when it looks like a personal number or address.
    public var reference: OutsideText?
    /// The host application's own notes; each is sealed when it contains anything that looks like a
    /// secret.
    public var metadata: [String: OutsideText]
    /// The user agent that the engine sends.
    public var userAgent: String
    /// A custom scheme that a return address may have instead of the payment URL's.
    public var callbackScheme: String?

    /// Creates the data of a `checkoutOpened` event.
    public init(
        gateway: OrderGateway,
        root: Sealed,
        host: String,
        document: Sealed,
        terms: OrderTerms,
        generation: CheckoutGeneration = .v3,
        payeeReference: String? = nil,
        consumer: ConsumerTerms? = nil,
        presents: Bool = true,
        options: CheckoutOptions = CheckoutOptions(),
        reference: OutsideText? = nil,
        metadata: [String: OutsideText] = [:],
        userAgent: String,
        callbackScheme: String? = nil
    ) {
        self.gateway = gateway
        self.root = root
        self.host = host
        self.document = document
        self.terms = terms
        self.generation = generation
        self.payeeReference = payeeReference
        self.consumer = consumer
        self.presents = presents
        self.options = options
        self.reference = reference
        self.metadata = metadata
        self.userAgent = userAgent
        self.callbackScheme = callbackScheme
    }
}

extension CheckoutOpened: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        callbackScheme = try members.find("callbackScheme", value?.callbackScheme)
        consumer = try members.find("consumer", value?.consumer)
        document = try members.require("document", value?.document)
        gateway = try members.require("gateway", value?.gateway)
        generation = try members.require("generation", value?.generation)
        host = try members.require("host", value?.host)
        metadata = try members.find("metadata", value?.metadata, else: [:])
        options = try members.require("options", value?.options)
        payeeReference = try members.find("payeeReference", value?.payeeReference)
        presents = try members.require("presents", value?.presents)
        reference = try members.find("reference", value?.reference)
        root = try members.require("root", value?.root)
        terms = try members.require("terms", value?.terms)
        userAgent = try members.require("userAgent", value?.userAgent)
    }
}
