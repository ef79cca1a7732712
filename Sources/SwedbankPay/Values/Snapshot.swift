public import EventLog

/// The PSP's view of a session in one response, with every secret sealed.
///
/// - Note: Source: payment session API, resource model.
public struct Snapshot: Hashable, Sendable {
    /// The payer's language and region, for example `sv-SE`.
    public var culture: String?
    /// The methods that can be chosen now, in the PSP's order.
    public var methods: [OfferedMethod]
    /// The only method that the session is locked to; `nil` in menu mode.
    public var instrumentMode: PaymentMethodName?
    /// All methods that are enabled for the order; `nil` when the PSP sent no settings.
    public var enabledMethods: [PaymentMethodName]?
    /// The addresses that the order was created with.
    public var urls: OrderURLs
    /// The operations of the session as a whole.
    public var operations: [Operation]
    /// A failed attempt that has not been acknowledged.
    public var problem: SessionProblem?
    /// Informative details that have no effect on decisions.
    public var particulars: SnapshotDetails
    /// Members that this build does not know, as canonical JSON, sealed.
    public var unknown: Sealed?

    /// Creates a snapshot with these members.
    public init(
        culture: String? = nil,
        methods: [OfferedMethod] = [],
        instrumentMode: PaymentMethodName? = nil,
        enabledMethods: [PaymentMethodName]? = nil,
        urls: OrderURLs = OrderURLs(),
        operations: [Operation] = [],
        problem: SessionProblem? = nil,
        particulars: SnapshotDetails = SnapshotDetails(),
        unknown: Sealed? = nil
    ) {
        self.culture = culture
        self.methods = methods
        self.instrumentMode = instrumentMode
        self.enabledMethods = enabledMethods
        self.urls = urls
        self.operations = operations
        self.problem = problem
        self.particulars = particulars
        self.unknown = unknown
    }
}

/// Details of a snapshot that no rule depends on.
public struct SnapshotDetails: Hashable, Sendable {
    /// The PSP's identifier of the session; sealed, because it may be the token of its address.
    public var id: Sealed?
    /// The currency, as an ISO 4217 code.
    public var currency: String?
    /// The order's description.
    public var description: OutsideText?
    /// The merchant's name.
    public var payeeName: String?
    /// The method in use.
    public var paymentMethod: PaymentMethodName?
    /// How the order was integrated.
    public var integration: String?
    /// The PSP's trace identifier, for support cases.
    public var traceID: String?
    /// Whether the menu may show a logo of the merchant.
    public var allowsCustomLogo: Bool?
    /// Whether the menu may be styled.
    public var allowsCustomStyling: Bool?

    /// Creates a set of details.
    public init(
        id: Sealed? = nil,
        currency: String? = nil,
        description: OutsideText? = nil,
        payeeName: String? = nil,
        paymentMethod: PaymentMethodName? = nil,
        integration: String? = nil,
        traceID: String? = nil,
        allowsCustomLogo: Bool? = nil,
        allowsCustomStyling: Bool? = nil
    ) {
        self.id = id
        self.currency = currency
        self.description = description
        self.payeeName = payeeName
        self.paymentMethod = paymentMethod
        self.integration = integration
        self.traceID = traceID
        self.allowsCustomLogo = allowsCustomLogo
        self.allowsCustomStyling = allowsCustomStyling
    }
}
