/// Information that helps an issuer to assess the risk of a purchase, so that fewer payers are
/// challenged.
///
/// - Note: Source: payment order model, riskIndicator.
public struct RiskIndicator: Hashable, Sendable {
    /// When the goods are delivered.
    public enum DeliveryTimeFrame: String, Hashable, Sendable, CaseIterable {
        /// Electronically.
        case electronic = "01"
        /// The same day.
        case sameDay = "02"
        /// Overnight.
        case overnight = "03"
        /// In two days or more.
        case twoDaysOrMore = "04"
    }

    /// Whether the goods are available.
    public enum PreOrder: String, Hashable, Sendable, CaseIterable {
        /// They are available.
        case available = "01"
        /// They will be available later.
        case future = "02"
    }

    /// Where the goods are shipped.
    public enum Shipment: String, Hashable, Sendable, CaseIterable {
        /// To the billing address.
        case billingAddress = "01"
        /// To another address that the merchant has verified.
        case verifiedAddress = "02"
        /// To an address other than the billing address.
        case differentAddress = "03"
        /// To a pick-up point.
        case pickUp = "04"
        /// Nowhere, because they are digital.
        case digital = "05"
        /// Nowhere, because they are tickets for travel or events.
        case tickets = "06"
        /// Elsewhere.
        case other = "07"
    }

    /// Whether the payer orders the goods for the first time.
    public enum ReOrder: String, Hashable, Sendable, CaseIterable {
        /// For the first time.
        case first = "01"
        /// Again.
        case again = "02"
    }

    /// The e-mail address that electronic goods are sent to.
    public var deliveryEmailAddress: String?
    /// When the goods are delivered.
    public var deliveryTimeFrame: DeliveryTimeFrame?
    /// The day on which pre-ordered goods will be available, as `YYYYMMDD`.
    public var preOrderDay: String?
    /// Whether the goods are available.
    public var preOrder: PreOrder?
    /// Where the goods are shipped.
    public var shipment: Shipment?
    /// Whether a gift card is bought.
    public var isGiftCardPurchase: Bool?
    /// Whether the payer ordered the goods before.
    public var reOrder: ReOrder?
    /// The address of the pick-up point; only with ``Shipment/pickUp``.
    public var pickUpAddress: PickUpAddress?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates a risk indicator with these members.
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
    /// A constant text without what is known about the payer.
    public var description: String { "a risk indicator" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The address of a pick-up point.
public struct PickUpAddress: Hashable, Sendable {
    /// The name of the pick-up point.
    public var name: String?
    /// The street and number.
    public var streetAddress: String?
    /// The care-of name.
    public var coAddress: String?
    /// The city.
    public var city: String?
    /// The postal code.
    public var zipCode: String?
    /// The country, as an ISO 3166-1 alpha-2 code.
    public var countryCode: String?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates an address with these members.
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
    /// A constant text without the address.
    public var description: String { "a pick-up address" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
