public import EventLog

extension EventType {
    /// A checkout was opened, with the order that it is to create.
    public static let checkoutOpened = EventType("checkoutOpened") {
        .checkout(.checkoutOpened($0))
    }
}

/// A checkout was opened.
public struct CheckoutOpened: Hashable, Sendable {
    /// Who creates the order.
    public var gateway: OrderGateway
    /// The backend's root, or the base of the PSP's API; sealed, since an address can hold a secret.
    public var root: Sealed
    /// The host of that address.
    public var host: String
    /// The order, as JSON text.
    public var document: Sealed
    /// What the rules need to know of it.
    public var terms: OrderTerms
    /// Which generation's names and shapes are used.
    public var generation: CheckoutGeneration
    /// The merchant's unique reference of the order, where this engine gives it; tries that can't be told from one that
    /// took effect add to it.
    public var payeeReference: String?
    /// With which the payer checks in first; nil when nobody checks in.
    public var consumer: ConsumerTerms?
    /// Whether the client is to show the PSP's page as soon as the order is there.
    public var presents: Bool
    /// How the client shows pages.
    public var options: CheckoutOptions
    /// The merchant's own reference; sealed when it looks like a number or address of a person.
    public var reference: OutsideText?
    /// The host application's own notes; each sealed when something in it looks like a secret.
    public var metadata: [String: OutsideText]
    /// The user agent that the engine presents.
    public var userAgent: String
    /// A custom scheme that a return may have instead of the payment URL's.
    public var callbackScheme: String?

    /// The content of a `checkoutOpened` event.
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
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        callbackScheme = try members.find("callbackScheme", value?.callbackScheme)
        consumer = try members.find("consumer", value?.consumer)
        document = try members.require("document", value?.document)
        gateway = try members.require("gateway", value?.gateway)
        generation = try members.require("generation", value?.generation)
        host = try members.require("host", value?.host, mask: .address)
        metadata = try members.find("metadata", value?.metadata, else: [:], mask: .text)
        options = try members.require("options", value?.options)
        payeeReference = try members.find("payeeReference", value?.payeeReference, mask: .word)
        presents = try members.require("presents", value?.presents)
        reference = try members.find("reference", value?.reference, mask: .text)
        root = try members.require("root", value?.root)
        terms = try members.require("terms", value?.terms)
        userAgent = try members.require("userAgent", value?.userAgent, mask: .text)
    }
}
