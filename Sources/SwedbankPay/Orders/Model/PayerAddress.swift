/// Where a payer gets goods or bills: personal data.
///
/// - Note: Source: payment order model, payer.
public struct PayerAddress: Hashable, Sendable {
    /// The first name of who lives there.
    public var firstName: String?
    /// The last name of who lives there.
    public var lastName: String?
    /// An e-mail address.
    public var email: String?
    /// A mobile number: `+`, country code and digits.
    public var msisdn: String?
    /// Street and number.
    public var streetAddress: String?
    /// With whom they live.
    public var coAddress: String?
    /// The city.
    public var city: String?
    /// The postal code.
    public var zipCode: String?
    /// The country, by ISO 3166-1 alpha-2.
    public var countryCode: String?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// An address of which this is known.
    public init(
        firstName: String? = nil,
        lastName: String? = nil,
        email: String? = nil,
        msisdn: String? = nil,
        streetAddress: String? = nil,
        coAddress: String? = nil,
        city: String? = nil,
        zipCode: String? = nil,
        countryCode: String? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.msisdn = msisdn
        self.streetAddress = streetAddress
        self.coAddress = coAddress
        self.city = city
        self.zipCode = zipCode
        self.countryCode = countryCode
        self.others = others
    }
}

extension PayerAddress: CustomStringConvertible, CustomReflectable {
    /// Nothing of the address.
    public var description: String { "an address of a payer" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
