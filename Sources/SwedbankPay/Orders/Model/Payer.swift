/// The payer: personal data.
///
/// - Note: Source: payment order model, payer.
public struct Payer: Hashable, Sendable {
    /// The reference that a check-in returned; valid for one order, for a day.
    public var consumerProfileRef: String?
    /// The payer's e-mail address.
    public var email: String?
    /// The payer's mobile number: `+`, country code and digits.
    public var msisdn: String?
    /// The merchant's permanent reference for the payer, under which tokens are stored; it must not
    /// reveal the payer's identity.
    public var payerReference: String?
    /// The payer's national identity number.
    public var nationalIdentifier: NationalIdentifier?
    /// Whether the PSP collects the payer's details.
    public var requiresConsumerInfo: Bool?
    /// Whether only digital products are bought, so that there is no shipment.
    public var buysDigitalProducts: Bool?
    /// The countries that goods can be shipped to, as ISO 3166-1 alpha-2 codes.
    public var shippingAddressRestrictedToCountryCodes: [String]?
    /// The payer's first name.
    public var firstName: String?
    /// The payer's last name.
    public var lastName: String?
    /// The payer's telephone number at work.
    public var workPhoneNumber: String?
    /// The payer's telephone number at home.
    public var homePhoneNumber: String?
    /// The address that goods are shipped to.
    public var shippingAddress: PayerAddress?
    /// The billing address.
    public var billingAddress: PayerAddress?
    /// The merchant's information about the payer's account.
    public var accountInfo: AccountInfo?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates a payer with these members.
    public init(
        consumerProfileRef: String? = nil,
        email: String? = nil,
        msisdn: String? = nil,
        payerReference: String? = nil,
        nationalIdentifier: NationalIdentifier? = nil,
        requiresConsumerInfo: Bool? = nil,
        buysDigitalProducts: Bool? = nil,
        shippingAddressRestrictedToCountryCodes: [String]? = nil,
        firstName: String? = nil,
        lastName: String? = nil,
        workPhoneNumber: String? = nil,
        homePhoneNumber: String? = nil,
        shippingAddress: PayerAddress? = nil,
        billingAddress: PayerAddress? = nil,
        accountInfo: AccountInfo? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.consumerProfileRef = consumerProfileRef
        self.email = email
        self.msisdn = msisdn
        self.payerReference = payerReference
        self.nationalIdentifier = nationalIdentifier
        self.requiresConsumerInfo = requiresConsumerInfo
        self.buysDigitalProducts = buysDigitalProducts
        self.shippingAddressRestrictedToCountryCodes = shippingAddressRestrictedToCountryCodes
        self.firstName = firstName
        self.lastName = lastName
        self.workPhoneNumber = workPhoneNumber
        self.homePhoneNumber = homePhoneNumber
        self.shippingAddress = shippingAddress
        self.billingAddress = billingAddress
        self.accountInfo = accountInfo
        self.others = others
    }
}

extension Payer: CustomStringConvertible, CustomReflectable {
    /// A constant text without the payer's data.
    public var description: String { "a payer" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A payer's national identity number: personal data.
public struct NationalIdentifier: Hashable, Sendable {
    /// The number.
    public var socialSecurityNumber: String
    /// The country, as an ISO 3166-1 alpha-2 code.
    public var countryCode: String
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates an identity number of a country.
    public init(
        socialSecurityNumber: String,
        countryCode: String,
        others: [String: FreeFormValue] = [:]
    ) {
        self.socialSecurityNumber = socialSecurityNumber
        self.countryCode = countryCode
        self.others = others
    }
}

extension NationalIdentifier: CustomStringConvertible, CustomReflectable {
    /// A constant text without the number.
    public var description: String { "a national identifier" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
