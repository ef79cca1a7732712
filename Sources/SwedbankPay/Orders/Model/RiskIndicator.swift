/// What helps an issuer to judge the risk of a purchase, so that fewer payers are challenged.
///
/// - Note: Source: payment order model, riskIndicator.
public struct RiskIndicator: Hashable, Sendable {
    /// How soon the goods are there.
    public enum DeliveryTimeFrame: String, Hashable, Sendable, CaseIterable {
        /// They are delivered electronically.
        case electronic = "01"
        /// The same day.
        case sameDay = "02"
        /// Overnight.
        case overnight = "03"
        /// In two days or more.
        case twoDaysOrMore = "04"
    }

    /// Whether the goods are there already.
    public enum PreOrder: String, Hashable, Sendable, CaseIterable {
        /// They are.
        case available = "01"
        /// They will be.
        case future = "02"
    }

    /// Where the goods go.
    public enum Shipment: String, Hashable, Sendable, CaseIterable {
        /// To the billing address.
        case billingAddress = "01"
        /// To another address that the merchant has verified.
        case verifiedAddress = "02"
        /// To an address other than the billing address.
        case differentAddress = "03"
        /// To a place where the payer fetches them.
        case pickUp = "04"
        /// Nowhere: they are digital.
        case digital = "05"
        /// Nowhere: they are tickets for travel or events.
        case tickets = "06"
        /// Elsewhere.
        case other = "07"
    }

    /// Whether the payer orders it for the first time.
    public enum ReOrder: String, Hashable, Sendable, CaseIterable {
        /// For the first time.
        case first = "01"
        /// Again.
        case again = "02"
    }

    /// Where electronic goods are sent.
    public var deliveryEmailAddress: String?
    /// How soon the goods are there.
    public var deliveryTimeFrame: DeliveryTimeFrame?
    /// The day on which the goods will be there, as `YYYYMMDD`.
    public var preOrderDay: String?
    /// Whether the goods are there already.
    public var preOrder: PreOrder?
    /// Where the goods go.
    public var shipment: Shipment?
    /// Whether a gift card is bought.
    public var isGiftCardPurchase: Bool?
    /// Whether the payer ordered it before.
    public var reOrder: ReOrder?
    /// Where the payer fetches the goods; only with ``Shipment/pickUp``.
    public var pickUpAddress: PickUpAddress?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A purchase of which this is known.
    public init(
        deliveryEmailAddress: String? = nil,
        deliveryTimeFrame: DeliveryTimeFrame? = nil,
        preOrderDay: String? = nil,
        preOrder: PreOrder? = nil,
        shipment: Shipment? = nil,
        isGiftCardPurchase: Bool? = nil,
        reOrder: ReOrder? = nil,
        pickUpAddress: PickUpAddress? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.deliveryEmailAddress = deliveryEmailAddress
        self.deliveryTimeFrame = deliveryTimeFrame
        self.preOrderDay = preOrderDay
        self.preOrder = preOrder
        self.shipment = shipment
        self.isGiftCardPurchase = isGiftCardPurchase
        self.reOrder = reOrder
        self.pickUpAddress = pickUpAddress
        self.others = others
    }
}

extension RiskIndicator: CustomStringConvertible, CustomReflectable {
    /// Nothing of what is known about the payer.
    public var description: String { "a risk indicator" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a payer fetches goods.
public struct PickUpAddress: Hashable, Sendable {
    /// The name of the place.
    public var name: String?
    /// Street and number.
    public var streetAddress: String?
    /// With whom.
    public var coAddress: String?
    /// The city.
    public var city: String?
    /// The postal code.
    public var zipCode: String?
    /// The country, by ISO 3166-1 alpha-2.
    public var countryCode: String?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A place of which this is known.
    public init(
        name: String? = nil,
        streetAddress: String? = nil,
        coAddress: String? = nil,
        city: String? = nil,
        zipCode: String? = nil,
        countryCode: String? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.name = name
        self.streetAddress = streetAddress
        self.coAddress = coAddress
        self.city = city
        self.zipCode = zipCode
        self.countryCode = countryCode
        self.others = others
    }
}

extension PickUpAddress: CustomStringConvertible, CustomReflectable {
    /// Nothing of the address.
    public var description: String { "a pick-up address" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
