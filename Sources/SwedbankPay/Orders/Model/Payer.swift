/// Who pays: personal data.
///
/// - Note: Source: payment order model, payer.
public struct Payer: Hashable, Sendable {
    /// What a check-in gave; good for one order, for a day.
    public var consumerProfileRef: String?
    /// The payer's e-mail address.
    public var email: String?
    /// The payer's mobile number: `+`, country code and digits.
    public var msisdn: String?
    /// The merchant's lasting name for the payer, under which tokens are kept; it must not tell who that is.
    public var payerReference: String?
    /// The number that a state knows the payer by.
    public var nationalIdentifier: NationalIdentifier?
    /// Whether the PSP asks the payer who they are.
    public var requiresConsumerInfo: Bool?
    /// Whether nothing is shipped.
    public var buysDigitalProducts: Bool?
    /// The countries that are shipped to, by ISO 3166-1 alpha-2.
    public var shippingAddressRestrictedToCountryCodes: [String]?
    /// The payer's first name.
    public var firstName: String?
    /// The payer's last name.
    public var lastName: String?
    /// The payer's number at work.
    public var workPhoneNumber: String?
    /// The payer's number at home.
    public var homePhoneNumber: String?
    /// Where the goods go.
    public var shippingAddress: PayerAddress?
    /// Where the bill goes.
    public var billingAddress: PayerAddress?
    /// What the merchant knows about the payer's account.
    public var accountInfo: AccountInfo?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A payer of whom this is known.
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
    /// Nothing of the payer.
    public var description: String { "a payer" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The number that a state knows a payer by: personal data.
public struct NationalIdentifier: Hashable, Sendable {
    /// The number.
    public var socialSecurityNumber: String
    /// The state, by ISO 3166-1 alpha-2.
    public var countryCode: String
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// The number of a state.
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
    /// Nothing of the number.
    public var description: String { "a national identifier" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
